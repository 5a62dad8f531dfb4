import { compactJson } from './canonical';
import type { Json } from './message';
import { isObject } from './message';

/** Deepest nesting that is laid out; below that the indentation alone would be longer than any text. */
const DEEPEST = 64;

/**
 * A value as JSON for people: laid out over lines, members in their own order. One that is nested deeper than anybody
 * reads is written on one line. Takes any depth.
 */
export function printJson(value: Json): string {
  return isDeeperThan(value, DEEPEST) ? compactJson(value) : JSON.stringify(value, null, 2);
}

function isDeeperThan(value: Json, limit: number): boolean {
  const open: { readonly value: Json | undefined; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: inner, depth } = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth === limit) return true;
    const members = isObject(inner) ? Object.values(inner) : inner;
    for (const member of members) open.push({ value: member, depth: depth + 1 });
  }
  return false;
}
