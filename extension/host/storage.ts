import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { workspace } from 'vscode';
import type { ExtensionContext } from 'vscode';

/**
 * Where the logs of this workspace's sessions are. Below the extension's global storage and not the workspace's own: of
 * that VS Code hands out another one while a window that was closed hard is still being waited for, and sessions would
 * seem lost.
 */
export function logsFolder(context: ExtensionContext): string {
  const [folder] = workspace.workspaceFolders ?? [];
  const place = workspace.workspaceFile ?? folder?.uri;
  const name = place ? `${slug(place.path)}-${digest(String(place))}` : 'no-folder';
  return join(context.globalStorageUri.fsPath, 'sessions', name);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** A readable part, for people who look into the folder. */
function slug(path: string): string {
  return (
    basename(path)
      .replaceAll(/[^A-Za-z0-9]+/gu, '-')
      .slice(0, 40) || 'root'
  );
}
