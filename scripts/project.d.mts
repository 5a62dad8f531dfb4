/** The folder of the project. */
export const root: string;

/** Something the person can put right. */
export class UserError extends Error {}

/** Progress, on stderr. */
export function say(line: string): void;

/** Runs one named step and says when it begins and how long it took. */
export function step<T>(name: string, work: () => T | Promise<T>): Promise<T>;

/** Runs a program to its end and gives what it wrote to stdout; its last lines are part of the error. */
export function run(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly show?: boolean },
): Promise<string>;
