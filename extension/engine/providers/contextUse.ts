import type { ProviderContext } from './provider';
import { firstNumber } from './wording';

/** How full the present context is. */
export interface ContextUse {
  /** Tokens of the present context; never totals of the session. */
  readonly tokens: number;
  /** Size of the context window in tokens. */
  readonly window: number;
  readonly share: number;
}

/**
 * The context use that an `on_budget_threshold` tells of; null when tokens or window are not known. The window is that
 * of the payload, else of the config, else of the model.
 */
export function contextUse({ payload, config, session }: ProviderContext): ContextUse | null {
  const tokens = firstNumber([payload['context_tokens']], (value) => value >= 0);
  const windows = [payload['context_window'], config['context_window'], session['model_context_window']];
  const window = firstNumber(windows, (value) => value > 0);
  return tokens === null || window === null ? null : { tokens, window, share: tokens / window };
}
