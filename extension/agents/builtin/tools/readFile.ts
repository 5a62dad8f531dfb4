import type { Whole } from './file';
import { readWhole } from './file';
import { OUTPUT_CHARACTERS, cutText, requireText, splitLines } from './text';
import { MissingFile } from './fault';
import { fail, integerOf, succeed, textOf } from './tool';
import type { FileNotes, Tool } from './tool';
import type { Place } from './workspace';

const LINES = 2000;

export const readFileTool: Tool = {
  description: {
    name: 'read_file',
    description:
      'Reads a text file of the workspace. Long files come in parts: `offset` is the first line wanted, from 1, `limit` how many lines.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Path from the workspace folder.' },
        offset: { type: 'integer', minimum: 1, description: 'First line, from 1.' },
        limit: { type: 'integer', minimum: 1, maximum: LINES, description: `Lines, at most ${LINES}.` },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  asks: false,
  title: (input) => `Read ${textOf(input, 'path')}`,
  scope: () => '',
  async run(input, { workspace, files }) {
    const place = await workspace.resolve(textOf(input, 'path'));
    const { content } = await files.hold(() => readAndNote(place, files));
    const text = requireText(content, place.relative);
    if (text === '') return succeed(`${place.relative} is empty.`);
    const lines = splitLines(text);
    const first = integerOf(input, 'offset', 1);
    if (first > lines.length) return fail(`${place.relative} has only ${lines.length} lines.`);
    return part(place.relative, lines, first, integerOf(input, 'limit', LINES), text.endsWith('\n'));
  },
};

async function readAndNote(place: Place, files: FileNotes): Promise<Whole> {
  try {
    const whole = await readWhole(place);
    files.read(place.absolute, whole.content, whole.mtime_ms);
    return whole;
  } catch (error) {
    if (error instanceof MissingFile) files.missed(place.absolute);
    throw error;
  }
}

function part(path: string, lines: readonly string[], first: number, limit: number, ends: boolean) {
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(first - 1, first - 1 + limit)) {
    size += line.length + 1;
    if (size > OUTPUT_CHARACTERS && shown.length > 0) break;
    shown.push(line);
  }
  const last = first - 1 + shown.length;
  const whole = first === 1 && last === lines.length;
  const joined = shown.join('\n') + (ends || last < lines.length ? '\n' : '');
  const body = cutText(joined, OUTPUT_CHARACTERS);
  const cut = body.length < joined.length;
  if (whole && !cut) return succeed(body);
  const more = last < lines.length ? ` Go on with offset ${last + 1}.` : '';
  const inside = cut ? ' A line was too long and was cut.' : '';
  return succeed(
    `${body}\n[Lines ${first} to ${last} of ${lines.length} of ${path}.${more}${inside}]`,
    cut || last < lines.length,
  );
}
