import { randomUUID } from 'node:crypto';
import { commands, Uri, window, workspace } from 'vscode';
import type { TextDocumentContentProvider } from 'vscode';
import type { Disposable } from '../session/disposable';
import { documentScheme } from './names';
import { fileName } from './words';

/** A text to show in an editor of its own. `language` is a file ending: `json`, `md`, `txt`. */
export interface Document {
  readonly name: string;
  readonly text: string;
  readonly language: string;
}

/** How many texts are held for editors that are open or may be asked for again. */
const held = 60;

/** Read-only documents of the inspector, in VS Code's own editors. Their addresses carry ids, never the text. */
export class Documents implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = workspace.registerTextDocumentContentProvider(documentScheme, this);
  private readonly closing = workspace.onDidCloseTextDocument((document) => {
    if (document.uri.scheme === documentScheme) this.texts.delete(document.uri.authority);
  });

  provideTextDocumentContent(uri: Uri): string {
    return (
      this.texts.get(uri.authority) ??
      'This text is no longer held, since the window was reloaded. Open it again from the inspector.\n'
    );
  }

  async showDiff(title: string, left: Document, right: Document): Promise<void> {
    await commands.executeCommand('vscode.diff', this.hold(left), this.hold(right), title, { preview: true });
  }

  async show(document: Document): Promise<void> {
    await window.showTextDocument(this.hold(document), { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.closing.dispose();
    this.texts.clear();
  }

  private hold(document: Document): Uri {
    const id = randomUUID();
    this.texts.set(id, document.text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= held) break;
      this.texts.delete(oldest);
    }
    return Uri.from({
      scheme: documentScheme,
      authority: id,
      path: `/${fileName(document.name, ending(document.language))}`,
    });
  }
}

function ending(language: string): string {
  const endings: Readonly<Record<string, string>> = { json: 'json', markdown: 'md', plaintext: 'txt' };
  return endings[language] ?? (/^[a-z]{1,8}$/u.test(language) ? language : 'txt');
}
