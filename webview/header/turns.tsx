import type { KeyboardEvent } from 'react';
import { useInspector, useView } from '../state/context';
import { Chip } from '../ui/chip';
import { IconButton } from '../ui/iconButton';
import { Link } from '../ui/link';
import { figure } from '../words';

const LOWEST = 0.15;

/** Goes back in time, turn by turn. */
export function Turns() {
  const { act } = useInspector();
  const { count, shown, verified, first, bars } = useView((view) => view.turn);
  if (count === 0) return <span className="turns quiet">no turn yet</span>;
  const at = shown ?? count;
  const go = (turn: number | null): void => {
    const to = turn === null || turn > count ? null : Math.max(1, turn);
    if (to !== shown) act('set_turn', { turn: to });
  };
  const highest = Math.max(1, ...bars.map(({ tokens }) => tokens));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: shown === null ? null : at + 1,
      ArrowUp: shown === null ? null : at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: 1,
      End: null,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <span className="turns">
      <IconButton icon="chevron-left" label="Previous turn" disabled={at <= 1} onClick={() => go(at - 1)} />
      <span
        className="turn-slider"
        role="slider"
        aria-label="Turn"
        tabIndex={0}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at}
        aria-valuetext={shown === null ? `turn ${count} of ${count}, the present` : `turn ${at} of ${count}`}
        onKeyDown={onKeyDown}
      >
        {bars.map((bar, index) => {
          const turn = first + index;
          return (
            <i
              key={turn}
              data-on={turn === at ? '' : undefined}
              data-cut={bar.diverged ? '' : undefined}
              title={`turn ${turn}: ${figure(bar.tokens)} tokens${bar.diverged ? ', the prefix broke here' : ''}`}
              onClick={() => go(turn)}
            >
              <b style={{ height: `${Math.max(LOWEST, bar.tokens / highest) * 100}%` }} />
            </i>
          );
        })}
      </span>
      <IconButton icon="chevron-right" label="Next turn" disabled={shown === null} onClick={() => go(at + 1)} />
      <span className="num">
        turn {figure(at)} of {figure(count)}
      </span>
      {shown !== null && verified === true && (
        <Chip tone="ok" icon="verified" title="Rebuilt from the log; its hash is the recorded one.">
          verified
        </Chip>
      )}
      {shown !== null && verified === false && (
        <Chip tone="bad" icon="warning" title="What was rebuilt does not hash to what was recorded.">
          not what was recorded
        </Chip>
      )}
      {shown !== null && <Link onClick={() => go(null)}>Back to the present</Link>}
    </span>
  );
}
