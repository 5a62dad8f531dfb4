import type { SessionStatus } from '../protocol/view';

/** "just now", "5 min ago", "3 h ago", "2 days ago", else the date. */
export function relativeTime(then_ms: number, now_ms: number): string {
  const minutes = Math.floor((now_ms - then_ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  if (days < 30) return days === 1 ? 'yesterday' : `${days} days ago`;
  return new Date(then_ms).toISOString().slice(0, 10);
}

/** Each status as a word, an icon of VS Code's, and the colour that goes with it. */
export const statusWords: Readonly<Record<SessionStatus, { word: string; icon: string; color: string | null }>> = {
  running: { word: 'running', icon: 'circle-filled', color: 'testing.iconPassed' },
  idle: { word: 'idle', icon: 'circle-outline', color: null },
  ended: { word: 'ended', icon: 'circle-slash', color: 'disabledForeground' },
  failed: { word: 'failed', icon: 'error', color: 'testing.iconFailed' },
};

/** "1 turn", "2 turns". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first line of a text, cut at a whole character. */
export function firstLine(text: string, characters = 80): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const all = [...line];
  return all.length > characters ? `${all.slice(0, characters - 1).join('')}…` : line;
}

/** A name that any file may have, with this ending once. */
export function fileName(name: string, ending: string): string {
  const plain = name.replaceAll(/[^\w.#-]+/gu, ' ').trim() || 'text';
  return plain.endsWith(`.${ending}`) ? plain : `${plain}.${ending}`;
}
