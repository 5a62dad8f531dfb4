import { workspace } from 'vscode';
import type { Parts } from './compose';
import { setting } from './settings';

/**
 * What happens by itself: sessions are looked for, the one that was selected is selected again, and where the settings
 * say so the inspector opens, with a session that plays the workspace's scenario when there is none yet.
 */
export async function start({ sessions, inspector, work }: Parts, open: boolean): Promise<void> {
  await sessions.refresh();
  await sessions.restore();
  if (!open) return;
  inspector.open();
  if (sessions.selected) return;
  const [latest] = sessions.entries.filter((entry) => entry.problem === null);
  if (latest) await sessions.select(latest.key);
  else if (setting('scenario') !== '' && workspace.isTrusted) await work.startSample();
}
