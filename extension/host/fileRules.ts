import { sep } from 'node:path';
import { matchGlobs } from '../agents/files/globs';
import { excludedFiles, setting } from './settings';

type Matches = (path: string) => boolean;

/** Which files are never named to a model and which are watched unread, by the settings as they were last read. */
export class FileRules {
  private denied: Matches = () => true;
  private included: Matches = () => false;

  constructor() {
    this.renew();
  }

  /** True for a path (relative to its workspace folder) that must not be named. */
  readonly denies = (path: string): boolean => this.denied(path.split(sep).join('/'));

  /** True for a path that is watched though no agent has read it. */
  readonly includes = (path: string): boolean => this.included(path.split(sep).join('/'));

  readonly enabled = (): boolean => setting('fileChanges.enabled');

  renew(): void {
    this.denied = matchGlobs([...setting('fileChanges.deny'), ...excludedFiles()]);
    this.included = matchGlobs(setting('fileChanges.include'));
  }
}
