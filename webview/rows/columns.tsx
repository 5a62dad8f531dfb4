import { type CSSProperties, useSyncExternalStore } from 'react';
import { useInspector, useView } from '../state/context';
import { count, standingWord } from '../words';
import type { Columns } from './row';

const NARROW = '(max-width: 700px)';

function subscribe(listener: () => void): () => void {
  if (typeof matchMedia === 'undefined') return () => undefined;
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** True when two columns do not fit: a narrow panel, or a high zoom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => typeof matchMedia !== 'undefined' && matchMedia(NARROW).matches);
}

function Model() {
  const standing = useView((view) => view.projection.standing);
  const word = useView((view) => standingWord(view.projection));
  return (
    <>
      What the model sees
      <span className="column-standing" data-standing={standing}>
        {word}
      </span>
    </>
  );
}

/** The names of the columns; where only one fits, the switch between them. */
export function ColumnNames({ columns, index }: { readonly columns: Columns; readonly index: CSSProperties }) {
  const { setSide } = useInspector();
  const messages = useView((view) => view.messages);
  if (columns === 'both') {
    return (
      <div className="column-names" style={index}>
        <div className="index" />
        <div className="column-name">
          Raw<span className="num">{count(messages.raw, 'message')}</span>
        </div>
        <div className="column-name model">
          <Model />
          <span className="num">{count(messages.projected, 'message')}</span>
        </div>
      </div>
    );
  }
  return (
    <div className="column-names alone" role="group" aria-label="Column">
      <button type="button" aria-pressed={columns === 'raw'} onClick={() => setSide('raw')}>
        Raw
      </button>
      <button type="button" aria-pressed={columns === 'projected'} onClick={() => setSide('projected')}>
        What the model sees
      </button>
      <span className="num">{count(columns === 'raw' ? messages.raw : messages.projected, 'message')}</span>
    </div>
  );
}
