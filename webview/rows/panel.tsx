import { type CSSProperties, useMemo, useSyncExternalStore } from 'react';
import { useInspector, useView, useWindow } from '../state/context';
import { usePart } from '../state/store';
import { Empty } from '../ui/empty';
import { ColumnNames, useNarrow } from './columns';
import { Grid } from './grid';

const DIGIT = 7;

/** The column of numbers is as wide as the longest of them. */
const indexWidth = (messages: number): CSSProperties =>
  ({ '--index': `${Math.max(48, 22 + DIGIT * String(messages).length)}px` }) as CSSProperties;

/** The two columns, or why there is nothing in them yet. */
export function TranscriptPanel() {
  const { act, transcript, search } = useInspector();
  const side = useWindow((state) => state.side);
  const rows = useView((view) => view.rows);
  const progress = useView((view) => view.progress);
  const noComposer = useView((view) => view.session?.no_composer ?? null);
  const lost = usePart(search.state, ({ status, matches, query }) => status === 'done' && matches === 0 && query);
  const filtered = useView(({ filter }) => filter.speakers.length + filter.states.length > 0);
  const held = useSyncExternalStore(transcript.subscribe, () => transcript.count);
  const raw = useView((view) => view.messages.raw);
  const index = useMemo(() => indexWidth(raw), [raw]);
  const narrow = useNarrow();
  const columns = narrow ? (side === 'both' ? 'projected' : side) : 'both';
  if (rows.count === 0 && held === 0) {
    if (rows.total > 0) {
      return (
        <Empty
          title="No row matches the filter"
          action={{ label: 'Show all rows', onClick: () => act('set_filter', { speakers: [], states: [] }) }}
        >
          The filter hides all {rows.total} rows of this transcript.
        </Empty>
      );
    }
    if (progress !== null) return <Empty title="The transcript will appear here">The session is being read.</Empty>;
    return (
      <Empty title="What the agent and its model say to each other will appear here">
        {noComposer === null
          ? 'Nothing was said yet. Write a message below to begin.'
          : 'Nothing was said in this session yet. New messages appear by themselves.'}
      </Empty>
    );
  }
  return (
    <div className="transcript">
      <ColumnNames columns={columns} index={index} />
      {typeof lost === 'string' && (
        <div className="row-note" role="status">
          No row holds “{lost}”.{filtered && ' Only the rows that the filter shows were searched.'}
        </div>
      )}
      <Grid columns={columns} index={index} />
    </div>
  );
}
