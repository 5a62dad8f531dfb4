import type { ReminderProvider } from './provider';
import { firstNumber } from './wording';

const defaultSeconds = 60;

/** Tells a model that its session has been idle; config `idle_seconds` or `seconds`. */
export const idleNudge: ReminderProvider = {
  id: 'idle_nudge',
  subscribes_to: ['session_idle'],
  evaluate: ({ payload, config }) => {
    const idle = firstNumber([payload['wake_interval_ms']]);
    const limit = firstNumber([config['idle_seconds'], config['seconds']], (value) => value >= 0) ?? defaultSeconds;
    if (idle === null || idle < limit * 1000) return null;
    return {
      body: `Nothing has happened in this session for ${String(Math.floor(idle / 1000))} s. If work is left, take the next step; if it waits for something, say for what.`,
      tags: ['idle'],
      dedupe_key: 'idle_nudge',
      ttl_turns: 1,
      propagate: 'none',
    };
  },
};
