import type { CommandName } from './names';

/** What a person can do about an error: a button that runs one of our commands. */
export interface Remedy {
  readonly title: string;
  readonly command: CommandName;
}

const openFile: Remedy = { title: 'Open Session File…', command: 'openSessionFile' };
const startSample: Remedy = { title: 'Start Sample Session', command: 'startSampleSession' };
const chooseSession: Remedy = { title: 'Choose Session…', command: 'chooseSession' };
const showDirectives: Remedy = { title: 'Show Directives', command: 'showDirectives' };

/** Something that the person did or has to do; the message says what to do next. */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    message: string,
    readonly remedies: readonly Remedy[] = [],
  ) {
    super(message);
  }
}

export function noSession(): UserError {
  return new UserError('No session is selected. Choose one, or start the sample session.', [
    chooseSession,
    startSample,
  ]);
}

export function noOwnSession(): UserError {
  return new UserError(
    'The selected session belongs to another agent. Choose one of the inspector’s own agent for this.',
    [chooseSession, startSample],
  );
}

export function sessionGone(): UserError {
  return new UserError('This session is no longer in the list. Refresh the list, or open its file by hand.', [
    { title: 'Refresh Sessions', command: 'refreshSessions' },
    openFile,
  ]);
}

export function noFolder(): UserError {
  return new UserError('Open a folder first: an agent works inside one.', []);
}

export function notTrusted(): UserError {
  return new UserError('Trust this workspace first: an agent reads, changes and runs what is in it.', []);
}

export function noModels(): UserError {
  return new UserError(
    'VS Code offers no chat model. Sign in to a provider of chat models (for example GitHub Copilot) or install an extension that brings one; the sample session needs none.',
    [startSample],
  );
}

export function noModelChosen(): UserError {
  return new UserError('No model was chosen, so nothing was sent. Choose one and send again.', [
    { title: 'Choose Model…', command: 'chooseModel' },
  ]);
}

export function scenarioUnreadable(file: string, reason: string): UserError {
  return new UserError(
    `The scenario ${file} cannot be played: ${reason} Correct the file, or empty the setting transcriptInspector.scenario.`,
  );
}

export function noDirective(what: 'revoke' | 'fire' | 'correct'): UserError {
  const why = {
    revoke: 'No directive of this session can be revoked: what was delivered can only be corrected.',
    fire: 'No directive of this session can be fired now.',
    correct: 'No directive of this session was delivered yet; one that still waits can be revoked instead.',
  };
  return new UserError(why[what], [showDirectives]);
}

export function nothingToReveal(): UserError {
  return new UserError('This session has no file on this machine.');
}

export function notAFile(): UserError {
  return new UserError('Only files on this machine can be opened as sessions. Save a copy to the disk and open that.', [
    openFile,
  ]);
}

export function outOfRange(what: 'message' | 'turn', count: number): UserError {
  return new UserError(`Give the number of a ${what} between ${what === 'turn' ? 1 : 0} and ${count}.`);
}

export function filteredOut(): UserError {
  return new UserError('That message is hidden by the filter of the inspector. Clear the filter to see it.');
}

export function permissionGone(): UserError {
  return new UserError(
    'The agent no longer waits for this answer: it was answered elsewhere, or the agent was stopped.',
  );
}

export function emptyFile(file: string): UserError {
  return new UserError(`${file} is empty. Open it again once an agent has written to it.`, [openFile]);
}

export function notASession(file: string): UserError {
  return new UserError(
    `${file} is not a session of an agent that is known here. Choose a session file, such as one of Claude Code’s.`,
    [openFile],
  );
}

export function otherFormat(file: string, format: string): UserError {
  return new UserError(
    `${file} is a session of another agent (${format}), which cannot be shown yet. Choose one of Claude Code’s.`,
    [openFile],
  );
}
