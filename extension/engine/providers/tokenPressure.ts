import { budgetThresholds } from '../state/commands';
import { contextUse } from './contextUse';
import type { ReminderProvider } from './provider';

const advice = {
  0.7: 'Prefer targeted reads and short outputs from here on.',
  0.85: 'Avoid large reads. Note open points and decisions, so that they survive a compaction.',
  0.95: 'A compaction is near. Finish or hand over the current step, and state what is done and what is open.',
} as const;

/** Tells a model how full its context is, at 70, 85 and 95 %. */
export const tokenPressure: ReminderProvider = {
  id: 'token_pressure',
  subscribes_to: ['on_budget_threshold'],
  evaluate: (context) => {
    const use = contextUse(context);
    const level = use === null ? undefined : budgetThresholds.findLast((threshold) => use.share >= threshold);
    if (use === null || level === undefined) return null;
    const [tokens, window] = [Math.round(use.tokens), Math.round(use.window)];
    return {
      body: `[${String(Math.round(level * 100))}%] The context holds ${String(tokens)} of ${String(window)} tokens. ${advice[level]}`,
      tags: ['token_pressure'],
      dedupe_key: 'token_pressure',
      ttl_turns: 2,
      role_hint: 'developer',
      preserve_on_compact: level === 0.95,
    };
  },
};
