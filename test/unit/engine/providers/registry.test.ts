import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReminderFault } from '../../../../extension/engine/diagnostics';
import type { ReminderProvider } from '../../../../extension/engine/providers/provider';
import {
  builtinIds,
  chooseProviders,
  mostNamed,
  selectProviders,
} from '../../../../extension/engine/providers/registry';
import type { Json } from '../../../../extension/engine/transcript/message';
import { runs, seedOf } from '../../../support/random';
import { builtins } from './evaluate';

const others = builtinIds.filter((id) => id !== 'idle_nudge');

test.each<[string, Json | undefined, readonly string[], readonly string[]]>([
  ['not set', undefined, [], builtinIds],
  ['null, true and texts are as not set', 'off', ['a'], [...builtinIds, 'a']],
  ['blanks, numbers and a lone dash say nothing', { providers: ['', ' - ', '-', 5, null] }, [], builtinIds],
  ['blanks around an id', { providers: [' -idle_nudge '] }, [], others],
  ['an id that nobody registered', { providers: ['nobody', '-never'] }, [], builtinIds],
  ['one of the eight, replaced', {}, ['idle_nudge'], [...others, 'idle_nudge']],
  ['no list', { providers: 'idle_nudge' }, [], builtinIds],
])('%s', (_, reminders, registered, ids) => {
  expect(selectProviders(reminders, registered)).toEqual(ids);
});

test('the last one registered under an id is the one that runs', () => {
  const make = (id: string): ReminderProvider => ({ id, subscribes_to: [], evaluate: () => null });
  const [first, second, nudge] = [make('a'), make('a'), make('idle_nudge')];
  const chosen = chooseProviders({}, builtins, [first, nudge, second]);
  expect(chosen.slice(-2)).toEqual([nudge, second]);
  expect(chosen.at(-1)).toBe(second);
  expect(chosen).toHaveLength(9);
});

test('too many names are refused with their number', () => {
  const ids = Array.from({ length: mostNamed + 1 }, (_, index) => `u${String(index)}`);
  expect(() => selectProviders({ providers: ids }, [])).toThrow(
    'reminders.providers: HARN-RMD-007: 9 different providers are named or registered, at most 8 may be: u0, u1,',
  );
});

const seed = seedOf(733);

test(`any option selects known ids, each once, or is refused (seed ${String(seed)})`, () => {
  const id = fc.constantFrom(...builtinIds, 'a', 'b', 'c', '-a', '-idle_nudge', ' b ', '');
  const entries = fc.array(fc.oneof(id, fc.jsonValue() as fc.Arbitrary<Json>), { maxLength: 20 });
  const option = fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, fc.record({ providers: entries }));
  fc.assert(
    fc.property(option, fc.array(id, { maxLength: 12 }), (reminders, registered) => {
      try {
        const ids = selectProviders(reminders, registered);
        expect(new Set(ids).size).toBe(ids.length);
        for (const each of ids) expect([...builtinIds, ...registered]).toContain(each);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(ReminderFault);
      }
    }),
    { seed, numRuns: runs(500) },
  );
});
