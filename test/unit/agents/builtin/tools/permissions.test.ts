import { expect, test } from 'vitest';
import { dispatch } from '../../../../../extension/agents/builtin/dispatch';
import { Permissions } from '../../../../../extension/agents/builtin/permissions';
import { tools } from '../../../../../extension/agents/builtin/tools';
import type { FileNotes } from '../../../../../extension/agents/builtin/tools/tool';
import { openWorkspace } from '../../../../../extension/agents/builtin/tools/workspace';
import { makeFolder } from '../folder';

test('"always" covers the tool, and of commands this very one', async () => {
  const root = await makeFolder();
  const asked: string[] = [];
  const permissions = new Permissions('s', () => {
    for (const view of permissions.views) {
      asked.push(view.title);
      permissions.answer(view.id, true, true);
    }
  });
  const files: FileNotes = {
    read: () => undefined,
    wrote: () => undefined,
    missed: () => undefined,
    hold: (action) => action(),
    during: (action) => action(),
  };
  const context = { workspace: await openWorkspace(root), files, signal: new AbortController().signal };
  const inputs: readonly [string, object][] = [
    ['write_file', { path: 'a', content: '' }],
    ['write_file', { path: 'b', content: '' }],
    ['run_command', { command: 'true' }],
    ['run_command', { command: 'true' }],
    ['run_command', { command: 'true ' }],
  ];
  for (const [name, input] of inputs) {
    await dispatch(
      { id: 'c', name, input },
      { tools, permissions, context, answered: () => undefined, started: () => undefined, onError: () => undefined },
    );
  }
  expect(asked).toEqual(['Write a (0 lines)', 'Run true', 'Run true ']);
  expect(() => permissions.answer('s:c', true, false)).toThrow('does not wait');
});
