import { commands, env, UIKind, Uri, window } from 'vscode';
import type { SessionEntry } from '../entry';
import { noOwnSession, noSession, notAFile, nothingToReveal } from '../errors';
import { viewId } from '../names';
import { chooseFiles, pick } from '../prompts';
import { selectedOf, stringOf } from './parts';
import type { CommandParts, Handlers } from './parts';

type Names =
  | 'openInspector'
  | 'showSessions'
  | 'chooseSession'
  | 'newSession'
  | 'startSampleSession'
  | 'chooseModel'
  | 'sendMessage'
  | 'stop'
  | 'openSessionFile'
  | 'refreshSessions'
  | 'revealSessionFile'
  | 'copySessionId'
  | 'deleteSession'
  | 'forgetSessionFile';

/** Choosing, beginning, opening and ending sessions. */
export function sessionCommands(parts: CommandParts): Handlers<Names> {
  const { sessions, inspector, actions, work } = parts;

  /** The session that a command is about: the one of the tree's line, else the selected one. */
  const entryOf = (argument: unknown): SessionEntry => {
    const key = stringOf(argument, 'key') ?? sessions.selected?.key;
    const entry = key === undefined ? undefined : sessions.entry(key);
    if (!entry) throw noSession();
    return entry;
  };
  return {
    openInspector: async (argument) => {
      const key = stringOf(argument, 'key');
      inspector.open();
      if (key !== undefined) await sessions.select(key);
    },
    showSessions: () => commands.executeCommand(`${viewId('sessions')}.focus`),
    chooseSession: async () => {
      const key = await pick(
        sessions.entries.map((entry) => ({
          label: entry.title,
          description: entry.problem ?? entry.status ?? '',
          detail: entry.file,
          value: entry.key,
        })),
        'Choose Session',
      );
      if (key === undefined) return;
      inspector.open();
      await sessions.select(key);
    },
    newSession: async () => {
      await work.newSession();
    },
    startSampleSession: async () => {
      await work.startSample();
    },
    chooseModel: () => work.chooseModel(selectedOf(parts)),
    sendMessage: async () => {
      const { inspected } = selectedOf(parts);
      const text = await window.showInputBox({
        title: 'Send Message',
        prompt: `To ${inspected.view.agent}, in “${inspected.view.title}”`,
        placeHolder: 'Message the agent',
      });
      if (text !== undefined && text.trim() !== '') await actions.send(inspected, text);
    },
    stop: async (argument) => {
      const key = stringOf(argument, 'key');
      const session = key === undefined ? selectedOf(parts) : sessions.openSessions.find((each) => each.key === key);
      const loop = session && parts.loopOf(session);
      if (!loop) throw noOwnSession();
      await loop.stop();
    },
    openSessionFile: async (argument) => {
      const given = argument instanceof Uri ? [argument] : await chooseFiles();
      const files = (given ?? []).map((uri) => {
        if (uri.scheme !== 'file') throw notAFile();
        return uri.fsPath;
      });
      await work.openFiles(files);
    },
    refreshSessions: () => sessions.refresh(),
    revealSessionFile: async (argument) => {
      const { file } = entryOf(argument);
      if (file === '') throw nothingToReveal();
      // Where VS Code has no desktop (a server in the browser), an editor is the next best thing.
      if (env.uiKind === UIKind.Desktop) await commands.executeCommand('revealFileInOS', Uri.file(file));
      else await commands.executeCommand('vscode.open', Uri.file(file));
    },
    copySessionId: async (argument) => env.clipboard.writeText(entryOf(argument).id),
    deleteSession: async (argument) => {
      const entry = entryOf(argument);
      const remove = 'Delete';
      const answer = await window.showWarningMessage(
        `Delete the session “${entry.title}”?`,
        {
          modal: true,
          detail:
            'Its log goes to the trash where there is one, else it is kept beside as a file that ends in .removed.',
        },
        remove,
      );
      if (answer === remove) await work.deleteSession(entry.key, entry.id, entry.file);
    },
    forgetSessionFile: (argument) => {
      const entry = entryOf(argument);
      return work.forgetFile(entry.key, entry.file);
    },
  };
}
