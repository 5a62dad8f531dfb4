import { useRef, useState } from 'react';
import type { FilterView, RowState, Speaker } from '../../extension/protocol';
import { useInspector, useView } from '../state/context';
import { Checkbox } from '../ui/checkbox';
import { Link } from '../ui/link';
import { Popover } from '../ui/popover';
import { ROW_STATES, SPEAKERS } from '../words';

const speakers = Object.keys(SPEAKERS) as Speaker[];
const states = Object.keys(ROW_STATES) as RowState[];

/** Adds or takes away one; all of them is the same as none, "everything". */
function toggle<T>(all: readonly T[], chosen: readonly T[], one: T, on: boolean): T[] {
  const now = all.filter((each) => (each === one ? on : chosen.includes(each)));
  return now.length === all.length ? [] : now;
}

/** Shows only some speakers and states; nothing ticked means everything. */
export function Filter() {
  const { act } = useInspector();
  const filter = useView((view) => view.filter);
  const rows = useView((view) => view.rows);
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const set = (change: Partial<FilterView>): void => act('set_filter', { ...filter, ...change });
  const chosen = filter.speakers.length + filter.states.length;
  return (
    <>
      <button
        type="button"
        className="plain-button"
        ref={anchor}
        aria-expanded={open}
        aria-label="Filter"
        aria-description={chosen > 0 ? `${rows.count} of ${rows.total} rows` : undefined}
        onClick={() => setOpen(!open)}
      >
        Filter{chosen > 0 && <span className="badge">{chosen}</span>}
      </button>
      {open && (
        <Popover label="Filter rows" anchor={anchor} onClose={() => setOpen(false)}>
          <p className="popover-title">Speaker</p>
          {speakers.map((speaker) => (
            <Checkbox
              key={speaker}
              label={SPEAKERS[speaker]}
              checked={filter.speakers.includes(speaker)}
              onChange={(on) => set({ speakers: toggle(speakers, filter.speakers, speaker, on) })}
            />
          ))}
          <p className="popover-title">State</p>
          {states.map((state) => (
            <Checkbox
              key={state}
              label={ROW_STATES[state]}
              checked={filter.states.includes(state)}
              onChange={(on) => set({ states: toggle(states, filter.states, state, on) })}
            />
          ))}
          <p className="hint">
            {chosen > 0 ? (
              <>
                {rows.count} of {rows.total} rows{' '}
                <Link onClick={() => set({ speakers: [], states: [] })}>Show all</Link>
              </>
            ) : (
              'Nothing ticked: everything is shown.'
            )}
          </p>
        </Popover>
      )}
    </>
  );
}
