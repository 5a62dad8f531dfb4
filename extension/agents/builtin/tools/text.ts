import { ToolFault } from './fault';

/** Longest output of a tool that a model is shown, in UTF-16 units. */
export const OUTPUT_CHARACTERS = 40_000;

/** Largest file that is read or edited as a whole, in bytes. */
export const FILE_BYTES = 8 * 1024 * 1024;

/** Cuts a text at `limit` UTF-16 units, never inside a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** The end of a text, at most `limit` UTF-16 units, never beginning inside a character. */
export function cutStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - limit;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

/** The text of a file, byte order mark included; null: it is not UTF-8 text. */
export function decodeText(content: Uint8Array): string | null {
  if (content.subarray(0, 8192).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The same, for a file that must be text. */
export function requireText(content: Uint8Array, path: string): string {
  const text = decodeText(content);
  if (text === null) {
    throw new ToolFault(
      `${path} is no UTF-8 text (${content.byteLength} bytes); it cannot be shown or edited as text.`,
    );
  }
  return text;
}

export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
