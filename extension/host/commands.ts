import { commands } from 'vscode';
import type { Disposable } from '../session/disposable';
import { directiveCommands } from './commands/directives';
import { inspectorCommands } from './commands/inspector';
import type { CommandParts, Handlers } from './commands/parts';
import { sessionCommands } from './commands/sessions';
import { commandId, commandNames } from './names';
import type { CommandName } from './names';

/** What each command does, in words for "Could not …". */
const doing: Readonly<Record<CommandName, string>> = {
  openInspector: 'open the inspector',
  showSessions: 'show the sessions',
  chooseSession: 'choose a session',
  newSession: 'begin a session',
  startSampleSession: 'start the sample session',
  chooseModel: 'choose a model',
  sendMessage: 'send the message',
  stop: 'stop the agent',
  openSessionFile: 'open the session file',
  refreshSessions: 'refresh the sessions',
  revealSessionFile: 'reveal the session file',
  copySessionId: 'copy the session id',
  deleteSession: 'delete the session',
  forgetSessionFile: 'remove the file from the list',
  choosePolicy: 'choose a policy',
  applyPolicy: 'apply the policy',
  chooseLane: 'choose a branch',
  writeReminder: 'open the form for a reminder',
  revokeDirective: 'revoke the directive',
  fireDirective: 'fire the directive',
  correctDirective: 'correct the directive',
  goToTurn: 'go to the turn',
  goToMessage: 'go to the message',
  find: 'search the transcript',
  showTranscript: 'show the transcript',
  showDirectives: 'show the directives',
  showLifecycle: 'show the lifecycle',
  copyPrefixHash: 'copy the prefix hash',
  showIssues: 'show what could not be read',
  showLog: 'show the log',
};

/** Registers every command; each reports its own errors. */
export function registerCommands(parts: CommandParts): Disposable {
  const handlers: Handlers<CommandName> = {
    ...sessionCommands(parts),
    ...directiveCommands(parts),
    ...inspectorCommands(parts),
  };
  const registered = commandNames.map((name) =>
    commands.registerCommand(commandId(name), async (argument: unknown) => {
      try {
        return await handlers[name](argument);
      } catch (error) {
        return parts.report(error, doing[name]);
      }
    }),
  );
  return {
    dispose: () => {
      for (const each of registered) each.dispose();
    },
  };
}
