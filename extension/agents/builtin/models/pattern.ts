/** What `{{name}}` in a pattern or a text stands for. */
export type Bindings = Readonly<Record<string, string>>;

/** Finds a pattern in a text; `{{name}}` matches anything, as little as possible (at the end: the rest of the line). Null: not there. */
export function matchPattern(pattern: string, text: string): Bindings | null {
  const names: string[] = [];
  const pieces = pattern.split(/\{\{(\w+)\}\}/);
  const source = pieces.map((piece, index) => {
    if (index % 2 === 0) return escapePattern(piece);
    names.push(piece);
    return index === pieces.length - 2 && pieces.at(-1) === '' ? '(.+)' : '(.+?)';
  });
  const found = new RegExp(source.join('')).exec(text);
  if (found === null) return null;
  return Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
}

/** Puts what was found in the place of `{{name}}`; a name that is not known stays as it is. */
export function fillPattern(text: string, bindings: Bindings): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => bindings[name] ?? whole);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
