import { RelativePattern, Uri, window, workspace } from 'vscode';
import type { FileEvent } from '../agents/files/watch';
import type { Disposable } from '../session/disposable';
import { Emitter } from '../session/disposable';

/**
 * VS Code's file events, as hints: one recursive watcher a folder, shared by all sessions that work in it, and gone
 * with the last of them.
 */
export class Watcher implements Disposable {
  private readonly folders = new Map<string, { uses: number; readonly watching: readonly Disposable[] }>();
  private readonly events: Emitter<FileEvent>;
  private readonly focused: Emitter<void>;
  private readonly listening: readonly Disposable[];

  constructor(onError: (error: unknown) => void) {
    this.events = new Emitter(onError);
    this.focused = new Emitter(onError);
    this.listening = [
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.focused.fire();
      }),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          if (oldUri.scheme !== 'file' || newUri.scheme !== 'file') continue;
          this.events.fire({ path: oldUri.fsPath, kind: 'renamed', to: newUri.fsPath });
        }
      }),
    ];
  }

  get onDidHear(): Emitter<FileEvent>['event'] {
    return this.events.event;
  }

  /** The window came to the front: time to look at the files themselves. */
  get onDidFocus(): Emitter<void>['event'] {
    return this.focused.event;
  }

  /** Watches a folder until what is returned is disposed of. */
  watch(folder: string): Disposable {
    const known = this.folders.get(folder);
    const entry = known ?? { uses: 0, watching: this.begin(folder) };
    entry.uses++;
    this.folders.set(folder, entry);
    let done = false;
    return {
      dispose: () => {
        if (done) return;
        done = true;
        if (--entry.uses > 0) return;
        this.folders.delete(folder);
        for (const each of entry.watching) each.dispose();
      },
    };
  }

  dispose(): void {
    for (const { watching } of this.folders.values()) for (const each of watching) each.dispose();
    this.folders.clear();
    for (const each of this.listening) each.dispose();
    this.events.dispose();
    this.focused.dispose();
  }

  private begin(folder: string): readonly Disposable[] {
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(folder), '**/*'));
    const tell =
      (kind: 'created' | 'changed' | 'deleted') =>
      ({ fsPath }: Uri): void =>
        this.events.fire({ path: fsPath, kind });
    return [
      watcher,
      watcher.onDidCreate(tell('created')),
      watcher.onDidChange(tell('changed')),
      watcher.onDidDelete(tell('deleted')),
    ];
  }
}
