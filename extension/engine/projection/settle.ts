import type { Message } from '../transcript/message';
import type { Cause, CustomOutput, Decision, Redaction } from './decision';
import type { ProjectionOptions } from './options';

/** What a policy wants, before provider safety has its say. */
export interface Proposal {
  /** The reason, unless the options give another. */
  readonly reason: string;
  readonly cut?: number;
  readonly synthetic?: Message;
  readonly summary?: string | null;
  readonly hidden?: ReadonlyMap<number, Cause>;
  readonly spared?: ReadonlyMap<number, number>;
  readonly redactions?: ReadonlyMap<number, readonly Redaction[]>;
  readonly roots_consulted?: readonly string[];
  readonly output?: CustomOutput;
  /** The first signed message that would be hidden or replaced; null when there is none. */
  readonly signed: number | null;
}

/** Turns a proposal into a decision: nothing is done when signed reasoning would go and that is not allowed. */
export function settle(options: ProjectionOptions, length: number, proposal: Proposal): Decision {
  const blocked = proposal.signed !== null && options.respect_provider_signatures !== false;
  return {
    policy: options.policy,
    reason: blocked
      ? `${proposal.reason} (blocked: signed reasoning at index ${proposal.signed})`
      : (options.reason ?? proposal.reason),
    length,
    roots_consulted: proposal.roots_consulted ?? [],
    blocked_by: blocked ? proposal.signed : null,
    cut: blocked ? 0 : (proposal.cut ?? 0),
    synthetic: blocked ? null : (proposal.synthetic ?? null),
    summary: proposal.summary ?? null,
    hidden: blocked ? NO_CAUSES : (proposal.hidden ?? NO_CAUSES),
    spared: blocked ? NO_SPARED : (proposal.spared ?? NO_SPARED),
    redactions: blocked ? NO_REDACTIONS : (proposal.redactions ?? NO_REDACTIONS),
    output: blocked ? null : (proposal.output ?? null),
  };
}

const NO_CAUSES: ReadonlyMap<number, Cause> = new Map();
const NO_SPARED: ReadonlyMap<number, number> = new Map();
const NO_REDACTIONS: ReadonlyMap<number, readonly Redaction[]> = new Map();
