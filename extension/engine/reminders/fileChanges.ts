import { Draft, type Decision, type Sources } from '../state/decision';
import { draftOf } from '../state/kinds';
import type { FileChange, ReminderEntry, SessionState, TrackedFile } from '../state/state';
import { decideQueueReminder, isRevocable } from './bridge';
import { burstBody, changeBody } from './fileWording';
import { clearedDraft } from './inject';
import { parseReminder } from './spec';

/** Something that happened to a file on disk. An event is only a hint: `hash` says what is there now. */
export interface FileEvent {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: FileChange['kind'];
  /** Hash of the content now; null: there is no such file, or it cannot be read. */
  readonly hash: string | null;
  /** New path of a renamed file. */
  readonly to?: string | null;
  readonly lines_changed?: number | null;
}

/** Content that the agent has read or made itself; hash null: it knows that there is no such file. */
export interface FileSeen {
  readonly path: string;
  readonly hash: string | null;
  readonly size?: number | null;
  readonly mtime_ms?: number | null;
}

/** What is told to the model, and how. */
export interface FileOptions {
  /** Paths that are never named to the model. */
  readonly denied: (path: string) => boolean;
  /** Paths that are told of though the agent has not read them; none when absent. */
  readonly widened?: (path: string) => boolean;
  /** More changed files than this become one reminder; 5 when absent. */
  readonly burst?: number;
}

/** What became of the reminders about files. */
export interface FileOutcome {
  /** Reminders that entered the queue. */
  readonly reminder_ids: readonly string[];
  /** Reminders that were cleared. */
  readonly cleared_ids: readonly string[];
}

/** Key of the one reminder about many files; that of a single file ends in `:` and its path. */
const burstKey = 'file_changed';

const origin = 'file-watcher';

/** Files that the agent knows, as it last saw them: those to look at on disk. */
export function trackedFiles(state: SessionState): readonly TrackedFile[] {
  return [...state.files.entries()].map(([, file]) => file).filter((file) => file.seen);
}

/** The agent has read or written these files: what waited about them is cleared, and their content is what counts. */
export function decideFileSeen(
  state: SessionState,
  seen: readonly FileSeen[],
  options: FileOptions,
  sources: Sources,
): Decision<FileOutcome> {
  const draft = new Draft(state);
  const before = changesOf(state);
  const after = new Map(before);
  for (const file of seen) {
    after.delete(file.path);
    draft.add(draftOf(state, 'file.seen', { ...file }));
  }
  return settle(draft, before, after, new Set(), options, sources);
}

/**
 * Files changed on disk: reminders are queued, replaced and cleared so that each changed file is told of once, and a
 * burst as one. Nothing is said of a file whose content is what the agent last saw, nor twice while it is in force.
 */
export function decideFileEvents(
  state: SessionState,
  events: readonly FileEvent[],
  options: FileOptions,
  sources: Sources,
): Decision<FileOutcome> {
  const before = changesOf(state);
  const after = new Map(before);
  const touched = new Set<string>();
  for (const event of foldRenames(state, events)) {
    const file = knownFile(state, event.path);
    if (options.denied(event.path) || (file === undefined && options.widened?.(event.path) !== true)) continue;
    const change = changeOf(file, event, options);
    const known = after.get(event.path);
    if (change === null) after.delete(event.path);
    else if (
      known === undefined ||
      known.hash !== change.hash ||
      known.kind !== change.kind ||
      known.to !== change.to
    ) {
      after.set(event.path, { ...change, reminder_id: known?.kind === change.kind ? known.reminder_id : null });
      touched.add(event.path);
    }
  }
  return settle(new Draft(state), before, after, touched, options, sources);
}

/** The file as the agent knows it; undefined when it has not seen it. */
function knownFile(state: SessionState, path: string): TrackedFile | undefined {
  const file = state.files.get(path);
  return file?.seen === true ? file : undefined;
}

type Changes = ReadonlyMap<string, FileChange>;

function changesOf(state: SessionState): Map<string, FileChange> {
  const changed = [...state.files.entries()].map(([, file]) => file).filter((file) => file.change !== null);
  changed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return new Map(changed.flatMap(({ path, change }) => (change === null ? [] : [[path, change]])));
}

/** A known file that went while its content came up under a new path was renamed. */
function foldRenames(state: SessionState, events: readonly FileEvent[]): readonly FileEvent[] {
  const last = [...new Map(events.map((event) => [event.path, event])).values()];
  const made = last.filter((event) => event.kind === 'created' && event.hash !== null && !knownFile(state, event.path));
  const byHash = new Map(made.map((event) => [event.hash, event.path]));
  return last.map((event) => {
    const hash = event.kind === 'deleted' ? (knownFile(state, event.path)?.hash ?? null) : null;
    const to = hash === null ? undefined : byHash.get(hash);
    return to === undefined ? event : { ...event, kind: 'renamed', to };
  });
}

