import { succeed, textOf } from './tool';
import type { Tool } from './tool';
import { walk } from './walk';

const ENTRIES = 500;

export const listFilesTool: Tool = {
  description: {
    name: 'list_files',
    description:
      'Lists files and folders of the workspace, with everything below. Folders end with a slash; .git and node_modules are left out.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Folder to list, from the workspace folder; absent: all of it.' },
      },
      required: [],
      additionalProperties: false,
    },
  },
  asks: false,
  title: (input) => `List ${textOf(input, 'path') || 'the workspace'}`,
  scope: () => '',
  async run(input, { workspace, signal }) {
    const place = await workspace.resolve(textOf(input, 'path'));
    const lines: string[] = [];
    for await (const found of walk(place, signal)) {
      if (lines.length === ENTRIES) {
        lines.push(`[More than ${ENTRIES} entries: only the first are listed. Give the path of a folder.]`);
        return succeed(lines.join('\n'), true);
      }
      lines.push(found.path + MARKS[found.kind]);
    }
    return succeed(lines.length === 0 ? `${place.relative} is empty.` : lines.join('\n'));
  },
};

const MARKS = { file: '', folder: '/', link: ' (symbolic link)', other: ' (no ordinary file)' } as const;
