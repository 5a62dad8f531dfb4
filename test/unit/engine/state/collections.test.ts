import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { List } from '../../../../extension/engine/state/list';
import { OrderedMap, PersistentMap } from '../../../../extension/engine/state/map';

const seed = 20240611;

describe('a list', () => {
  test(`every version stays what it was (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.integer()), { maxLength: 40 }), (steps) => {
        const versions: { list: List<number>; items: number[] }[] = [{ list: List.of(), items: [] }];
        for (const [choice, item] of steps) {
          const from = versions[choice % versions.length];
          if (from === undefined) continue;
          versions.push({ list: from.list.append(item), items: [...from.items, item] });
        }
        for (const { list, items } of versions) {
          expect(list.length).toBe(items.length);
          expect(list.toArray()).toEqual(items);
          expect([...list]).toEqual(items);
          expect(list.slice(1, 3)).toEqual(items.slice(1, 3));
          expect([list.at(-1), list.at(items.length), list.last]).toEqual([undefined, undefined, items.at(-1)]);
        }
      }),
      { seed },
    );
  });

  test('what it was made of can change without it', () => {
    const items = [1, 2];
    const list = List.of(items);
    items.push(3);
    list.append(4);
    expect(list.toArray()).toEqual([1, 2]);
  });
});

/** Two pairs of these have the same 32-bit hash, so that collisions are covered. */
const keys = fc.oneof(fc.constantFrom('costarring', 'liquid', 'declinate', 'macallums'), fc.string({ maxLength: 3 }));

describe('a map', () => {
  test(`behaves as an ordinary one, and every version stays what it was (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.option(fc.nat())), { maxLength: 80 }), (steps) => {
        let map = PersistentMap.empty<number>();
        let ordered = OrderedMap.empty<number>();
        let model = new Map<string, number>();
        const versions: [PersistentMap<number>, OrderedMap<number>, Map<string, number>][] = [];
        for (const [key, value] of steps) {
          model = new Map(model);
          if (value === null) model.delete(key);
          else model.set(key, value);
          map = value === null ? map.delete(key) : map.set(key, value);
          ordered = value === null ? ordered.delete(key) : ordered.set(key, value);
          versions.push([map, ordered, model]);
        }
        for (const [one, two, wanted] of versions) {
          expect(new Map(one.entries())).toEqual(wanted);
          expect([one.size, two.size]).toEqual([wanted.size, wanted.size]);
          expect(two.entries()).toEqual([...wanted]);
          expect(two.keys()).toEqual([...wanted.keys()]);
          expect(two.values()).toEqual([...wanted.values()]);
          for (const [key, value] of wanted) expect([one.get(key), two.get(key)]).toEqual([value, value]);
        }
      }),
      { seed },
    );
  });

  test('holds many keys, and lets them all go', () => {
    const all = Array.from({ length: 5000 }, (_, index) => `key ${index}`);
    const full = all.reduce((map, key, index) => map.set(key, index), PersistentMap.empty<number>());
    expect([full.size, full.get('key 4999'), full.has('key 5000')]).toEqual([5000, 4999, false]);
    expect(all.reduce((map, key) => map.delete(key), full).size).toBe(0);
  });
});
