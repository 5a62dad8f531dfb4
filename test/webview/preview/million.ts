import type { Row } from '../../../extension/protocol';
import type { RowSource } from '../support/host';
import { rowOf, sideOf, textBlock } from '../support/rows';

const LINES = [
  'The tests in test/parser fail since the last merge. Find out why and fix it.',
  'I will look at the tokenizer first: the escape handling changed there, and the parser counts on what it returns for a backslash at the end of a line, which is why only the raw strings fail.',
  'Done. The parser tests pass now.',
];

function at(row: number): Row {
  const kind = row % 4;
  const time_ms = 1_760_000_000_000 + row * 7000;
  if (kind === 0) return rowOf(row, { time_ms, raw: sideOf(textBlock(`${row}: ${LINES[row % LINES.length]}`)) });
  if (kind === 1) {
    const text = JSON.stringify({ file_path: `src/part${row}.ts`, offset: row % 900 });
    return rowOf(row, {
      time_ms,
      speaker: 'assistant',
      raw: sideOf({ kind: 'call', text, length: text.length, call_id: `c${row}`, name: 'Read' }),
    });
  }
  if (kind === 2) {
    const text = Array.from({ length: (row * 7) % 9 }, (_, line) => `${line + 1}  export const value${line} = ${row};`);
    const body = text.join('\n') || 'ok';
    return rowOf(row, {
      time_ms,
      speaker: 'result',
      raw: sideOf({
        kind: 'result',
        text: body,
        length: body.length,
        call_id: `c${row - 1}`,
        name: 'Read',
        failed: row % 12 === 2,
      }),
      ...(row % 12 === 2
        ? { state: 'hidden' as const, cause: { text: '`Read` failed here and succeeded later', message: row + 4 } }
        : {}),
    });
  }
  return rowOf(row, {
    time_ms,
    speaker: 'assistant',
    raw: sideOf(textBlock(`${row}: ${LINES[(row + 1) % LINES.length]}`)),
  });
}

/** Rows that are made when they are asked for. */
export const generatedRows = (count: number): RowSource => ({ count, at });
