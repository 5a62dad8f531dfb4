import { useEffect, useRef } from 'react';
import { useInspector, useWindow } from '../state/context';
import { useStore } from '../state/store';
import { IconButton } from '../ui/iconButton';
import { figure } from '../words';
import type { SearchState } from './search';

function resultOf({ query, text, status, matches, position, wrapped, fault }: SearchState): string {
  if (fault !== null) return fault;
  if (query === '' || text !== query) return '';
  if (status === 'searching') return 'searching…';
  if (matches === 0) return 'no match';
  return `${figure(position)} of ${figure(matches)}${wrapped ? ', from the start' : ''}`;
}

/** Enter goes to the next match, Shift+Enter to the one before, Escape clears. */
export function SearchBox() {
  const { search } = useInspector();
  const state = useStore(search.state);
  const focus = useWindow((window) => window.focus);
  const input = useRef<HTMLInputElement>(null);
  const result = resultOf(state);

  useEffect(() => {
    if (focus?.target !== 'search') return;
    input.current?.focus();
    input.current?.select();
  }, [focus]);

  return (
    <span className="search" role="search">
      <span className="search-field">
        <input
          ref={input}
          type="search"
          placeholder="Search"
          aria-label="Search"
          value={state.text}
          onChange={(event) => search.write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search.go(event.shiftKey);
            else if (event.key === 'Escape') search.clear();
            else return;
            event.preventDefault();
          }}
        />
        <span className="search-result num" role="status" data-none={result === 'no match' ? '' : undefined}>
          {result}
        </span>
      </span>
      {state.query !== '' && (
        <>
          <IconButton icon="arrow-up" label="Previous match" onClick={() => search.go(true)} />
          <IconButton icon="arrow-down" label="Next match" onClick={() => search.go(false)} />
        </>
      )}
    </span>
  );
}
