/** The array itself where it has so many places, else a copy at least twice as long, `fill` in the new places. */
export function fitted<T extends Uint8Array | Int32Array | Uint32Array>(array: T, places: number, fill = 0): T {
  if (places <= array.length) return array;
  const grown = new (array.constructor as new (length: number) => T)(Math.max(array.length * 2, places, 16));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}
