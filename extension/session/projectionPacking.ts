import type { Json, JsonObject } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';

/**
 * How a list stands in the log. Of the list in the projection before it (number `of` of the session) the first `first`
 * items are kept, then come these: whole, or for numbers as ranges from–to, both included. So the log grows with what
 * changes, not with the turns times the length.
 */
interface Packed extends JsonObject {
  readonly of?: number;
  readonly first?: number;
  readonly ranges?: readonly (readonly [number, number])[];
  readonly items?: readonly Json[];
  readonly length: number;
}

const LISTS = ['kept_indices', 'dropped_indices', 'redacted_indices', 'redaction_pointers'] as const;
type ListName = (typeof LISTS)[number];

/** The lists of one projection in full. */
export type Lists = Readonly<Record<ListName, readonly Json[]>>;

function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

function isNumbers(items: readonly Json[]): items is readonly number[] {
  return items.every((item) => typeof item === 'number' && Number.isInteger(item));
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));
}

function packList(items: readonly Json[], before: readonly Json[], number: number | null): Packed {
  let first = 0;
  if (number !== null)
    while (first < items.length && first < before.length && isSame(items[first], before[first])) first++;
  const rest = first === 0 ? items : items.slice(first);
  const refer = number === null || first === 0 ? {} : { of: number, first };
  if (rest.length === 0) return { ...refer, length: items.length };
  const more = isNumbers(rest) ? { ranges: rangesOf(rest) } : { items: rest };
  return { ...refer, ...more, length: items.length };
}

/**
 * A projection's metadata as the log keeps it.
 * @param before the lists of the projection before it, and its number; null for the first one.
 */
export function packProjection(
  metadata: JsonObject,
  before: { readonly lists: Lists; readonly number: number } | null,
): JsonObject {
  const packed: Record<string, Json | undefined> = { ...metadata };
  const lists = listsOf(metadata);
  for (const name of LISTS) packed[name] = packList(lists[name], before?.lists[name] ?? [], before?.number ?? null);
  return packed;
}

/** The lists of metadata that is not packed. */
export function listsOf(metadata: JsonObject): Lists {
  const list = (name: ListName): readonly Json[] => {
    const value = metadata[name];
    return Array.isArray(value) ? (value as readonly Json[]) : [];
  };
  return {
    kept_indices: list('kept_indices'),
    dropped_indices: list('dropped_indices'),
    redacted_indices: list('redacted_indices'),
    redaction_pointers: list('redaction_pointers'),
  };
}

/** Longest list that is unpacked, so that a damaged log cannot ask for more. */
const MAX_LENGTH = 50_000_000;

function unpackOne({ items, ranges }: Packed): readonly Json[] {
  if (Array.isArray(items)) return items as readonly Json[];
  const numbers: number[] = [];
  for (const range of Array.isArray(ranges) ? (ranges as readonly Json[]) : []) {
    const [from, to] = Array.isArray(range) ? (range as readonly Json[]) : [];
    if (typeof from !== 'number' || typeof to !== 'number' || to - from > MAX_LENGTH) continue;
    for (let number = from; number <= to; number++) numbers.push(number);
  }
  return numbers;
}

/**
 * A list in full. Follows the projections that it refers to, without recursion.
 * @param at gives the packed metadata of a projection by its number.
 */
function unpackList(name: ListName, number: number, at: (number: number) => JsonObject | undefined): readonly Json[] {
  const chain: { readonly own: readonly Json[]; readonly first: number }[] = [];
  for (let next: number | null = number; next !== null;) {
    const value: Json | undefined = at(next)?.[name];
    if (Array.isArray(value)) {
      chain.push({ own: value as readonly Json[], first: 0 });
      break;
    }
    if (!isObject(value)) break;
    const packed = value as Packed;
    const first = typeof packed.first === 'number' ? packed.first : 0;
    chain.push({ own: unpackOne(packed), first });
    next = typeof packed.of === 'number' && packed.of < next ? packed.of : null;
  }
  const items: Json[] = [];
  for (const { own, first } of chain.reverse()) {
    items.length = Math.min(items.length, first);
    for (const item of own) items.push(item);
  }
  return items;
}

/** The lists of a recorded projection in full. */
export function unpackLists(number: number, at: (number: number) => JsonObject | undefined): Lists {
  return {
    kept_indices: unpackList('kept_indices', number, at),
    dropped_indices: unpackList('dropped_indices', number, at),
    redacted_indices: unpackList('redacted_indices', number, at),
    redaction_pointers: unpackList('redaction_pointers', number, at),
  };
}
