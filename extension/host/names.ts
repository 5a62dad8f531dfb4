/** What every name of ours begins with, in the manifest and in the code. */
export const prefix = 'transcriptInspector';

/** Every command, without the prefix. The manifest has the same ones (a test compares). */
export const commandNames = [
  'openInspector',
  'showSessions',
  'chooseSession',
  'newSession',
  'startSampleSession',
  'chooseModel',
  'sendMessage',
  'stop',
  'openSessionFile',
  'refreshSessions',
  'revealSessionFile',
  'copySessionId',
  'deleteSession',
  'forgetSessionFile',
  'choosePolicy',
  'applyPolicy',
  'chooseLane',
  'writeReminder',
  'revokeDirective',
  'fireDirective',
  'correctDirective',
  'goToTurn',
  'goToMessage',
  'find',
  'showTranscript',
  'showDirectives',
  'showLifecycle',
  'copyPrefixHash',
  'showIssues',
  'showLog',
] as const;
export type CommandName = (typeof commandNames)[number];

/** Every setting, without the prefix, and the type of its value. */
export interface Settings {
  scenario: string;
  openOnStart: boolean;
  claudeConfigDir: string;
  policy: string;
  respectProviderSignatures: 'always' | 'per_turn' | 'never';
  contextWindow: number;
  'fileChanges.enabled': boolean;
  'fileChanges.include': readonly string[];
  'fileChanges.deny': readonly string[];
}
export type SettingName = keyof Settings;
export const settingNames = Object.keys({
  scenario: 0,
  openOnStart: 0,
  claudeConfigDir: 0,
  policy: 0,
  respectProviderSignatures: 0,
  contextWindow: 0,
  'fileChanges.enabled': 0,
  'fileChanges.include': 0,
  'fileChanges.deny': 0,
} satisfies Record<SettingName, 0>) as SettingName[];

/** The one container in the activity bar. */
export const containerId = prefix;

/** Every view in the container, without the prefix. */
export const viewNames = ['sessions', 'directives'] as const;
export type ViewName = (typeof viewNames)[number];

/** Type of the inspector's panel, as VS Code keeps it over a reload. */
export const panelType = `${prefix}.inspector`;

/** The chat participant: its id in the manifest, and the name by which people call it. */
export const participantId = `${prefix}.inspector`;
export const participantName = 'inspector';

/** Scheme of the read-only documents that show rows, records and issues in editors of their own. */
export const documentScheme = 'transcript-inspector';

/** Every context key that decides what can be done, without the prefix. */
export interface ContextKeys {
  /** A session is selected. */
  hasSession: boolean;
  /** The selected session is one of our own agent. */
  ownSession: boolean;
  /** The agent of the selected session can be written to. */
  canSend: boolean;
  /** Our own agent is at work. */
  running: boolean;
  /** The projection that is shown could be applied. */
  canApply: boolean;
  /** At least one directive can be revoked. */
  canRevoke: boolean;
  /** At least one directive can be fired now. */
  canFire: boolean;
  /** At least one directive was delivered, so that it can only be corrected. */
  canCorrect: boolean;
  /** The selected session has turns. */
  hasTurns: boolean;
  /** The selected session has messages. */
  hasMessages: boolean;
  /** There is a prefix hash to copy. */
  hasHash: boolean;
  /** The selected session's transcript has more than one lane. */
  hasLanes: boolean;
  /** Something of the selected session could not be read. */
  hasIssues: boolean;
  /** Sessions are being looked for, so an empty view is not yet known to stay empty. */
  looking: boolean;
}
export type ContextKey = keyof ContextKeys;
export const contextKeys = Object.keys({
  hasSession: 0,
  ownSession: 0,
  canSend: 0,
  running: 0,
  canApply: 0,
  canRevoke: 0,
  canFire: 0,
  canCorrect: 0,
  hasTurns: 0,
  hasMessages: 0,
  hasHash: 0,
  hasLanes: 0,
  hasIssues: 0,
  looking: 0,
} satisfies Record<ContextKey, 0>) as ContextKey[];

/** What a tree item is, for the `when` of its menu. */
export const itemKinds = [
  'ownSession',
  'runningSession',
  'followedSession',
  'openedFile',
  'problem',
  'directive',
] as const;
export type ItemKind = (typeof itemKinds)[number];

export function commandId(name: CommandName): string {
  return `${prefix}.${name}`;
}

export function viewId(name: ViewName): string {
  return `${prefix}.${name}`;
}

export function contextKey(name: ContextKey): string {
  return `${prefix}.${name}`;
}
