import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the parts of one window have said. */
export interface WindowLogs {
  /** VS Code's extension host. */
  readonly extensionHost: string;
  /** The extension's own output channel. */
  readonly extension: string;
  /** The server that VS Code runs in. */
  readonly server: string;
  /** The browser's console. */
  readonly console: string;
}

/** Reads the logs of a window, from VS Code's folder of logs and from what was collected. */
export async function readLogs(userData: string, server: string, consoleLines: readonly string[]): Promise<WindowLogs> {
  const files = (await namesBelow(join(userData, 'logs'))).sort();
  const read = async (wanted: RegExp) => {
    const texts = await Promise.all(files.filter((file) => wanted.test(file)).map((file) => readFile(file, 'utf8')));
    return texts.join('\n');
  };
  return {
    extensionHost: await read(/\/exthost\d*\/remoteexthost\.log$/),
    extension: await read(/Transcript Inspector\.log$/),
    server,
    console: consoleLines.join('\n'),
  };
}

async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
