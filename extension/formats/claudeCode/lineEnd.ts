const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** True when nothing but the line end is between the end of a record and the next line. */
export function endsAt(bytes: Uint8Array, end: number, next: number): boolean {
  return bytes[next - 1] === NEWLINE && (next === end + 1 || (next === end + 2 && bytes[end] === RETURN));
}

/** True when there is no record between two places. */
export function isBlankLine(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i]!;
    if (c !== 0x20 && c !== 0x09 && c !== RETURN && c !== NEWLINE) return false;
  }
  return true;
}
