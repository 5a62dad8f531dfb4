import { findClaudeSessions } from '../../../../extension/agents/claudeCode/find';
import { openClaudeSession } from '../../../../extension/agents/claudeCode/sessionFile';
import { FileError } from '../../../../extension/io/fileError';

/** Finds sessions as whoever runs this, opens each, and prints what came of it. */
const [config = '', folder = ''] = process.argv.slice(2);

const { sessions, problems } = await findClaudeSessions(config, folder, Date.now());
for (const { file } of sessions) (await openClaudeSession(file)).dispose();
const denied = problems.filter(({ code }) => code === 'no_permission');
for (const { file } of denied.filter(({ file }) => file.endsWith('.jsonl'))) {
  const refused: unknown = await openClaudeSession(file).catch((error: unknown) => error);
  if (!(refused instanceof FileError) || refused.code !== 'no_permission') throw new Error(`${file} was opened`);
}
process.stdout.write(
  JSON.stringify({
    titles: sessions.map(({ title }) => title),
    problems: problems.map(({ code, file, message }) => [code, file, message]),
  }),
);
