import type { Directive, DirectiveState } from '../../extension/protocol';
import { useInspector } from '../state/context';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { DIRECTIVE_TONES, firingOf, holdOf, lifetimeOf } from '../words';
import { useActions } from './fire';

interface EntryProps {
  readonly directive: Directive;
  /** In the Directives tab: with tags, origin and what ended it. */
  readonly full?: boolean;
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

function facts(directive: Directive): string[] {
  const { source, propagate, mode, originating_agent_id: origin } = directive;
  return [
    SOURCES[source] ?? `from ${source}`,
    origin === null ? null : `first session ${origin}`,
    `passed on: ${propagate}`,
    directive.preserve_on_compact ? 'survives compaction' : null,
    mode === null ? null : mode.replaceAll('_', ' '),
    directive.delivered_turn === null ? null : `delivered in turn ${directive.delivered_turn}`,
    directive.reason === null ? null : `ended by ${directive.reason.replaceAll('_', ' ')}`,
  ].filter((fact) => fact !== null);
}

/** A directive: what it says, where it stands, and what can still be done about it. */
export function Entry({ directive, full, tabIndex = 0 }: EntryProps) {
  const { correct } = useInspector();
  const { preview, busy, outcome, fire, revoke, cancel } = useActions(directive);
  const waiting = WAITING.has(directive.state);
  return (
    <div className="directive" data-authority={directive.authority} data-directive-state={directive.state}>
      <div className="who">
        <b>Directive</b>
        <span>
          {directive.authority} · {lifetimeOf(directive)}
        </span>
        {directive.dedupe_key !== null && <span className="code key">{directive.dedupe_key}</span>}
        <Chip tone={DIRECTIVE_TONES[directive.state] ?? 'plain'}>{directive.state}</Chip>
        {full && waiting && <span className="hold">{holdOf(directive)}</span>}
        <span className="actions">
          {directive.can_fire && (
            <Button small primary={preview !== null} disabled={busy} onClick={fire} tabIndex={tabIndex}>
              Fire now
            </Button>
          )}
          {preview !== null && (
            <Button small onClick={cancel} tabIndex={tabIndex}>
              Cancel
            </Button>
          )}
          {directive.can_revoke && preview === null && (
            <Button small disabled={busy} onClick={revoke} tabIndex={tabIndex}>
              Revoke
            </Button>
          )}
          {(REACHED.has(directive.state) || outcome?.refused === true) && preview === null && (
            <Button small onClick={() => correct(directive)} tabIndex={tabIndex}>
              Correct…
            </Button>
          )}
        </span>
      </div>
      {preview !== null && (
        <div className="confirm" role="status">
          {firingOf(preview)}
        </div>
      )}
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
