import type { SessionStatus, SessionView } from '../../extension/protocol';
import { useInspector, useView } from '../state/context';
import { Chip } from '../ui/chip';
import { Select } from '../ui/select';
import { count, STANDINGS, standingWord } from '../words';
import { Figures } from './figures';
import { Gauge } from './gauge';
import { Policy } from './policy';
import { Turns } from './turns';

const STATUS: Readonly<Record<SessionStatus, string>> = {
  running: 'running',
  idle: 'idle',
  ended: 'ended',
  failed: 'failed',
};

function Agent({ session }: { readonly session: SessionView }) {
  const title = [session.fidelity, session.model === null ? '' : `Model: ${session.model}.`].join(' ').trim();
  return (
    <Chip tone={session.status === 'failed' ? 'bad' : 'plain'} title={title} kind="agent">
      <span className="live" data-live={session.live && session.status !== 'ended'} data-status={session.status} />
      {session.agent}, {STATUS[session.status]}
      {!session.live && session.status !== 'ended' && ', not followed'}
    </Chip>
  );
}

export function Standing() {
  const standing = useView((view) => view.projection.standing);
  const word = useView((view) => standingWord(view.projection));
  const { icon, tone, title } = STANDINGS[standing];
  return (
    <Chip tone={tone} icon={icon} title={title} kind={`standing-${standing}`}>
      {word}
    </Chip>
  );
}

function Lanes() {
  const { act } = useInspector();
  const lanes = useView((view) => view.lanes);
  const lane = useView((view) => view.lane);
  if (lanes.length < 2) return null;
  return (
    <Select
      label="Branch"
      value={lane ?? ''}
      options={lanes.map(({ id, label, messages }) => ({
        value: id,
        label: messages === null ? label : `${label}, ${count(messages, 'message')}`,
      }))}
      onChange={(id) => act('set_lane', { lane: id })}
    />
  );
}

/** In one glance: which agent, how full, which turn, and what the projection gains and costs. */
export function Header({ session }: { readonly session: SessionView }) {
  return (
    <header className="header">
      <div className="line">
        <h1 className="title" title={session.title}>
          {session.title}
        </h1>
        <Agent session={session} />
        <Standing />
        <Lanes />
        <span className="push" />
        <Gauge />
        <Policy />
      </div>
      <div className="line second">
        <Turns />
        <Figures />
      </div>
    </header>
  );
}
