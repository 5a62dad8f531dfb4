import { useState } from 'react';
import type { Directive, DirectiveState } from '../../extension/protocol';
import { useInspector } from '../state/context';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { DIRECTIVE_TONES, firingOf, holdOf, lifetimeOf } from '../words';
import { useActions, useFirePreview } from './fire';

interface EntryProps {
  readonly directive: Directive;
  /** In the Directives tab: with tags, origin and what ended it. */
  readonly full?: boolean;
  /** Says what *Fire now* would do at once, not only when the person turns to this entry. */
  readonly eager?: boolean;
  readonly tabIndex?: number;
}

const REACHED: ReadonlySet<DirectiveState> = new Set(['delivered', 'seen', 'lost']);
const WAITING: ReadonlySet<DirectiveState> = new Set(['queued', 'pending']);

const SOURCES: Readonly<Record<string, string>> = {
  stdlib_provider: 'from a provider',
  hook: 'from a hook',
  bridge: 'from the bridge',
  in_pipeline: 'from the pipeline',
  inherited: 'inherited',
};

const ORIGINS: Readonly<Record<string, string>> = {
  person: 'from you',
  'file-watcher': 'from the file watcher',
};

const PROPAGATION: Readonly<Record<string, string>> = {
  session: 'passed on to its own sub-agents',
  all: 'passed on to every sub-agent',
  none: 'not passed on to sub-agents',
};

/** Only what is out of the ordinary is said of when it goes. */
const MODES: Readonly<Record<string, string>> = {
  interrupt_immediate: 'goes at once',
  audit_only: 'for the record only',
};

const ENDS: Readonly<Record<string, string>> = {
  ttl: 'its lifetime ended',
  compaction: 'ended by compaction',
  cleared: 'no longer needed',
  revoked: 'taken back',
};

function facts(directive: Directive): string[] {
  const { source, origin, propagate, mode, originating_agent_id: first } = directive;
  return [
    origin === null ? (SOURCES[source] ?? `from ${source}`) : (ORIGINS[origin] ?? `from ${origin}`),
    first === null ? null : `first session ${first}`,
    PROPAGATION[propagate] ?? `passed on: ${propagate}`,
    directive.preserve_on_compact ? 'survives compaction' : null,
    mode === null ? null : (MODES[mode] ?? null),
    directive.delivered_turn === null ? null : `delivered in turn ${directive.delivered_turn}`,
    directive.reason === null ? null : (ENDS[directive.reason] ?? directive.reason.replaceAll('_', ' ')),
  ].filter((fact) => fact !== null);
}

/** A directive: what it says, where it stands, and what can still be done about it. */
export function Entry({ directive, full, eager = true, tabIndex = 0 }: EntryProps) {
  const { correct } = useInspector();
  const { busy, outcome, fire, revoke } = useActions(directive);
  const [turnedTo, setTurnedTo] = useState(false);
  const preview = useFirePreview(directive, eager || turnedTo);
  const turnTo = (): void => setTurnedTo(true);
  const lifetime = lifetimeOf(directive);
  const waiting = WAITING.has(directive.state);
  return (
    <div
      className="directive"
      data-authority={directive.authority}
      data-directive-state={directive.state}
      onFocus={turnTo}
      onMouseEnter={turnTo}
    >
      <div className="who">
        <b>Directive</b>
        <span>{lifetime === null ? directive.authority : `${directive.authority} · ${lifetime}`}</span>
        {directive.dedupe_key !== null && <span className="code key">{directive.dedupe_key}</span>}
        <Chip tone={DIRECTIVE_TONES[directive.state] ?? 'plain'}>{directive.state}</Chip>
        {full && waiting && <span className="hold">{holdOf(directive)}</span>}
        {preview !== null && directive.fire_turn === null && <span className="firing">{firingOf(preview)}</span>}
        <span className="actions">
          {directive.can_fire && (
            <Button small disabled={busy} onClick={fire} tabIndex={tabIndex}>
              Fire now
            </Button>
          )}
          {directive.can_revoke && (
            <Button small disabled={busy} onClick={revoke} tabIndex={tabIndex}>
              Revoke
            </Button>
          )}
          {(REACHED.has(directive.state) || outcome?.refused === true) && (
            <Button small onClick={() => correct(directive)} tabIndex={tabIndex}>
              Correct…
            </Button>
          )}
        </span>
      </div>
      {outcome !== null && (
        <div className={outcome.refused ? 'fault' : 'confirm'} role={outcome.refused ? 'alert' : 'status'}>
          {outcome.text}
        </div>
      )}
      <div className="directive-body">{directive.body}</div>
      {full && (
        <div className="directive-facts">
          {directive.tags.map((tag) => (
            <span className="tag" key={tag}>
              {tag}
            </span>
          ))}
          <span>{facts(directive).join(' · ')}</span>
        </div>
      )}
    </div>
  );
}
