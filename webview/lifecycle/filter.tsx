import { useRef, useState } from 'react';
import type { LifecycleFilter } from '../../extension/protocol';
import { Checkbox } from '../ui/checkbox';
import { Link } from '../ui/link';
import { Popover } from '../ui/popover';
import { ALL_RECORDS, type Records, type RecordsState } from './records';

/** A local time field's value, and back. */
function toField(ms: number | null): string {
  if (ms === null) return '';
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

const fromField = (value: string): number | null => {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
};

interface FilterProps {
  readonly records: Records;
  readonly state: RecordsState;
}

function Kinds({ records, state }: FilterProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const { kinds } = state.filter;
  const toggle = (kind: string, on: boolean): void =>
    records.filter({ kinds: on ? [...kinds, kind] : kinds.filter((each) => each !== kind) });
  return (
    <>
      <button
        type="button"
        className="plain-button"
        ref={anchor}
        aria-label="Kind"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Kind{kinds.length > 0 && <span className="badge">{kinds.length}</span>}
      </button>
      {open && (
        <Popover label="Kinds of records" anchor={anchor} onClose={() => setOpen(false)}>
          {state.kinds.length === 0 && <p>No records yet.</p>}
          {state.kinds.map((kind) => (
            <Checkbox key={kind} label={kind} checked={kinds.includes(kind)} onChange={(on) => toggle(kind, on)} />
          ))}
        </Popover>
      )}
    </>
  );
}

export const isFiltered = ({ kinds, reminder_id, since_ms, until_ms }: LifecycleFilter): boolean =>
  kinds.length > 0 || reminder_id !== null || since_ms !== null || until_ms !== null;

/** Narrows the records down by kind, reminder and time. */
export function RecordFilter({ records, state }: FilterProps) {
  const { filter } = state;
  return (
    <div className="toolbar" role="search" aria-label="Filter records">
      <Kinds records={records} state={state} />
      <label className="inline-field">
        Reminder
        <input
          className="code"
          type="text"
          placeholder="start of an id"
          value={filter.reminder_id ?? ''}
          onChange={(event) => records.filter({ reminder_id: event.target.value.trim() || null })}
        />
      </label>
      <label className="inline-field">
        From
        <input
          type="datetime-local"
          value={toField(filter.since_ms)}
          onChange={(event) => records.filter({ since_ms: fromField(event.target.value) })}
        />
      </label>
      <label className="inline-field">
        To
        <input
          type="datetime-local"
          value={toField(filter.until_ms)}
          onChange={(event) => records.filter({ until_ms: fromField(event.target.value) })}
        />
      </label>
      {isFiltered(filter) && <Link onClick={() => records.filter(ALL_RECORDS)}>Show all</Link>}
    </div>
  );
}
