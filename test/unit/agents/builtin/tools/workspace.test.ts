import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../folder';
import type { Row } from './checkTool';
import { callTool, checkTool } from './checkTool';

describe('paths never lead outside', () => {
  const escapes: readonly { name: string; path: string; files?: Row['files']; says?: string }[] = [
    { name: 'up', path: '../x' },
    { name: 'up from below', path: 'd/../../x', files: { 'd/a': '' } },
    { name: 'up, written with a missing folder', path: 'missing/../../x' },
    { name: 'absolute', path: '/etc/hostname' },
    { name: 'the root', path: '/' },
    { name: 'a link to a file', path: 'l', files: { l: { to: '/etc/hostname' } } },
    { name: 'a link to a folder', path: 'l/hostname', files: { l: { to: '/etc' } } },
    { name: 'a link up', path: 'l/x', files: { l: { to: '..' } } },
    { name: 'a link to a link', path: 'k/hostname', files: { l: { to: '/etc' }, k: { to: 'l' } } },
    { name: 'a new file behind a linked folder', path: 'l/new/deep.txt', files: { l: { to: '/tmp' } } },
    { name: 'a link that leads nowhere', path: 'l', files: { l: { to: '/nowhere/x' } }, says: 'leads nowhere' },
    { name: 'a circle of links', path: 'l', files: { l: { to: 'l' } }, says: 'circle' },
    { name: 'a NUL character', path: 'a\0b', says: 'NUL' },
  ];
  for (const tool of ['read_file', 'write_file', 'edit_file', 'list_files', 'search']) {
    for (const { name, path, files, says } of escapes) {
      const extra =
        { write_file: { content: 'x' }, edit_file: { old_text: 'a', new_text: 'b' }, search: { text: 'a' } }[tool] ??
        {};
      checkTool({
        name: `${tool}: ${name}`,
        ...(files === undefined ? {} : { files }),
        tool,
        input: { path, ...extra },
        failed: true,
        contains: [says ?? 'outside the workspace folder'],
        notes: [],
      });
    }
  }

  test('a folder whose name begins alike is outside', async () => {
    const root = await makeFolder({ 'ws/a': '', 'ws-other/secret': 'secret' });
    const { result } = await callTool(join(root, 'ws'), { tool: 'read_file', input: { path: '../ws-other/secret' } });
    expect(result).toMatchObject({ failed: true });
    expect(result.text).toContain('outside');
  });

  checkTool({
    name: 'a name with dots is inside',
    files: { '..a': 'x' },
    tool: 'read_file',
    input: { path: '..a' },
    text: 'x',
  });

  test('an absolute path inside is taken', async () => {
    const root = await makeFolder({ 'a.txt': 'x' });
    const { result } = await callTool(root, { tool: 'read_file', input: { path: join(root, 'a.txt') } });
    expect(result.text).toBe('x');
  });

  test('a workspace reached over a link', async () => {
    const root = await makeFolder({ 'real/a.txt': 'x', link: { to: 'real' } });
    const { result } = await callTool(join(root, 'link'), { tool: 'read_file', input: { path: 'a.txt' } });
    expect(result.text).toBe('x');
  });
});
