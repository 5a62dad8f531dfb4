import type { CreateHash } from '../engine/transcript/hash';
import type { Json, JsonObject } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';
import { contentHash } from '../engine/transcript/prefix';

/** Kind of the record that keeps a large value of projection options once: `{hash, value}`. */
export const MATERIAL = 'projection.material';

/** Characters of JSON from which a value is kept apart. */
const LARGE = 1000;

/** Options with their large values replaced by `{material: hash}`, and those values by their hashes. */
export function partOptions(
  options: JsonObject,
  createHash: CreateHash,
): { readonly options: JsonObject; readonly materials: ReadonlyMap<string, Json> } {
  const materials = new Map<string, Json>();
  const parted = Object.entries(options).map(([key, value]): [string, Json | undefined] => {
    if (value === undefined || value === null || JSON.stringify(value).length < LARGE) return [key, value];
    const hash = contentHash(value, createHash);
    materials.set(hash, value);
    return [key, { material: hash }];
  });
  return { options: Object.fromEntries(parted), materials };
}

/** The other way. A value that is not known stays as it is, so that what was projected by it does not verify. */
export function joinOptions(options: JsonObject, materials: ReadonlyMap<string, Json>): JsonObject {
  const joined = Object.entries(options).map(([key, value]): [string, Json | undefined] => {
    const hash = isObject(value) ? value['material'] : undefined;
    return [key, typeof hash === 'string' ? (materials.get(hash) ?? value) : value];
  });
  return Object.fromEntries(joined);
}
