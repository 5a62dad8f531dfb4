import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Memento } from 'vscode';
import { Emitter } from '../../session/disposable';
import type { InspectedSession } from '../../session/inspected';
import type { Listing, SessionEntry, Source } from '../entry';
import type { OpenClaude } from './claude';

const filesKey = 'openedFiles';

export function fileKey(file: string): string {
  return `file:${file}`;
}

/** Session files that were opened by hand; remembered until they are taken off the list. */
export class FilesSource implements Source {
  readonly group = 'files';
  private readonly changed: Emitter<void>;
  private readonly problems = new Map<string, string>();

  constructor(
    private readonly memento: Memento,
    private readonly openClaude: OpenClaude,
    onError: (error: unknown) => void,
  ) {
    this.changed = new Emitter(onError);
  }

  get onDidChange(): Emitter<void>['event'] {
    return this.changed.event;
  }

  get files(): readonly string[] {
    return this.memento.get<readonly string[]>(filesKey, []);
  }

  /** Takes files into the list at once; settles when VS Code has written it down, which may take it seconds. */
  async add(files: readonly string[]): Promise<void> {
    for (const file of files) this.problems.delete(file);
    await this.memento.update(filesKey, [...new Set([...this.files, ...files])]);
  }

  async forget(file: string): Promise<void> {
    this.problems.delete(file);
    await this.memento.update(
      filesKey,
      this.files.filter((each) => each !== file),
    );
  }

  async list(): Promise<Listing> {
    const entries = await Promise.all(this.files.map((file) => this.entry(file)));
    return { entries, problems: [], where: [] };
  }

  async open(entry: SessionEntry): Promise<InspectedSession> {
    try {
      const session = await this.openClaude(entry.file);
      this.problems.delete(entry.file);
      return session;
    } catch (error) {
      this.problems.set(entry.file, error instanceof Error ? error.message : String(error));
      this.changed.fire();
      throw error;
    }
  }

  /** A file as the list shows it. */
  async entry(file: string): Promise<SessionEntry> {
    const found = await stat(file).then(
      (stats) => ({ modified_ms: stats.mtimeMs, missing: false }),
      () => ({ modified_ms: null, missing: true }),
    );
    const missing = found.missing
      ? `${file} cannot be found or may not be read. Put it back, or remove it from the list.`
      : null;
    return {
      key: fileKey(file),
      group: 'files',
      id: basename(file, extname(file)),
      file,
      title: basename(file),
      status: null,
      modified_ms: found.modified_ms,
      parent: null,
      problem: missing ?? this.problems.get(file) ?? null,
    };
  }

  dispose(): void {
    this.changed.dispose();
  }
}
