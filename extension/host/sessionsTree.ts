import {
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import type { DataTransfer, TreeDataProvider, TreeDragAndDropController, TreeView } from 'vscode';
import type { Disposable } from '../session/disposable';
import { groups } from './entry';
import type { Group, SessionEntry } from './entry';
import type { Report } from './log';
import { commandId, viewId } from './names';
import type { ItemKind } from './names';
import type { Sessions } from './sessions';
import { relativeTime, statusWords } from './words';

/** A line of the tree; commands on it get it as their argument. */
export type SessionNode = { readonly group: Group } | { readonly key: string };

const groupTitles: Readonly<Record<Group, string>> = {
  own: 'Own agent',
  claude: 'Claude Code',
  files: 'Opened files',
};

/** How often "5 min ago" is put right while the view is seen. */
const minute = 60_000;

/** The *Sessions* view. */
export class SessionsTree implements TreeDataProvider<SessionNode>, TreeDragAndDropController<SessionNode>, Disposable {
  readonly dropMimeTypes = ['text/uri-list'];
  readonly dragMimeTypes: string[] = [];
  private readonly changed = new EventEmitter<SessionNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly nodes = new Map<string, SessionNode>();
  private readonly view: TreeView<SessionNode>;
  private readonly subscriptions: Disposable[];
  private ticking: NodeJS.Timeout | undefined;
  private entries = new Map<string, SessionEntry>();
  private parents = new Set<string | null>();
  private shown = '';

  constructor(
    private readonly sessions: Sessions,
    private readonly openFiles: (files: readonly string[]) => Promise<void>,
    private readonly report: Report,
  ) {
    this.view = window.createTreeView(viewId('sessions'), { treeDataProvider: this, dragAndDropController: this });
    this.subscriptions = [
      this.view,
      this.changed,
      sessions.onDidChangeEntries(() => this.update()),
      this.view.onDidChangeVisibility(({ visible }) => this.tick(visible)),
    ];
    this.tick(this.view.visible);
    this.update();
  }

  getChildren(node?: SessionNode): SessionNode[] {
    const entries = [...this.entries.values()];
    if (!node) {
      return groups
        .filter((group) => entries.some((entry) => entry.group === group))
        .map((group) => this.node(group, { group }));
    }
    const below = entries.filter((entry) =>
      'group' in node ? entry.group === node.group && entry.parent === null : entry.parent === node.key,
    );
    return below.map((entry) => this.node(entry.key, { key: entry.key }));
  }

  getParent(node: SessionNode): SessionNode | undefined {
    if ('group' in node) return undefined;
    const entry = this.entries.get(node.key);
    if (!entry) return undefined;
    return entry.parent === null
      ? this.node(entry.group, { group: entry.group })
      : this.node(entry.parent, { key: entry.parent });
  }

  getTreeItem(node: SessionNode): TreeItem {
    if ('group' in node) {
      const item = new TreeItem(groupTitles[node.group], TreeItemCollapsibleState.Expanded);
      item.id = `group:${node.group}`;
      return item;
    }
    const entry = this.entries.get(node.key);
    if (!entry) return new TreeItem('This session is gone');
    return this.item(entry, this.parents.has(entry.key));
  }

  async handleDrop(_target: SessionNode | undefined, transfer: DataTransfer): Promise<void> {
    const list = await transfer.get('text/uri-list')?.asString();
    const lines = (list ?? '').split(/\r?\n/u).filter((line) => line !== '' && !line.startsWith('#'));
    try {
      await this.openFiles(lines.map((line) => Uri.parse(line).fsPath));
    } catch (error) {
      this.report(error, 'open the file that was dropped');
    }
  }

  dispose(): void {
    this.tick(false);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private item(entry: SessionEntry, parent: boolean): TreeItem {
    const item = new TreeItem(entry.title, parent ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
    const selected = this.sessions.selected?.key === entry.key;
    const status = entry.status === null ? null : statusWords[entry.status];
    const time = entry.modified_ms === null ? null : relativeTime(entry.modified_ms, Date.now());
    const words = [selected ? 'shown' : null, entry.problem === null ? (status?.word ?? null) : 'cannot be read', time];
    item.id = entry.key;
    item.description = words.filter((word) => word !== null).join(' · ');
    item.contextValue = itemKind(entry);
    item.iconPath =
      entry.problem !== null
        ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
        : new ThemeIcon(status?.icon ?? 'circle-outline', status?.color ? new ThemeColor(status.color) : undefined);
    item.tooltip = new MarkdownString().appendText(
      [entry.title, item.description, entry.file, entry.problem].filter(Boolean).join('\n'),
    );
    item.accessibilityInformation = {
      label: [entry.title, groupTitles[entry.group], ...words, entry.problem].filter(Boolean).join(', '),
    };
    item.command = { command: commandId('openInspector'), title: 'Open Inspector', arguments: [{ key: entry.key }] };
    return item;
  }

  /** The same object for the same thing, so that VS Code keeps what is expanded and selected. */
  private node(id: string, made: SessionNode): SessionNode {
    const known = this.nodes.get(id) ?? made;
    this.nodes.set(id, known);
    return known;
  }

  /** Draws anew when something that is seen here changed; a running agent tells of much else. */
  private update(): void {
    const { entries, problems, where, listed, selected } = this.sessions;
    const shown = JSON.stringify([entries, problems, where, listed, selected?.key]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.entries = new Map(entries.map((entry) => [entry.key, entry]));
    this.parents = new Set(entries.map(({ parent }) => parent));
    const empty = listed && entries.length === 0 && where.length > 0 ? `Looked for ${where.join(', ')}.` : '';
    this.view.message = [...problems, empty].filter((line) => line !== '').join(' ');
    this.changed.fire(undefined);
  }

  private tick(visible: boolean): void {
    clearInterval(this.ticking);
    this.ticking = visible ? setInterval(() => this.changed.fire(undefined), minute) : undefined;
  }
}

function itemKind(entry: SessionEntry): ItemKind {
  if (entry.problem !== null) return 'problem';
  if (entry.group === 'files') return 'openedFile';
  if (entry.group === 'claude') return 'followedSession';
  return entry.status === 'running' ? 'runningSession' : 'ownSession';
}
