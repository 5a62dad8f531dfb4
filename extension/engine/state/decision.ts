import type { EventDraft } from './record';
import { reduce } from './reduce';
import type { SessionState } from './state';

/** What a decision needs of the outside. */
export interface Sources {
  /** A fresh UUID v7. */
  readonly newId: () => string;
}

/**
 * The outcome of a command: what is to be recorded, in order, and what the caller is answered. Nothing has happened
 * until the drafts are in the log; the new state is the old one reduced by them.
 */
export interface Decision<Answer> {
  readonly drafts: readonly EventDraft[];
  readonly answer: Answer;
}

/** The state after these drafts, as if they had been recorded at `at_ms`. */
export function applyDrafts(state: SessionState, drafts: readonly EventDraft[], at_ms = 0): SessionState {
  return drafts.reduce((next, draft) => reduce(next, { ...draft, occurred_at_ms: at_ms }), state);
}

/** A decision in the making: the drafts so far and the state that they lead to. */
export class Draft {
  readonly drafts: EventDraft[] = [];
  state: SessionState;

  constructor(state: SessionState) {
    this.state = state;
  }

  /** Adds drafts; later steps of the same decision see their effect. */
  add(...drafts: readonly EventDraft[]): void {
    for (const draft of drafts) this.drafts.push(draft);
    this.state = applyDrafts(this.state, drafts);
  }

  /** Adds all that another decision on the present state records, and gives its answer. */
  take<Answer>(decide: (state: SessionState) => Decision<Answer>): Answer {
    const decision = decide(this.state);
    this.add(...decision.drafts);
    return decision.answer;
  }

  decision<Answer>(answer: Answer): Decision<Answer> {
    return { drafts: this.drafts, answer };
  }
}
