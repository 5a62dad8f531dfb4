import type { ReminderProvider } from '../../../extension/engine/providers/provider';
import type { Json } from '../../../extension/engine/transcript/message';

/** The providers that every session has. */
export const builtins: readonly ReminderProvider[] = [];

/** The providers that run in a session, in order. */
export function chooseProviders(
  reminders: Json | undefined,
  registered: readonly ReminderProvider[],
): readonly ReminderProvider[] {
  return reminders === false ? [] : [...builtins, ...registered];
}
