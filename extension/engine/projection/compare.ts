import { canonicalText } from '../transcript/canonical';
import { charsOf, tokensOf } from '../transcript/estimate';
import type { Message } from '../transcript/message';

/** How the array of one request relates to that of the request before. */
export interface PrefixRelation {
  readonly relation: 'initial' | 'append_only' | 'diverged';
  /** The first index at which they differ; only when diverged. */
  readonly at?: number;
  /**
   * What became of the message that stood there: something else stands in its place, it stands further back, or it is
   * gone and others moved up. Only when diverged.
   */
  readonly how?: 'changed' | 'moved' | 'vanished';
  /** Estimated tokens of messages that were sent before and that a prefix cache must read again. */
  readonly reread_tokens: number;
}

/** A message as far as comparing needs it. */
export interface PrefixEntry {
  /** Equal for equal messages: their canonical form, or a hash of it. */
  readonly key: string;
  /** Characters (code points) of text. */
  readonly chars: number;
}

/** A message as `comparePrefixEntries` takes it. */
function prefixEntryOf(message: Message): PrefixEntry {
  return { key: canonicalText(message), chars: charsOf(message) };
}

/** Compares the messages of one request with those of the one before; null: there was none. */
export function comparePrefix(previous: readonly Message[] | null, next: readonly Message[]): PrefixRelation {
  if (previous === null) {
    return comparePrefixEntries(null, []);
  }
  let same = 0;
  while (same < previous.length && same < next.length && isSame(previous[same], next[same])) {
    same++;
  }
  const relation = comparePrefixEntries(previous.slice(same).map(prefixEntryOf), next.slice(same).map(prefixEntryOf));
  return relation.at === undefined ? relation : { ...relation, at: same };
}

function isSame(a: Message | undefined, b: Message | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalText(a) === canonicalText(b));
}

/** As `comparePrefix`, for messages that are not in memory. */
export function comparePrefixEntries(
  previous: readonly PrefixEntry[] | null,
  next: readonly PrefixEntry[],
): PrefixRelation {
  if (previous === null) {
    return { relation: 'initial', reread_tokens: 0 };
  }
  let at = 0;
  while (at < previous.length && previous[at]?.key === next[at]?.key) {
    at++;
  }
  const gone = previous[at];
  if (gone === undefined) {
    return { relation: 'append_only', reread_tokens: 0 };
  }
  const before = countKeys(previous.slice(at));
  const after = countKeys(next.slice(at));
  const inPlace = next[at];
  const how = after.has(gone.key)
    ? 'moved'
    : inPlace !== undefined && !before.has(inPlace.key)
      ? 'changed'
      : 'vanished';
  let chars = 0;
  for (const { key, chars: own } of next.slice(at)) {
    const left = before.get(key) ?? 0;
    if (left > 0) {
      before.set(key, left - 1);
      chars += own;
    }
  }
  return { relation: 'diverged', at, how, reread_tokens: tokensOf(chars) };
}

function countKeys(entries: readonly PrefixEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of entries) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
