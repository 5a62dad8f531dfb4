import { workspace } from 'vscode';
import type { ExtensionContext } from 'vscode';
import { registerChat } from './host/chat';
import { registerCommands } from './host/commands';
import { compose } from './host/compose';
import type { Parts } from './host/compose';
import { Context } from './host/context';
import { DirectivesTree } from './host/directivesTree';
import { onDidChangeSetting, setting } from './host/settings';
import { SessionsTree } from './host/sessionsTree';
import { start } from './host/start';
import { Status } from './host/status';
import type { Disposable } from './session/disposable';

/** What is registered, each by its name for the message when it fails; the others live on. */
const registrations: Readonly<Record<string, (parts: Parts) => Disposable>> = {
  commands: ({ sessions, inspector, actions, work, own, log, report }) =>
    registerCommands({
      sessions,
      inspector,
      actions,
      work,
      loopOf: ({ inspected }) => own.loopOf(inspected),
      showLog: () => log.show(),
      report,
    }),
  'the Sessions view': ({ sessions, work, report }) =>
    new SessionsTree(sessions, (files) => work.openFiles(files), report),
  'the Pending directives view': ({ sessions }) => new DirectivesTree(sessions),
  'the status bar item': ({ sessions }) => new Status(sessions),
  'the menus': ({ sessions, inspector, report }) => {
    const context = new Context(sessions, inspector, () => workspace.isTrusted, report);
    const trusting = workspace.onDidGrantWorkspaceTrust(() => context.update());
    return together([context, trusting]);
  },
  'the chat participant': ({ work }) => registerChat({ open: (id) => work.openForChat(id) }),
  'the workspace folders': ({ claude }) => workspace.onDidChangeWorkspaceFolders(() => claude.watch()),
  settings: ({ claude, followedFiles }) => {
    const changing = [
      onDidChangeSetting(['claudeConfigDir'], () => claude.watch()),
      onDidChangeSetting(['fileChanges.enabled', 'fileChanges.include', 'fileChanges.deny'], () =>
        followedFiles.renew(),
      ),
      workspace.onDidGrantWorkspaceTrust(() => followedFiles.renew()),
    ];
    return together(changing);
  },
};

function together(parts: readonly Disposable[]): Disposable {
  return {
    dispose: () => {
      for (const part of parts) part.dispose();
    },
  };
}

export function activate(context: ExtensionContext): void {
  const parts = compose(context);
  context.subscriptions.push(parts);
  for (const [name, register] of Object.entries(registrations)) {
    try {
      context.subscriptions.push(register(parts));
    } catch (error) {
      parts.report(error, `set up ${name}`);
    }
  }
  start(parts, setting('openOnStart')).catch((error: unknown) => parts.report(error, 'find the sessions'));
}
