import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from './file';
import { countOf, splitLines } from './text';
import { systemFault } from './fault';
import { succeed, textOf } from './tool';
import type { Tool } from './tool';

export const writeFileTool: Tool = {
  description: {
    name: 'write_file',
    description: 'Writes a text file of the workspace, new or in place of the old one. A person is asked first.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Path from the workspace folder.' },
        content: { type: 'string', description: 'The whole content.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
  asks: true,
  title: (input) => `Write ${textOf(input, 'path')} (${countOf(splitLines(textOf(input, 'content')).length, 'line')})`,
  scope: () => 'write_file',
  async run(input, { workspace, files }) {
    const given = textOf(input, 'path');
    const place = await workspace.resolve(given);
    const content = new TextEncoder().encode(textOf(input, 'content'));
    try {
      await mkdir(dirname(place.absolute), { recursive: true });
    } catch (error) {
      throw systemFault(error, given);
    }
    // Folders were made meanwhile: look again, so that none of them is a link that leads outside.
    const again = await workspace.resolve(given);
    await files.hold(async () => {
      await writeWhole(again, content);
      files.wrote(again.absolute, content);
    });
    return succeed(`Wrote ${again.relative} (${countOf(content.byteLength, 'byte')}).`);
  },
};
