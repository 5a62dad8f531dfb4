import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useList } from '../rows/list';
import { useInspector, useView } from '../state/context';
import { useStore } from '../state/store';
import { Empty } from '../ui/empty';
import { Link } from '../ui/link';
import { Ring } from '../ui/progress';
import { moment } from '../words';
import { isFiltered, RecordFilter } from './filter';
import { ALL_RECORDS, createRecords, type Records, RECORDS_PAGE, type RecordsState } from './records';

const HEIGHT = 28;
/** Chromium ends at about 33.5 million pixels. */
const MOST = 1_000_000;
const KIND_PREFIX = /^transcript\.reminder\./;

function Table({ records, state, total }: { records: Records; state: RecordsState; total: number }) {
  const { act } = useInspector();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const length = Math.min(total, MOST);
  const { items, size, reveal } = useList({ count: length, height: HEIGHT, scroller });
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => records.want(first, last), [records, first, last]);

  const rowAt = (index: number) => state.pages.get(Math.floor(index / RECORDS_PAGE))?.[index % RECORDS_PAGE];
  const open = (index: number): void => {
    const row = rowAt(index);
    if (row) act('open', { what: 'record', record_id: row.record_id });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / HEIGHT) - 1);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: length - 1,
    }[event.key];
    if (event.key === 'Enter') open(active);
    else if (to === undefined) return;
    else {
      const next = Math.min(length - 1, Math.max(0, to));
      setActive(next);
      reveal(next);
    }
    event.preventDefault();
  };

  return (
    <>
      <div className="record-names" aria-hidden="true">
        <div>
          <span>Time</span>
          <span>Kind</span>
          <span className="record-id">Reminder</span>
          <span>What</span>
        </div>
      </div>
      <div
        className="records"
        role="grid"
        aria-label="Lifecycle"
        aria-rowcount={total}
        aria-colcount={4}
        aria-activedescendant={active >= first && active <= last ? `record-${active}` : undefined}
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="spacer" style={{ height: size }}>
          {items.map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <div
                key={index}
                id={`record-${index}`}
                role="row"
                aria-rowindex={index + 1}
                aria-selected={index === active}
                aria-busy={row === undefined}
                data-active={index === active ? '' : undefined}
                className="record"
                style={{ top: start }}
                title="Opens the record as JSON"
                onClick={() => {
                  setActive(index);
                  open(index);
                }}
              >
                <span role="gridcell" className="num record-time">
                  {row && moment(row.occurred_at_ms)}
                </span>
                <span role="gridcell" className="code record-kind" title={row?.kind}>
                  {row?.kind.replace(KIND_PREFIX, '')}
                </span>
                <span role="gridcell" className="code record-id" title={row?.reminder_id ?? undefined}>
                  {row?.reminder_id?.slice(-8)}
                </span>
                <span role="gridcell" className="record-text">
                  {row?.text}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

/** The records of the session's log about reminders and projections; each opens as JSON. */
export function LifecyclePanel() {
  const { ask, focus } = useInspector();
  const [records] = useState(() => createRecords(ask));
  const state = useStore(records.state);
  const session = useView((view) => view.session?.id ?? null);
  const total = useView((view) => view.lifecycle.total);

  useEffect(() => records.filter({}), [records, session]);
  useEffect(() => records.renew(), [records, total]);

  return (
    <div className="panel">
      <RecordFilter records={records} state={state} />
      {state.fault !== null && (
        <div className="row-fault" role="alert">
          The records could not be read: {state.fault} <Link onClick={() => records.renew()}>Try again</Link>
        </div>
      )}
      {state.total === null && state.fault === null && <Ring label="loading" />}
      {state.total !== null && state.total > 0 && <Table records={records} state={state} total={state.total} />}
      {state.total === 0 &&
        (isFiltered(state.filter) ? (
          <Empty
            title="No record matches"
            action={{ label: 'Show all records', onClick: () => records.filter(ALL_RECORDS) }}
          >
            The filter leaves out everything in this session’s log.
          </Empty>
        ) : (
          <Empty
            title="Every step of every directive will be recorded here"
            action={{ label: 'Write a directive', onClick: () => focus('form') }}
          >
            Nothing was recorded for this session yet. The first record comes with the first directive or request.
          </Empty>
        ))}
    </div>
  );
}
