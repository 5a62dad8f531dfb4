import { useCallback, useSyncExternalStore } from 'react';
import type { BlockPlace, OpenedBlock } from '../rows/opened';
import { useInspector } from '../state/context';
import { Link } from '../ui/link';
import { figure } from '../words';
import { Plain } from './plain';

interface LongProps {
  readonly place: BlockPlace;
  readonly text: string;
  /** Full length in characters. */
  readonly length: number;
  readonly code?: boolean;
  readonly failed?: boolean;
  readonly query: string;
  readonly tabIndex: number;
}

/** True when there is more than the preview. */
export function isCut(text: string, length: number): boolean {
  if (length <= text.length / 2) return false;
  return length > text.length || length > [...text].length;
}

export function useOpened(place: BlockPlace): OpenedBlock | undefined {
  const { opened } = useInspector().transcript;
  return useSyncExternalStore(
    opened.subscribe,
    useCallback(() => opened.get(place), [opened, place]),
  );
}

function soFar(shown: number, length: number): string {
  return length > shown
    ? `more, ${figure(shown)} of ${figure(length)} characters so far`
    : `more, ${figure(shown)} so far`;
}

/** Text that is cut at three lines until it is opened. Whether lines were cut is measured by the grid. */
export function Long({ place, text, length, code, failed, query, tabIndex }: LongProps) {
  const { transcript, act } = useInspector();
  const block = useOpened(place);
  const cut = isCut(text, length);
  const tone = `${code ? ' code' : ''}${failed ? ' failed' : ''}`;
  const onLink = code ? undefined : (url: string) => act('link', { url });
  if (!block) {
    return (
      <div className={`long${tone}`} data-cut={cut ? 'text' : undefined}>
        <div className="clamp">
          <Plain text={text} query={query} onLink={onLink} tabIndex={tabIndex} />
        </div>
        <button
          type="button"
          className="more"
          tabIndex={tabIndex}
          aria-expanded={false}
          onClick={(event) => {
            event.stopPropagation();
            transcript.opened.open(place, text, cut);
          }}
        >
          {cut ? `more, ${figure(length)} characters` : 'more'}
        </button>
      </div>
    );
  }
  return (
    <div className={`long open${tone}`}>
      <div className="whole">
        <Plain text={block.text} query={query} onLink={onLink} tabIndex={tabIndex} />
      </div>
      {block.fault && (
        <div className="fault" role="alert">
          {block.fault}
        </div>
      )}
      <div className="below">
        {block.next !== null && (
          <Link tabIndex={tabIndex} onClick={() => transcript.opened.more(place)}>
            {block.loading ? 'loading…' : soFar(block.text.length, length)}
          </Link>
        )}
        <Link tabIndex={tabIndex} onClick={() => transcript.opened.close(place)}>
          less
        </Link>
        <Link tabIndex={tabIndex} onClick={() => act('open', { what: 'side', key: place.key, side: place.side })}>
          open in editor
        </Link>
      </div>
    </div>
  );
}
