import type { Directive, DirectiveState } from '../../extension/protocol';
import { useInspector, useWindow } from '../state/context';
import { useStore } from '../state/store';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';
import { Link } from '../ui/link';
import { Ring } from '../ui/progress';
import { Entry } from './entry';
import { DirectiveForm } from './form';

const GROUPS: readonly { readonly title: string; readonly states: readonly DirectiveState[] }[] = [
  { title: 'Pending', states: ['queued', 'pending'] },
  { title: 'Delivered', states: ['delivered', 'seen', 'lost'] },
  { title: 'Ended', states: ['expired', 'replaced', 'revoked', 'cleared', 'dropped'] },
];

/** As many entries of a group say what firing would do without being asked. */
const EAGER = 20;

function Groups({ directives }: { readonly directives: readonly Directive[] }) {
  return GROUPS.map(({ title, states }) => {
    const group = directives.filter(({ state }) => states.includes(state));
    if (group.length === 0) return null;
    return (
      <section key={title} aria-label={title}>
        <h2 className="group-title">
          {title} <span className="num">{group.length}</span>
        </h2>
        <ul className="directives">
          {group.map((directive, place) => (
            <li key={directive.reminder_id}>
              <Entry directive={directive} full eager={place < EAGER} />
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

/** All directives of the session, and the form to write one. */
export function DirectivesPanel() {
  const { directives, focus } = useInspector();
  const form = useWindow((state) => state.form);
  const { directives: all, fault } = useStore(directives.state);
  const write = (): void => focus('form');
  return (
    <div className="panel-scroll">
      {form ? (
        <DirectiveForm draft={form} />
      ) : (
        all !== null &&
        all.length > 0 && (
          <div className="toolbar">
            <Button onClick={write}>Write a directive</Button>
          </div>
        )
      )}
      {fault !== null && (
        <div className="row-fault" role="alert">
          The directives could not be read: {fault} <Link onClick={() => directives.reload()}>Try again</Link>
        </div>
      )}
      {all === null && fault === null && <Ring label="loading" />}
      {all !== null && <Groups directives={all} />}
      {all !== null && all.length === 0 && form === null && (
        <Empty
          title="What the agent is being told will appear here"
          action={{ label: 'Write a directive', onClick: write }}
        >
          No directive was left for this session yet. When a file that the agent has read changes on disk, one appears
          by itself.
        </Empty>
      )}
    </div>
  );
}
