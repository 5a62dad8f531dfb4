import { EventEmitter, MarkdownString, ThemeIcon, TreeItem, window } from 'vscode';
import type { TreeDataProvider, TreeView } from 'vscode';
import type { Directive, Hold } from '../engine/rows/row';
import type { Disposable } from '../session/disposable';
import { viewId } from './names';
import type { Sessions } from './sessions';
import { counted, firstLine } from './words';

/** A line of the tree; commands on it get it as their argument. */
export interface DirectiveNode {
  readonly reminder_id: string;
}

const holds: Readonly<Record<Hold, string>> = {
  no_user_turn: 'waits for a message of yours',
  unanswered_calls: 'waits for results',
  same_text_in_force: 'the same text is still in force',
  no_route: 'no way into this agent yet',
  waits_for_seam: 'goes with the next request',
};

/** Which directives still wait. */
export function pendingDirectives(directives: readonly Directive[]): readonly Directive[] {
  return directives.filter((directive) => directive.state === 'queued' || directive.state === 'pending');
}

/** Delivered: it can no longer be taken back, only corrected. */
export function isDelivered({ state }: Directive): boolean {
  return state === 'delivered' || state === 'seen';
}

/** The *Pending directives* view: those of the selected session. */
export class DirectivesTree implements TreeDataProvider<DirectiveNode>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: TreeView<DirectiveNode>;
  private readonly subscriptions: Disposable[];
  private shown: readonly Directive[] = [];

  constructor(private readonly sessions: Sessions) {
    this.view = window.createTreeView(viewId('directives'), { treeDataProvider: this });
    this.subscriptions = [
      this.view,
      this.changed,
      sessions.onDidSelect(() => this.update()),
      sessions.onDidChangeSelected(() => this.update()),
    ];
    this.update();
  }

  getChildren(node?: DirectiveNode): DirectiveNode[] {
    return node ? [] : this.shown.map(({ reminder_id }) => ({ reminder_id }));
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(node: DirectiveNode): TreeItem {
    const directive = this.shown.find(({ reminder_id }) => reminder_id === node.reminder_id);
    if (!directive) return new TreeItem('This directive no longer waits');
    const item = new TreeItem(firstLine(directive.body));
    const life = directive.ttl_turns === null ? 'no end' : counted(directive.ttl_turns, 'turn');
    const hold = directive.hold === null ? directive.state : holds[directive.hold];
    item.id = directive.reminder_id;
    item.description = `${directive.authority} · ${life} · ${hold}`;
    item.iconPath = new ThemeIcon(directive.fire_turn === null ? 'mail' : 'zap');
    item.tooltip = new MarkdownString().appendText(`${directive.body}\n\n${item.description}`);
    item.contextValue = ['directive', directive.can_fire && 'fire', directive.can_revoke && 'revoke']
      .filter(Boolean)
      .join(' ');
    item.accessibilityInformation = { label: `${directive.body}, ${item.description}` };
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(): void {
    const { selected } = this.sessions;
    const shown = selected ? pendingDirectives(selected.inspected.session.directives()) : [];
    if (JSON.stringify(shown) === JSON.stringify(this.shown)) return;
    this.shown = shown;
    this.view.badge =
      this.shown.length === 0
        ? undefined
        : { value: this.shown.length, tooltip: `${counted(this.shown.length, 'directive')} pending` };
    this.changed.fire(undefined);
  }
}
