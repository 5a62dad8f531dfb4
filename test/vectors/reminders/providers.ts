import type { ReminderProvider } from '../../../extension/engine/providers/provider';
import { builtinProviders, chooseProviders as choose } from '../../../extension/engine/providers/registry';
import type { Json } from '../../../extension/engine/transcript/message';
import { createRanker } from '../../../extension/session/ranker';

/** The providers that every session has. */
export const builtins: readonly ReminderProvider[] = builtinProviders({ rank: createRanker() });

/** The providers that run in a session, in order. */
export function chooseProviders(
  reminders: Json | undefined,
  registered: readonly ReminderProvider[],
): readonly ReminderProvider[] {
  return choose(reminders, builtins, registered);
}
