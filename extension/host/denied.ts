import { sep } from 'node:path';
import { matchGlobs } from '../agents/files/globs';
import { excludedFiles, setting } from './settings';

/** Which files are never named to a model, by the settings as they were last read. */
export class Denied {
  private matches = read();

  /** True for a path (relative to its workspace folder) that must not be named. */
  readonly denies = (path: string): boolean => this.matches(path.split(sep).join('/'));

  renew(): void {
    this.matches = read();
  }
}

function read(): (path: string) => boolean {
  return matchGlobs([...setting('fileChanges.deny'), ...excludedFiles()]);
}
