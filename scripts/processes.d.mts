/** A process; `start` tells it from a later one with the same number. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
}

/** Every process below one, whatever its group or session. */
export function descendants(pid: number): ProcessEntry[];

/** Every process of one process group. */
export function members(group: number): ProcessEntry[];

/** Sends a signal to a process that was seen before, unless it has ended. */
export function end(entry: ProcessEntry, signal: NodeJS.Signals): void;
