import { commands, env, Uri, window } from 'vscode';
import type { QuickPickItem } from 'vscode';
import type { AgentLoop } from '../agents/builtin/loop';
import { decideRevoke } from '../engine/reminders/bridge';
import { previewFireNow } from '../engine/reminders/fireNow';
import type { Directive } from '../engine/rows/row';
import type { ReminderForm } from '../protocol';
import type { Disposable } from '../session/disposable';
import type { Inspection } from '../session/inspection';
import type { AgentActions } from './actions';
import { filteredOut, noDirective, noOwnSession, noSession, notAFile, nothingToReveal, outOfRange } from './errors';
import type { Inspector } from './inspector';
import type { Report } from './log';
import { commandId, commandNames, viewId } from './names';
import type { CommandName } from './names';
import type { OpenSession, Sessions } from './sessions';
import type { Work } from './work';
import { counted, firstLine } from './words';

/** What the commands work on. */
export interface CommandParts {
  readonly sessions: Sessions;
  readonly inspector: Inspector;
  readonly actions: AgentActions;
  readonly work: Work;
  readonly loopOf: (session: OpenSession) => AgentLoop | null;
  readonly showLog: () => void;
  readonly report: Report;
}

type Handler = (argument: unknown) => unknown;

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
  const handlers = handlersOf(parts);
  const registered = commandNames.map((name) =>
    commands.registerCommand(commandId(name), async (argument: unknown) => {
      try {
        return await handlers[name](argument);
      } catch (error) {
        return parts.report(error, doing[name]);
      }
    }),
  );
  return { dispose: () => registered.forEach((each) => each.dispose()) };
}

