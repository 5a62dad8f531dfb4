import { codedFault } from '../diagnostics';
import { isObject, type Json } from '../transcript/message';
import { groundedReview } from './groundedReview';
import { idleNudge } from './idleNudge';
import { postCompactRecap } from './postCompactRecap';
import { createProjectFacts, type Rank } from './projectFacts';
import type { ReminderProvider } from './provider';
import { resumeContinuity } from './resumeContinuity';
import { tokenPressure } from './tokenPressure';
import { toolOutputTruncated } from './toolOutputTruncated';
import { workspaceAnchor } from './workspaceAnchor';

/** What the providers that every session has need from outside. */
export interface ProviderParts {
  readonly rank: Rank;
}

/** The eight providers that every session has, in order of evaluation. */
export function builtinProviders({ rank }: ProviderParts): readonly ReminderProvider[] {
  return [
    tokenPressure,
    idleNudge,
    toolOutputTruncated,
    postCompactRecap,
    resumeContinuity,
    createProjectFacts(rank),
    workspaceAnchor,
    groundedReview,
  ];
}

/** The ids of the eight, in order of evaluation. */
export const builtinIds: readonly string[] = builtinProviders({ rank: () => [] }).map(({ id }) => id);

/** How many different providers a caller may name or register. */
export const mostNamed = 8;

/**
 * Ids of the providers that run, in order of evaluation: the eight, then the registered ones, in order of
 * registration; one that is registered again counts where it was registered last, also when it replaces one of the
 * eight. Of the option's `providers`, the last word on an id wins; an id that nobody registered adds nothing.
 * @throws {ReminderFault} HARN-RMD-007 when the caller names or registers more than eight different ones.
 */
export function selectProviders(reminders: Json | undefined, registered: readonly string[]): readonly string[] {
  if (reminders === false || (isObject(reminders) && reminders['enabled'] === false)) return [];
  const words = isObject(reminders) ? lastWords(reminders['providers']) : new Map<string, boolean>();
  const users = registered.filter((id, index) => registered.lastIndexOf(id) === index);
  const added = [...words].flatMap(([id, isOn]) => (isOn ? [id] : []));
  const isEnabled = (id: string): boolean => words.get(id) !== false;
  const named = new Set([...added, ...users.filter(isEnabled)]);
  if (named.size > mostNamed) {
    const detail = `${String(named.size)} different providers are named or registered, at most ${String(mostNamed)} may be: ${[...named].join(', ')}`;
    throw codedFault('reminders.providers', 'HARN-RMD-007', detail);
  }
  return [...builtinIds.filter((id) => !users.includes(id)), ...users].filter(isEnabled);
}

/** As `selectProviders`, with the providers themselves; of those with one id the one that comes last is meant. */
export function chooseProviders(
  reminders: Json | undefined,
  builtins: readonly ReminderProvider[],
  registered: readonly ReminderProvider[],
): readonly ReminderProvider[] {
  const byId = new Map([...builtins, ...registered].map((provider) => [provider.id, provider]));
  const ids = registered.map(({ id }) => id);
  return selectProviders(reminders, ids).flatMap((id) => byId.get(id) ?? []);
}

/** What the entries say of each id in the end: true for `id`, false for `-id`. */
function lastWords(entries: Json | undefined): Map<string, boolean> {
  const words = new Map<string, boolean>();
  for (const entry of Array.isArray(entries) ? (entries as readonly Json[]) : []) {
    if (typeof entry !== 'string') continue;
    const text = entry.trim();
    const isOff = text.startsWith('-');
    const id = isOff ? text.slice(1).trim() : text;
    if (id !== '') words.set(id, !isOff);
  }
  return words;
}
