import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeConfigDir, findClaudeSessions, watchClaudeSessions } from '../../../../extension/agents/claudeCode/find';
import type { Found } from '../../../../extension/agents/claudeCode/find';
import { buildChild, canDropRights } from '../../../support/child';
import { answer, call, fileOf, prompt, text, type TestRecord } from '../../../support/claudeLines';
import { temporaryFolder } from './support';

const NOW = Date.UTC(2026, 4, 1, 1);

function write(config: string, path: string, ...records: readonly (TestRecord | string)[]): string {
  const file = join(config, 'projects', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fileOf(...records));
  return file;
}

const at = (cwd: string): TestRecord => ({ cwd });
const titles = ({ sessions }: Found): (string | null)[] => sessions.map(({ title }) => title);

describe('claudeConfigDir', () => {
  it.each([
    { env: {}, dir: '/home/x/.claude' },
    { env: { CLAUDE_CONFIG_DIR: '' }, dir: '/home/x/.claude' },
    { env: { CLAUDE_CONFIG_DIR: '/etc/c' }, dir: '/etc/c' },
  ])('$env', ({ env, dir }) => expect(claudeConfigDir(env, '/home/x')).toBe(dir));
});

describe('findClaudeSessions', () => {
  it('goes by the folder in the records, whatever the folder of the file is called; newest first', async () => {
    const config = temporaryFolder();
    const folder = temporaryFolder();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    const old = write(config, 'some-slug/1.jsonl', prompt('a', null, 'Old one', at(folder)));
    write(config, 'other/2.jsonl', prompt('b', null, 'In a folder below', at(join(folder, 'src'))));
    write(config, 'other/3.jsonl', prompt('c', null, 'Elsewhere', at(`${folder}-2`)));
    write(config, 'other/notes.txt', 'nothing');
    write(config, 'other/agent-7.jsonl', prompt('d', null, 'A sub-agent', { ...at(folder), isSidechain: true }));
    utimesSync(old, 1000, 1000);
    expect(titles(await findClaudeSessions(config, folder, NOW))).toEqual(['In a folder below', 'Old one']);
    expect(titles(await findClaudeSessions(config, link, NOW))).toEqual(['In a folder below', 'Old one']);
    expect((await findClaudeSessions(config, join(folder, 'src'), NOW)).sessions).toHaveLength(1);
  });

  it('says what a session is, whether its agent works, and which sub-agents it had', async () => {
    const config = temporaryFolder();
    const folder = temporaryFolder();
    const now = Date.now();
    const fresh = { ...at(folder), timestamp: new Date(now).toISOString(), sessionId: 's-1' };
    const file = write(
      config,
      'slug/s-1.jsonl',
      { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
      prompt('m', null, '<command-name>/clear</command-name>', fresh),
      prompt('u', 'm', 'Dig a pond', fresh),
      answer('a', 'u', 'm1', call('c1'), fresh),
    );
    write(config, 'slug/s-1/subagents/agent-b7.jsonl', prompt('x', null, 'Buy fish', { ...fresh, isSidechain: true }));
    const { sessions, problems } = await findClaudeSessions(config, folder, now);
    expect(problems).toEqual([]);
    expect(sessions).toMatchObject([
      {
        file,
        session_id: 's-1',
        title: 'Dig a pond',
        cwd: folder,
        version: '2.1.20',
        state: 'running',
        subagents: [{ agent_id: 'b7', title: 'Buy fish' }],
      },
    ]);
    write(
      config,
      'slug/s-1.jsonl',
      prompt('u', null, 'Dig a pond', fresh),
      answer('a', 'u', 'm1', text('Dug.'), fresh),
      {
        type: 'custom-title',
        customTitle: 'The pond',
      },
    );
    expect((await findClaudeSessions(config, folder, now)).sessions).toMatchObject([
      { state: 'idle', title: 'The pond' },
    ]);
  });

  it.each([
    { name: 'no configuration folder at all', make: () => undefined },
    { name: 'broken files', make: (config: string) => write(config, 'slug/x.jsonl', '{"cwd":', '\u0000\n', 'null\n') },
    { name: 'an empty file', make: (config: string) => write(config, 'slug/x.jsonl') },
    { name: 'a file in place of a folder', make: (config: string) => write(config, 'slug', 'x') },
    { name: 'a folder in place of a file', make: (config: string) => write(config, 'slug/x.jsonl/y', 'x') },
  ])('$name: no sessions and no trouble', async ({ make }) => {
    const config = temporaryFolder();
    make(config);
    expect(await findClaudeSessions(config, '/home/someone/garden', NOW)).toEqual({ sessions: [], problems: [] });
  });

  it.runIf(canDropRights())('what may not be read is told, and the rest is found', async () => {
    const config = temporaryFolder();
    const folder = temporaryFolder();
    write(config, 'open/1.jsonl', prompt('a', null, 'Readable', at(folder)));
    const file = write(config, 'open/2.jsonl', prompt('b', null, 'A secret', at(folder)));
    const shut = dirname(write(config, 'shut/3.jsonl', prompt('c', null, 'Hidden', at(folder))));
    chmodSync(config, 0o755);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o600);
    chmodSync(shut, 0o700);
    const child = buildChild('test/unit/agents/claudeCode/find.child.ts');
    try {
      const { code, stdout, stderr } = await child.run([config, folder], { unprivileged: true });
      expect(stderr).toBe('');
      expect(code).toBe(0);
      const { titles: found, problems } = JSON.parse(stdout) as { titles: string[]; problems: string[][] };
      expect(found).toEqual(['Readable']);
      expect(problems.map(([reason, path]) => [reason, path])).toEqual([
        ['no_permission', file],
        ['no_permission', shut],
      ]);
      for (const [, path, message] of problems) expect(message).toContain(`no permission for this: ${path}. Ask`);
    } finally {
      child.dispose();
    }
  });
});

describe('watchClaudeSessions', () => {
  it('tells of a session in a folder that was not there before', async () => {
    const config = temporaryFolder();
    mkdirSync(join(config, 'projects'));
    await new Promise<void>((resolve) => {
      const watching = watchClaudeSessions(config, '/home/someone/garden', () => {
        watching.dispose();
        resolve();
      });
      write(config, 'slug/1.jsonl', prompt('a', null, 'New'));
    });
  });
});
