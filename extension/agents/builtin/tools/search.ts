import { stat } from 'node:fs/promises';
import { readWhole } from './file';
import { FILE_BYTES, countOf, cutText, decodeText } from './text';
import { ToolFault, systemFault } from './fault';
import { succeed, textOf } from './tool';
import type { Tool } from './tool';
import type { Found } from './walk';
import { walk } from './walk';
import type { Place, Workspace } from './workspace';

const MATCHES = 200;
const FILES = 5000;
const LINE_CHARACTERS = 240;

export const searchTool: Tool = {
  description: {
    name: 'search',
    description:
      'Finds the lines of the workspace that hold a text, as `path:line: text`. The text is plain, no pattern. .git, node_modules and files that are no text are left out.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, description: 'The text to find.' },
        path: {
          type: 'string',
          description: 'File or folder to look in, from the workspace folder; absent: all of it.',
        },
        ignore_case: { type: 'boolean', description: 'Take capital and small letters as the same.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  },
  asks: false,
  title: (input) => `Search for “${cutText(textOf(input, 'text'), 60)}”`,
  scope: () => '',
  async run(input, { workspace, signal }) {
    const text = textOf(input, 'text');
    if (/[\r\n]/.test(text)) throw new ToolFault('`text` must be within one line.');
    const fold = input.ignore_case === true;
    const wanted = fold ? text.toLowerCase() : text;
    const lines: string[] = [];
    let files = 0;
    for await (const found of filesIn(workspace, textOf(input, 'path'), signal)) {
      if (found.kind !== 'file') continue;
      if (files === FILES) return limited(lines, `Only the first ${FILES} files were searched; give a path.`);
      files += 1;
      for (const line of await matchesIn(found, wanted, fold)) {
        if (lines.length === MATCHES)
          return limited(lines, `More than ${MATCHES} matches; give a path or a longer text.`);
        lines.push(line);
      }
    }
    if (lines.length > 0) return succeed(lines.join('\n'));
    return succeed(`No line holds “${text}” (${countOf(files, 'file')} searched).`);
  },
};

function limited(lines: readonly string[], note: string) {
  return succeed([...lines, `[${note}]`].join('\n'), true);
}

async function* filesIn(workspace: Workspace, given: string, signal: AbortSignal): AsyncGenerator<Found> {
  const place = await workspace.resolve(given);
  if (await isFile(place)) yield { path: place.relative, absolute: place.absolute, kind: 'file' };
  else yield* walk(place, signal);
}

async function isFile(place: Place): Promise<boolean> {
  try {
    return (await stat(place.absolute)).isFile();
  } catch (error) {
    throw systemFault(error, place.relative);
  }
}

/** A file that cannot be read, is too big or is no text holds no match. */
async function matchesIn(file: Found, wanted: string, fold: boolean): Promise<readonly string[]> {
  const text = await readOrSkip(file);
  if (text === null || !(fold ? text.toLowerCase() : text).includes(wanted)) return [];
  const matches: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if ((fold ? line.toLowerCase() : line).includes(wanted)) {
      matches.push(`${file.path}:${index + 1}: ${cutText(line.trim(), LINE_CHARACTERS)}`);
    }
  }
  return matches;
}

async function readOrSkip(file: Found): Promise<string | null> {
  try {
    if ((await stat(file.absolute)).size > FILE_BYTES) return null;
    return decodeText((await readWhole({ absolute: file.absolute, relative: file.path })).content);
  } catch (error) {
    if (error instanceof ToolFault || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}