/** How the file differs from what the agent last saw; null: not at all. */
function changeOf(file: TrackedFile | undefined, event: FileEvent, options: FileOptions): FileChange | null {
  const { hash } = event;
  const base = { hash, to: null, lines_changed: event.lines_changed ?? null, reminder_id: null };
  if (event.kind === 'renamed' || event.kind === 'deleted') {
    if (file?.hash === null) return null;
    const to = event.kind === 'renamed' ? (event.to ?? null) : null;
    const named = to !== null && !options.denied(to);
    return { ...base, hash: null, kind: named ? 'renamed' : 'deleted', to: named ? to : null };
  }
  if (file === undefined) return { ...base, kind: event.kind };
  if (file.hash !== null && file.hash === hash) return null;
  return { ...base, kind: file.hash === null ? 'created' : 'changed' };
}

/** Brings reminders and recorded changes in line with `after`. */
function settle(
  draft: Draft,
  before: Changes,
  after: ReadonlyMap<string, FileChange>,
  touched: ReadonlySet<string>,
  options: FileOptions,
  sources: Sources,
): Decision<FileOutcome> {
  const entryOf = (id: string | null): ReminderEntry | undefined =>
    id === null ? undefined : draft.state.reminders.get(id);
  const waits = (id: string | null): boolean => {
    const entry = entryOf(id);
    return entry !== undefined && isRevocable(entry);
  };
  const told = (id: string | null): boolean => {
    const entry = entryOf(id);
    return entry?.place === 'pending' && entry.committed !== null;
  };
  const untold = [...after].filter(
    ([path, change]) => waits(change.reminder_id) || (touched.has(path) && !told(change.reminder_id)),
  );
  const wanted = wantedOf(untold, options.burst ?? 5);
  const final = new Map(after);
  const reminder_ids: string[] = [];
  for (const [key, { body, paths }] of wanted) {
    const standing = waitingId(draft.state, key);
    const kept = standing !== null && entryOf(standing)?.reminder.body === body ? standing : null;
    const id = kept ?? queue(draft, key, body, sources);
    if (kept === null) reminder_ids.push(id);
    for (const path of paths) {
      const change = after.get(path);
      if (change !== undefined) final.set(path, { ...change, reminder_id: id });
    }
  }
  const speaking = new Set([...final.values()].map((change) => change.reminder_id));
  const cleared_ids: string[] = [];
  for (const { reminder_id } of before.values()) {
    const entry = entryOf(reminder_id);
    if (entry === undefined || reminder_id === null || speaking.has(reminder_id)) continue;
    if (entry.place !== 'queued' && entry.place !== 'pending') continue;
    draft.add(clearedDraft(draft.state, entry));
    cleared_ids.push(reminder_id);
  }
  record(draft, before, final);
  return draft.decision({ reminder_ids, cleared_ids });
}

/** The reminders that should wait, by key: one a file, or one for all of a burst. */
function wantedOf(
  untold: readonly (readonly [string, FileChange])[],
  burst: number,
): ReadonlyMap<string, { readonly body: string; readonly paths: readonly string[] }> {
  if (untold.length > burst) {
    return new Map([[burstKey, { body: burstBody(untold), paths: untold.map(([path]) => path) }]]);
  }
  return new Map(
    untold.map(([path, change]) => [`${burstKey}:${path}`, { body: changeBody(path, change), paths: [path] }]),
  );
}

/** Id of the reminder with this key that still waits; null when there is none. */
function waitingId(state: SessionState, key: string): string | null {
  const ids = [...(state.queue_keys.get(key) ?? []), ...(state.pending_keys.get(key) ?? [])];
  return ids.find((id) => state.reminders.get(id)?.committed === null) ?? null;
}

function queue(draft: Draft, key: string, body: string, sources: Sources): string {
  const options = { body, dedupe_key: key, tags: ['file_changed'], authority: 'corrective', propagate: 'none' };
  const reminder = parseReminder('bridge', options, sources);
  draft.take((state) => decideQueueReminder(state, reminder, { mode: 'finish_step', origin }, sources));
  return reminder.id;
}

function record(draft: Draft, before: Changes, final: Changes): void {
  for (const path of before.keys()) {
    const isKnown = draft.state.files.get(path)?.change !== null;
    if (!final.has(path) && isKnown) draft.add(draftOf(draft.state, 'file.changed', { path, kind: null }));
  }
  for (const [path, change] of final) {
    const known = before.get(path);
    const same =
      known?.kind === change.kind &&
      known.hash === change.hash &&
      known.to === change.to &&
      known.reminder_id === change.reminder_id;
    if (!same) draft.add(draftOf(draft.state, 'file.changed', { path, ...change }));
  }
}
