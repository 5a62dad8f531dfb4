import { StatusBarAlignment, window } from 'vscode';
import type { StatusBarItem } from 'vscode';
import type { Disposable } from '../session/disposable';
import type { InspectedSession } from '../session/inspected';
import { pendingDirectives } from './directivesTree';
import { commandId, prefix } from './names';
import type { Sessions } from './sessions';
import { counted, firstLine } from './words';

/** How much of the context is in use, as last reported; null where nothing was. */
export function contextInUse(session: InspectedSession): number | null {
  const reader = session.lanes[0] && session.reader(session.lanes[0].id);
  return reader && reader.messages > 0 ? reader.usageAt(reader.messages - 1) : null;
}

/** The one item in the status bar: context in use and directives pending of the selected session. */
export class Status implements Disposable {
  private readonly item: StatusBarItem = window.createStatusBarItem(`${prefix}.status`, StatusBarAlignment.Right, 90);
  private readonly subscriptions: Disposable[];

  constructor(private readonly sessions: Sessions) {
    this.item.name = 'Transcript Inspector';
    this.item.command = commandId('openInspector');
    this.subscriptions = [
      this.item,
      sessions.onDidSelect(() => this.update()),
      sessions.onDidChangeSelected(() => this.update()),
    ];
    this.update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(): void {
    const { selected } = this.sessions;
    if (!selected) return this.item.hide();
    const { inspected } = selected;
    const tokens = contextInUse(inspected);
    const pending = pendingDirectives(inspected.session.directives()).length;
    const words = [this.context(tokens, inspected.window), `${pending} pending`].filter((word) => word !== null);
    const inWords = [
      inspected.view.title,
      tokens === null
        ? 'context in use: not reported'
        : `context in use: ${tokens.toLocaleString('en')}${inspected.window === null ? '' : ` of ${inspected.window.toLocaleString('en')}`} tokens, as reported`,
      `${counted(pending, 'directive')} pending`,
    ];
    this.item.text = `$(inspect) ${words.join(' · ')}`;
    this.item.tooltip = `${inWords.join('\n')}\nOpens the inspector`;
    this.item.accessibilityInformation = {
      label: `Transcript Inspector: ${firstLine(inWords.join(', '), 200)}`,
      role: 'button',
    };
    this.item.show();
  }

  private context(tokens: number | null, size: number | null): string | null {
    if (tokens === null) return null;
    return size === null ? `${Math.round(tokens / 1000)}k tokens` : `${Math.round((100 * tokens) / size)} %`;
  }
}
