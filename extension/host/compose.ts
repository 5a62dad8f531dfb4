import { homedir } from 'node:os';
import { setImmediate as pause } from 'node:timers/promises';
import { Uri, workspace } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { BuiltinSessions } from '../agents/builtin/sessions';
import { claudeConfigDir } from '../agents/claudeCode/find';
import { maskSecrets } from '../engine/rows/mask';
import { createSha256 } from '../io/hash';
import type { SessionDeps } from '../session/deps';
import type { Disposable } from '../session/disposable';
import { newId } from '../session/ids';
import { Inspection } from '../session/inspection';
import { SessionStore } from '../session/store';
import type { InspectedSession } from '../session/inspected';
import { AgentActions, hostOf } from './actions';
import { Attachments } from './attachments';
import { Documents } from './documents';
import { FileRules } from './fileRules';
import { FollowedFiles } from './followedFiles';
import { Inspector } from './inspector';
import { KeptViews } from './keptViews';
import { createLog, createReport } from './log';
import type { Report } from './log';
import { Models } from './models';
import { Sessions } from './sessions';
import { respectSignatures, setting } from './settings';
import { ClaudeSource } from './sources/claude';
import { FilesSource } from './sources/files';
import { ClaudeOpener } from './sources/openClaude';
import { OwnSource } from './sources/own';
import { logsFolder } from './storage';
import { Watcher } from './watcher';
import { Work } from './work';

/** Everything that lives as long as the extension, made once and handed to whoever needs it. */
export interface Parts extends Disposable {
  readonly log: LogOutputChannel;
  readonly report: Report;
  readonly sessions: Sessions;
  readonly own: OwnSource;
  readonly claude: ClaudeSource;
  readonly inspector: Inspector;
  readonly actions: AgentActions;
  readonly work: Work;
  readonly followedFiles: FollowedFiles;
}

export function compose(context: ExtensionContext): Parts {
  const log = createLog();
  const report = createReport(log, maskSecrets);
  const onError = (error: unknown): void => report.quietly(error, 'finish what was going on');
  const now = (): number => Date.now();
  const folders = (): readonly string[] =>
    (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const trusted = (): boolean => workspace.isTrusted;

  const logs = logsFolder(context);
  const deps: SessionDeps = {
    now,
    newId,
    createHash: createSha256,
    onError,
    get defaults() {
      return { policy: setting('policy'), respect_provider_signatures: respectSignatures() };
    },
  };
  const store = new SessionStore(logs, deps);
  const models = new Models(context.workspaceState);
  const views = new KeptViews(context.workspaceState, onError);
  const documents = new Documents();
  const watcher = new Watcher(onError);
  const rules = new FileRules();

  const builtin = new BuiltinSessions({
    store,
    models: () => null,
    fileEvents: watcher.onDidHear,
    focus: watcher.onDidFocus,
    denied: rules.denies,
    widened: rules.includes,
    fileChanges: rules.enabled,
    onError,
  });
  const own = new OwnSource(builtin, store, models, logs, onError);
  const opener = new ClaudeOpener(store, now, () => setting('contextWindow') || null);
  const configDir = (): string => setting('claudeConfigDir') || claudeConfigDir(process.env, homedir());
  const claude = new ClaudeSource(folders, configDir, opener.open, now, onError);
  const files = new FilesSource(context.workspaceState, opener.open, onError);
  const sessions = new Sessions([own, claude, files], context.workspaceState, report);

  // The inspector and the actions know of each other only through these two.
  const seen = (): boolean => inspector.visible;
  const ensureModel: Work['ensureModel'] = (session, loop) => work.ensureModel(session, loop);
  const actions = new AgentActions((session) => own.loopOf(session), ensureModel, trusted, seen, report);
  const inspector = new Inspector(
    context.extensionUri,
    sessions,
    (post) =>
      new Inspection({
        createHash: createSha256,
        onError,
        policy: setting('policy'),
        respect_provider_signatures: respectSignatures(),
        post,
        pause,
        schedule: (later: () => void) => {
          const timer = setTimeout(later, 16);
          return { dispose: () => clearTimeout(timer) };
        },
        actions,
        host: hostOf(documents),
        recall: views.recall,
        keep: views.keep,
      }),
    report,
  );
  const sample = {
    from: Uri.joinPath(context.extensionUri, 'media', 'sample').fsPath,
    to: context.globalStorageUri.fsPath,
  };
  const work = new Work(sessions, inspector, own, files, models, sample);
  const followLoop = (inspected: InspectedSession): Disposable => {
    const loop = own.loopOf(inspected);
    if (!loop) return { dispose: () => undefined };
    const tell = (): void => {
      if (sessions.selected?.inspected === inspected) inspector.fail(loop.view.error);
    };
    const following = [actions.follow(loop), loop.onDidChange(tell), sessions.onDidSelect(tell)];
    return { dispose: () => following.forEach((each) => each.dispose()) };
  };
  sessions.onDidSelect((session) => log.info(session ? `Shown: ${session.key}` : 'No session is shown'));
  // Another window may have written this session's log, or let go of it, while this one was behind.
  watcher.onDidFocus(() => {
    for (const { inspected } of sessions.openSessions) inspected.session.catchUp().catch(onError);
  });
  const loops = new Attachments(sessions, ({ inspected }) => followLoop(inspected), report);
  const followedFiles = new FollowedFiles({ sessions, watcher, opener, rules, report });

  const owned: readonly Disposable[] = [inspector, loops, followedFiles, actions, sessions, watcher, documents, log];
  return {
    log,
    report,
    sessions,
    own,
    claude,
    inspector,
    actions,
    work,
    followedFiles,
    dispose: () => owned.forEach((part) => part.dispose()),
  };
}
