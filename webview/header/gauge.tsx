import { useView } from '../state/context';
import { figure, percent } from '../words';

const TICKS = [0.7, 0.85, 0.95];

/** How full the context is, and whose figure that is. */
export function Gauge() {
  const usage = useView((view) => view.usage);
  if (!usage) return null;
  const { tokens, window, source } = usage;
  if (window === null) {
    return (
      <span className="gauge-line num" title={`context in use, ${source}`}>
        {figure(tokens)} tokens <span className="quiet">{source}</span>
      </span>
    );
  }
  const share = Math.min(1, tokens / window);
  const passed = TICKS.filter((tick) => share >= tick).length;
  return (
    <span className="gauge-line num" title={`context in use, ${source}`}>
      <span className="gauge-figures">
        {figure(tokens)} / {figure(window)}
      </span>
      <span
        className="gauge"
        data-passed={passed}
        role="meter"
        aria-label="Context in use"
        aria-valuemin={0}
        aria-valuemax={window}
        aria-valuenow={Math.min(tokens, window)}
        aria-valuetext={`${percent(tokens, window)}, ${source}`}
      >
        <i style={{ width: `${share * 100}%` }} />
        {TICKS.map((tick) => (
          <b key={tick} style={{ left: `${tick * 100}%` }} />
        ))}
      </span>
      <span>{percent(tokens, window)}</span>
      <span className="quiet">{source}</span>
    </span>
  );
}
