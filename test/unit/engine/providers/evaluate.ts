import type { ProviderContext, ReminderProvider } from '../../../../extension/engine/providers/provider';
import { builtinProviders } from '../../../../extension/engine/providers/registry';
import { evaluateProvider } from '../../../../extension/engine/reminders/firing';
import type { Reminder } from '../../../../extension/engine/reminders/spec';
import { initialState } from '../../../../extension/engine/state/state';
import type { JsonObject } from '../../../../extension/engine/transcript/message';
import { createRanker } from '../../../../extension/session/ranker';

export const builtins: readonly ReminderProvider[] = builtinProviders({ rank: createRanker() });

export type Given = Partial<Pick<ProviderContext, 'event' | 'payload' | 'session' | 'config'>>;

/** What one of the eight leaves, read as the firing reads it; null when it leaves nothing. */
export function evaluate(id: string, given: Given): Reminder | null {
  const provider = builtins.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`there is no provider ${id}`);
  const { event = provider.subscribes_to[0] ?? '', payload = {}, session = {}, config = {} } = given;
  const options: JsonObject = { config: { [id]: config } };
  const firing = { event, payload, session, options, providers: [provider] };
  return evaluateProvider(initialState('s'), provider, firing, { newId: () => 'new' })[0] ?? null;
}
