import type { KeyboardEvent } from 'react';

export interface TabItem<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly badge: number;
  /** What the badge counts, for those who hear it. */
  readonly counts?: string;
}

interface TabsProps<T extends string> {
  readonly items: readonly TabItem<T>[];
  readonly current: T;
  readonly onSelect: (tab: T) => void;
}

export const tabId = (id: string): string => `tab-${id}`;
export const panelId = (id: string): string => `panel-${id}`;

export function Tabs<T extends string>({ items, current, onSelect }: TabsProps<T>) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = items.findIndex((item) => item.id === current);
    const last = items.length - 1;
    const to =
      event.key === 'ArrowRight'
        ? at === last
          ? 0
          : at + 1
        : event.key === 'ArrowLeft'
          ? at === 0
            ? last
            : at - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? last
              : null;
    const next = to === null ? undefined : items[to];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(tabId(next.id))?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Parts of the inspector" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          id={tabId(item.id)}
          aria-selected={item.id === current}
          aria-controls={panelId(item.id)}
          aria-label={item.label}
          aria-description={item.badge > 0 ? `${item.badge} ${item.counts ?? ''}`.trim() : undefined}
          tabIndex={item.id === current ? 0 : -1}
          onClick={() => onSelect(item.id)}
        >
          {item.label}
          {item.badge > 0 && <span className="badge">{item.badge}</span>}
        </button>
      ))}
    </div>
  );
}