function handlersOf(parts: CommandParts): Readonly<Record<CommandName, Handler>> {
  const { sessions, inspector, actions, work } = parts;

  /** The session that a command is about: the one of the tree's line, else the selected one. */
  const entryOf = (argument: unknown): { key: string; id: string; file: string; title: string } => {
    const key = stringOf(argument, 'key') ?? sessions.selected?.key;
    const entry = key === undefined ? undefined : sessions.entry(key);
    if (!entry) throw noSession();
    return entry;
  };
  const selected = (): OpenSession => {
    if (!sessions.selected) throw noSession();
    return sessions.selected;
  };
  const opened = (): Inspection => {
    selected();
    return inspector.open();
  };
  const tab = (name: 'transcript' | 'directives' | 'lifecycle') => (): void => {
    opened();
    inspector.wish({ type: 'tab', tab: name });
  };
  /** The directive of the tree's line, else one that the person picks among those that allow it. */
  const directiveOf = async (
    argument: unknown,
    what: 'revoke' | 'fire' | 'correct',
  ): Promise<Directive | undefined> => {
    const all = selected().inspected.session.directives();
    const given = stringOf(argument, 'reminder_id');
    if (given !== undefined) return all.find(({ reminder_id }) => reminder_id === given);
    const allowed = all.filter((directive) => allows(directive, what));
    if (allowed.length === 0) throw noDirective(what);
    return pick(
      allowed.map((directive) => ({
        label: firstLine(directive.body),
        description: `${directive.authority} · ${directive.state}`,
        value: directive,
      })),
      { revoke: 'Revoke Directive', fire: 'Fire Directive Now', correct: 'Correct Directive' }[what],
    );
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
    chooseModel: () => work.chooseModel(selected()),
    sendMessage: async () => {
      const { inspected } = selected();
      const text = await window.showInputBox({
        title: 'Send Message',
        prompt: `To ${inspected.view.agent}, in “${inspected.view.title}”`,
        placeHolder: 'Message the agent',
      });
      if (text !== undefined && text.trim() !== '') await actions.send(inspected, text);
    },
    stop: async (argument) => {
      const key = stringOf(argument, 'key');
      const session = key === undefined ? selected() : sessions.openSessions.find((each) => each.key === key);
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
      if (env.uiKind === 1) await commands.executeCommand('revealFileInOS', Uri.file(file));
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
    choosePolicy: async () => {
      const inspection = opened();
      const { policies, projection } = inspection.view;
      const policy = await pick(
        policies.map(({ name, description }) => ({
          label: name,
          description: name === projection.policy ? 'shown now' : '',
          detail: description,
          value: name,
        })),
        'Choose Policy',
      );
      if (policy === undefined) return;
      const options = policy === projection.policy ? projection.options : {};
      await inspection.request('set_policy', { policy, options });
    },
    applyPolicy: () => opened().request('apply_policy', {}),
    chooseLane: async () => {
      const inspection = opened();
      const lane = await pick(
        inspection.view.lanes.map((each) => ({
          label: each.label,
          description: counted(each.messages, 'message'),
          value: each.id,
        })),
        'Choose Branch',
      );
      if (lane !== undefined) await inspection.request('set_lane', { lane });
    },
    writeReminder: () => {
      opened();
      inspector.wish({ type: 'tab', tab: 'directives' });
      inspector.wish({ type: 'focus', target: 'form' });
    },
    revokeDirective: async (argument) => {
      const directive = await directiveOf(argument, 'revoke');
      if (!directive) return;
      selected().inspected.session.decide((state) => decideRevoke(state, directive.reminder_id));
    },
    fireDirective: async (argument) => {
      const directive = await directiveOf(argument, 'fire');
      if (!directive) return;
      const { inspected } = selected();
      const { turn, starts_turn, others } = previewFireNow(inspected.session.state, directive.reminder_id);
      const fire = 'Fire Now';
      const along = others === 0 ? '' : ` ${counted(others, 'other directive')} go${others === 1 ? 'es' : ''} along.`;
      const detail = `It is delivered in turn ${turn}.${starts_turn ? ' The session is idle: this starts the turn.' : ''}${along}`;
      const answer = await window.showInformationMessage(
        `Fire “${firstLine(directive.body)}” now?`,
        { modal: true, detail },
        fire,
      );
      if (answer === fire) await actions.fire(inspected, directive.reminder_id);
    },
    correctDirective: async (argument) => {
      const directive = await directiveOf(argument, 'correct');
      if (!directive) return;
      const body = await window.showInputBox({
        title: 'Correct Directive',
        prompt: `The agent was told: ${firstLine(directive.body)}`,
        placeHolder: 'What it should know instead',
      });
      if (body !== undefined && body.trim() !== '') await opened().request('remind', correction(body, directive));
    },
    goToTurn: async () => {
      const inspection = opened();
      const { count } = inspection.view.turn;
      const turn = await askNumber('Go to Turn', `1 to ${count}; empty: the present`, 1, count);
      if (turn !== undefined) await inspection.request('set_turn', { turn });
    },
    goToMessage: async () => {
      const inspection = opened();
      const last = inspection.view.messages.raw - 1;
      const message = await askNumber('Go to Message', `0 to ${last}`, 0, last);
      if (message === undefined || message === null) return;
      const { row } = await inspection.request('locate', { message });
      if (row === null) throw filteredOut();
      inspector.wish({ type: 'tab', tab: 'transcript' });
      inspector.wish({ type: 'reveal', row });
    },
    find: () => {
      opened();
      inspector.wish({ type: 'tab', tab: 'transcript' });
      inspector.wish({ type: 'focus', target: 'search' });
    },
    showTranscript: tab('transcript'),
    showDirectives: tab('directives'),
    showLifecycle: tab('lifecycle'),
    copyPrefixHash: () => opened().request('copy', { what: 'hash' }),
    showIssues: () => opened().request('open', { what: 'issues' }),
    showLog: parts.showLog,
  };
}

function allows(directive: Directive, what: 'revoke' | 'fire' | 'correct'): boolean {
  if (what === 'revoke') return directive.can_revoke;
  if (what === 'fire') return directive.can_fire;
  return isDelivered(directive);
}

/** Delivered: it can no longer be taken back, only corrected. */
export function isDelivered({ state }: Directive): boolean {
  return state === 'delivered' || state === 'seen';
}

/** A directive that corrects another: for the model a correction, for one turn, beside the one that stays in history. */
function correction(body: string, wrong: Directive): ReminderForm {
  return {
    body,
    tags: ['correction'],
    dedupe_key: null,
    ttl_turns: wrong.ttl_turns ?? 1,
    preserve_on_compact: false,
    propagate: wrong.propagate,
    authority: 'corrective',
    role_hint: wrong.role_hint,
    mode: 'finish_step',
  };
}

function stringOf(argument: unknown, key: string): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const value: unknown = (argument as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
}

async function pick<T>(items: readonly (QuickPickItem & { value: T })[], title: string): Promise<T | undefined> {
  const item = await window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  return item?.value;
}

/** A number within bounds; null: left empty; undefined: gave up. */
async function askNumber(
  title: string,
  prompt: string,
  least: number,
  most: number,
): Promise<number | null | undefined> {
  const what = least === 1 ? 'turn' : 'message';
  const valid = (text: string): boolean => /^\d+$/u.test(text) && Number(text) >= least && Number(text) <= most;
  const text = await window.showInputBox({
    title,
    prompt,
    validateInput: (value) => (value.trim() === '' || valid(value.trim()) ? undefined : outOfRange(what, most).message),
  });
  if (text === undefined) return undefined;
  return text.trim() === '' ? null : Number(text.trim());
}

async function chooseFiles(): Promise<Uri[] | undefined> {
  return window.showOpenDialog({
    title: 'Open Session File',
    openLabel: 'Open',
    canSelectMany: true,
    filters: { 'Session files': ['jsonl'], 'All files': ['*'] },
  });
}
