import type { FileChange } from '../state/state';

/** How many paths a reminder about a burst names. */
const shown = 3;

/** A path between backticks, its control characters written out, so that it stays on its line. */
function showPath(path: string): string {
  const clean = path.replace(/[\p{Cc}\u2028\u2029`]/gu, (char) => `\\u${hexOf(char)}`);
  return `\`${clean}\``;
}

function hexOf(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(4, '0');
}

/** What is said of one changed file: the path, at most how many lines, and never who or what did it. */
export function changeBody(path: string, change: FileChange): string {
  const name = showPath(path);
  switch (change.kind) {
    case 'created':
      return `${name} was created on disk since it was last looked at. Read it before editing it.`;
    case 'deleted':
      return `${name} was deleted from disk since it was last read. Do not count on its earlier content.`;
    case 'renamed':
      return `${name} was renamed to ${showPath(change.to ?? '')} on disk since it was last read. Read it again under its new path before editing it.`;
    case 'changed': {
      const { lines_changed: lines } = change;
      const size = lines === null ? '' : ` (${String(lines)} ${lines === 1 ? 'line' : 'lines'})`;
      return `${name} changed on disk${size} since it was last read. Read it again before editing it.`;
    }
  }
}

const order: readonly FileChange['kind'][] = ['changed', 'created', 'deleted', 'renamed'];

/** What is said of many files at once: how many, by kind, and the first few paths. */
export function burstBody(changes: readonly (readonly [string, FileChange])[]): string {
  const counts = order.flatMap((kind) => {
    const count = changes.filter(([, change]) => change.kind === kind).length;
    return count === 0 ? [] : [`${String(count)} ${kind}`];
  });
  const names = changes.slice(0, shown).map(([path]) => showPath(path));
  return (
    `${String(changes.length)} files are not on disk as they were when last read (${counts.join(', ')}), ` +
    `among them ${names.join(', ')}. Read a file again before editing it.`
  );
}
