import type { JsonObject } from '../../../engine/transcript/message';
import { readWhole, writeWhole } from './file';
import { countOf, requireText } from './text';
import { fail, succeed, textOf } from './tool';
import type { Tool } from './tool';

export const editFileTool: Tool = {
  description: {
    name: 'edit_file',
    description:
      'Replaces one piece of text in a file of the workspace. `old_text` must be in the file exactly once, unless `all` is true. A person is asked first.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Path from the workspace folder.' },
        old_text: { type: 'string', minLength: 1, description: 'The text to replace, exactly as in the file.' },
        new_text: { type: 'string', description: 'What comes in its place.' },
        all: { type: 'boolean', description: 'Replace every occurrence.' },
      },
      required: ['path', 'old_text', 'new_text'],
      additionalProperties: false,
    },
  },
  asks: true,
  title: (input) => `Edit ${textOf(input, 'path')}`,
  scope: () => 'edit_file',
  async run(input, { workspace, files }) {
    const place = await workspace.resolve(textOf(input, 'path'));
    return files.hold(async () => {
      const before = requireText((await readWhole(place)).content, place.relative);
      const edit = edited(before, place.relative, input);
      if (typeof edit === 'string') return fail(edit);
      await writeWhole(place, edit.content);
      files.wrote(place.absolute, edit.content);
      return succeed(`Edited ${place.relative} (${countOf(edit.count, 'replacement')}).`);
    });
  },
};

/** The new content, or why there is none. */
function edited(before: string, path: string, input: JsonObject): { content: Uint8Array; count: number } | string {
  const [old, fresh] = inLineEnds(before, textOf(input, 'old_text'), textOf(input, 'new_text'));
  const pieces = before.split(old);
  const count = pieces.length - 1;
  if (count === 0) return `The text to replace is not in ${path}. Read the file again: it may have changed.`;
  if (count > 1 && input.all !== true) {
    return `The text to replace is in ${path} ${count} times. Give more of the lines around it, or set \`all\`.`;
  }
  if (old === fresh) return '`old_text` and `new_text` are the same; nothing to do.';
  return { content: new TextEncoder().encode(pieces.join(fresh)), count };
}

/** Models write line feeds; in a file with Windows line ends the same text has those. */
function inLineEnds(file: string, old: string, fresh: string): [string, string] {
  if (file.includes(old) || !file.includes('\r\n')) return [old, fresh];
  const convert = (text: string): string => text.replace(/\r?\n/g, '\r\n');
  return [convert(old), convert(fresh)];
}
