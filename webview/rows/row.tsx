import { memo } from 'react';
import type { Row } from '../../extension/protocol';
import { Entry } from '../directives/entry';
import { useInspector } from '../state/context';
import { holdOf, moment } from '../words';
import { ActionBar, actionsOf } from './actions';
import { Cause } from './cause';
import { SideView } from './side';

export type Columns = 'both' | 'raw' | 'projected';

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly active: boolean;
  readonly columns: Columns;
  readonly query: string;
  readonly onMenu: (index: number, anchor: HTMLElement) => void;
}

export const rowId = (index: number): string => `row-${index}`;

const textOf = (row: Row): string =>
  [...((row.raw ?? row.projected)?.blocks ?? [])].map((block) => block.text).join(' ') || row.notes.join(', ');

function Raw({ row, query, tabIndex }: { readonly row: Row; readonly query: string; readonly tabIndex: number }) {
  if (row.raw)
    return <SideView row={row} side={row.raw} of="raw" tokens alone={false} query={query} tabIndex={tabIndex} />;
  const [directive] = row.directives;
  const why = row.kind === 'pending' && directive ? holdOf(directive) : 'not in the raw transcript';
  return <div className="who quiet">{why}</div>;
}

interface ModelProps {
  readonly row: Row;
  readonly alone: boolean;
  readonly query: string;
  readonly tabIndex: number;
}

function Model({ row, alone, query, tabIndex }: ModelProps) {
  if (row.directives.length > 0) {
    return (
      <>
        {alone && row.kind === 'pending' && row.directives[0] && (
          <div className="who quiet">{holdOf(row.directives[0])}</div>
        )}
        {row.directives.map((directive) => (
          <Entry key={directive.reminder_id} directive={directive} tabIndex={tabIndex} />
        ))}
      </>
    );
  }
  if (row.state === 'hidden') return <Cause cause={row.cause} tabIndex={tabIndex} />;
  const side = row.projected ?? row.raw;
  if (!side) return null;
  const of = row.projected ? 'projected' : 'raw';
  const cause = row.state === 'kept' ? row.cause : null;
  return (
    <SideView
      row={row}
      side={side}
      of={of}
      tokens={alone}
      alone={alone}
      query={query}
      tabIndex={tabIndex}
      cause={cause}
    />
  );
}

/** One aligned row. One element, so that both sides have one height. */
export const RowView = memo(function RowView({ row, index, active, columns, query, onMenu }: RowProps) {
  const inspector = useInspector();
  const tabIndex = active ? 0 : -1;
  const common = {
    id: rowId(index),
    role: 'row',
    'aria-rowindex': index + 1,
    'aria-selected': active,
    'data-row': index,
    'data-state': row.state,
    'data-kind': row.kind,
    'data-active': active ? '' : undefined,
  } as const;
  if (row.kind === 'boundary') {
    return (
      <div {...common} className="row boundary">
        <div role="gridcell" aria-colspan={3} className="boundary-text">
          {textOf(row)}
        </div>
      </div>
    );
  }
  const bar = (
    <ActionBar items={actionsOf(row, inspector)} tabIndex={tabIndex} onMenu={(anchor) => onMenu(index, anchor)} />
  );
  const label = row.kind === 'pending' ? 'next' : (row.message ?? '');
  return (
    <div {...common} className="row">
      <div role="rowheader" className="index num" title={row.time_ms === null ? undefined : moment(row.time_ms)}>
        {label}
      </div>
      {columns !== 'projected' && (
        <div role="gridcell" className="cell raw">
          <Raw row={row} query={query} tabIndex={tabIndex} />
          {columns === 'raw' && row.state === 'hidden' && <Cause cause={row.cause} tabIndex={tabIndex} />}
          {bar}
        </div>
      )}
      {columns !== 'raw' && (
        <div role="gridcell" className={row.state === 'hidden' ? 'cell model hatched' : 'cell model'}>
          <Model row={row} alone={columns === 'projected'} query={query} tabIndex={tabIndex} />
          {columns === 'projected' && bar}
        </div>
      )}
    </div>
  );
});

/** Stands where a row will be until it has arrived. */
export function PendingRow({ index, active }: { readonly index: number; readonly active: boolean }) {
  return (
    <div
      id={rowId(index)}
      role="row"
      aria-rowindex={index + 1}
      aria-busy
      aria-selected={active}
      data-row={index}
      data-active={active ? '' : undefined}
      className="row waiting"
    >
      <div role="gridcell" aria-label="loading" className="cell" />
    </div>
  );
}
