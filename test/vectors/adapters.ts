import type { VectorAdapters } from './adapter';
import { projectionCalls } from './projection';
import { reminderCalls } from './reminders';

/** Every call that is known, by its name in the vectors. */
export const adapters: VectorAdapters = { ...projectionCalls, ...reminderCalls };
