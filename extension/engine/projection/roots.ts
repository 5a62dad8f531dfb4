import type { ProjectionOptions } from './options';
import { BARRIER_KEYS, ROOT_KEYS } from './options';
import { materialTexts } from './references';
import { eachToken } from './tokens';

/** The root material that a caller supplied, read once. */
export interface SuppliedRoots {
  readonly tokens: ReadonlySet<string>;
  /** Names of the material that gave text, in the order in which they are reported. */
  readonly labels: readonly string[];
  /** There is text in the write barrier. */
  readonly barrier: boolean;
}

/** Reads the root material of reachability_gc. */
export function suppliedRoots(options: ProjectionOptions): SuppliedRoots {
  const tokens = new Set<string>();
  const collect = (keys: readonly (keyof ProjectionOptions & (typeof ROOT_KEYS | typeof BARRIER_KEYS)[number])[]) =>
    keys.filter((key) => {
      const texts = materialTexts(options[key]);
      for (const text of texts) {
        eachToken(text, (token) => {
          tokens.add(token);
          return false;
        });
      }
      return texts.length > 0;
    });
  const labels: string[] = collect(ROOT_KEYS);
  const barrier = collect(BARRIER_KEYS).length > 0;
  if (barrier) {
    labels.push('write_barrier');
  }
  return { tokens, labels, barrier };
}

/** `roots_consulted` of a projection of so many messages. */
export function rootsConsulted(options: ProjectionOptions, length: number, supplied: SuppliedRoots): readonly string[] {
  const window = Math.min(options.root_window, length);
  return [
    ...(window > 0 ? [`last_${window}_messages`] : []),
    ...supplied.labels,
    ...(options.require_write_barrier ? ['write_barrier_required'] : []),
  ];
}
