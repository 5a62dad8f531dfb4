import { useInspector, useView } from '../state/context';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { Ring } from '../ui/progress';
import { figure, shortHash } from '../words';

/** How this request relates to the one before. */
function Relation() {
  const { transcript, state } = useInspector();
  const relation = useView((view) => view.projection.relation);
  const at = useView((view) => view.projection.diverged_at);
  const how = useView((view) => view.projection.diverged_how);
  if (relation === 'initial') return <Chip title="The first request of this session.">initial</Chip>;
  if (relation === 'append_only') {
    return (
      <Chip tone="ok" icon="check" title="This request begins with the whole one before it.">
        append only
      </Chip>
    );
  }
  if (relation !== 'diverged') return null;
  if (at === null) return <Chip tone="warn">diverges</Chip>;
  return (
    <Chip
      tone="warn"
      icon="git-branch"
      title={`Message ${at}${how ? ` ${how}` : ' differs'}: from there on the provider reads anew. Click to go there.`}
      onClick={() =>
        void transcript.jumpToMessage(at).then((found) => {
          if (!found) state.set({ fault: `Message ${at} is not among the rows shown; clear the filter to see it.` });
        })
      }
    >
      diverges at message {at}
    </Chip>
  );
}

/** What the projection gains and costs. */
export function Figures() {
  const { act } = useInspector();
  const projection = useView((view) => view.projection);
  const {
    hidden,
    redacted,
    synthetic,
    spared,
    archived,
    reclaimed_tokens: reclaimed,
    reread_tokens: reread,
  } = projection;
  const changed = [
    `${figure(hidden)} hidden`,
    `${figure(redacted)} replaced`,
    ...(synthetic > 0 ? [`${figure(synthetic)} synthetic`] : []),
    ...(spared > 0 ? [`${figure(spared)} kept for their signature`] : []),
    ...(archived > 0 ? [`${figure(archived)} archived`] : []),
  ].join(' · ');
  return (
    <>
      <Relation />
      <span className="figures num" data-computing={projection.computing ? '' : undefined}>
        <span title={`${changed} · ${figure(projection.kept)} messages kept`}>{changed}</span>
        <span className="dot">·</span>
        <span title={`${figure(reclaimed)} tokens that the model need not read, estimated`}>
          {figure(reclaimed)} reclaimed
        </span>
        <span className="dot">·</span>
        <span
          className={reread > 0 ? 'warn' : undefined}
          title={`${figure(reread)} tokens that the provider’s cache no longer covers, estimated`}
        >
          {figure(reread)} re-read{reread > 0 ? ' once' : ''}, estimated
        </span>
      </span>
      {projection.computing && <Ring label="computing" />}
      {projection.prefix_hash !== null && (
        <span className="hash">
          <span className="code" title={projection.prefix_hash} aria-label={`prefix hash ${projection.prefix_hash}`}>
            {shortHash(projection.prefix_hash)}
          </span>
          <span className="hash-word" aria-hidden="true">
            hash
          </span>
          <Button small title="Copy the prefix hash" onClick={() => act('copy', { what: 'hash' })}>
            Copy
          </Button>
        </span>
      )}
    </>
  );
}
