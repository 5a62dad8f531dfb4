import type { Json, JsonObject } from '../transcript/message';

/** What a provider is given when one of its events happens. */
export interface ProviderContext {
  /** Snake_case name of the event, such as `post_tool_use`. */
  readonly event: string;
  /** What the session knows: `model_context_window`, `task`, `anchor`, `facts`, all optional. */
  readonly session: JsonObject;
  readonly session_id: string;
  readonly payload: JsonObject;
  /** The session's `reminders` option as an object (`{}` when it is not set). */
  readonly options: JsonObject;
  /** The provider's own part of `reminders.config`. */
  readonly config: JsonObject;
}

/**
 * What a provider may return: nothing, a reminder, `{reminder}`, a list of these, or `{effects}`. It is judged when
 * it is used, so a provider that returns anything else is reported and harms nobody.
 */
export type ProviderResult = Json | undefined;

/** Something that may leave a reminder when an event happens. Pure: the same context gives the same result. */
export interface ReminderProvider {
  readonly id: string;
  /** The events after which it is evaluated. */
  readonly subscribes_to: readonly string[];
  readonly evaluate: (context: ProviderContext) => ProviderResult;
}
