import { commands, window } from 'vscode';
import type { LogOutputChannel } from 'vscode';
import { UserError } from './errors';
import { commandId } from './names';
import type { Remedy } from './errors';

/** Where errors go: to the log always, to the person where it concerns them. */
export interface Report {
  /** Shows what went wrong, sorted by whose it is. `doing` says what was being done: "open the inspector". */
  (error: unknown, doing: string): void;
  /** For what nobody asked for just now: the log only. */
  quietly(error: unknown, doing: string): void;
}

export function createLog(): LogOutputChannel {
  return window.createOutputChannel('Transcript Inspector', { log: true });
}

const showLog: Remedy = { title: 'Show Log', command: 'showLog' };

/**
 * Sorts errors: the person's own and the world's (a missing file, a model that refused) are warnings in their own
 * words; what is left is a fault of ours and says so. Neither transcripts nor settings ever go to the log.
 */
export function createReport(log: LogOutputChannel, mask: (text: string) => string): Report {
  const report = (error: unknown, doing: string): void => {
    if (error instanceof UserError) return show('warning', error.message, error.remedies);
    if (isOfTheWorld(error)) {
      log.warn(mask(`Could not ${doing}: ${describe(error)}`));
      return show('warning', sentence(error), []);
    }
    log.error(mask(`Could not ${doing}: ${stack(error)}`));
    show('error', `Could not ${doing}. This is a fault of Transcript Inspector: ${describe(error)}`, [showLog]);
  };
  const quietly = (error: unknown, doing: string): void => {
    const line = mask(
      `Could not ${doing}: ${error instanceof UserError || isOfTheWorld(error) ? describe(error) : stack(error)}`,
    );
    if (error instanceof UserError || isOfTheWorld(error)) log.warn(line);
    else log.error(line);
  };
  return Object.assign(report, { quietly });
}

function show(severity: 'warning' | 'error', message: string, remedies: readonly Remedy[]): void {
  const titles = remedies.map((remedy) => remedy.title);
  const shown =
    severity === 'error' ? window.showErrorMessage(message, ...titles) : window.showWarningMessage(message, ...titles);
  void shown.then((title) => {
    const remedy = remedies.find((each) => each.title === title);
    return remedy ? commands.executeCommand(commandId(remedy.command)) : undefined;
  });
}

/** Errors that carry their own advice: those of files, models, reminders, and a log that another window writes. */
const worldly = new Set([
  'LogFailure',
  'NoSessionLog',
  'FileError',
  'ModelError',
  'ReminderFault',
  'ReadOnlySession',
  'ScenarioError',
]);

function isOfTheWorld(error: unknown): error is Error {
  return error instanceof Error && (worldly.has(error.name) || 'advice' in error);
}

function sentence(error: Error & { readonly advice?: unknown }): string {
  return typeof error.advice === 'string' && !error.message.includes(error.advice)
    ? `${error.message} ${error.advice}`
    : error.message;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
