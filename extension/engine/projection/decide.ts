import type { CreateHash } from '../transcript/hash';
import { decideCleanToolRepair } from './cleanToolRepair';
import { decideCustom } from './custom';
import type { Decision, ProjectionInput } from './decision';
import type { ProjectionOptions } from './options';
import { decideRaw } from './raw';
import { decideReachabilityGc } from './reachabilityGc';
import { decideSquashFailedCalls } from './squashFailedCalls';
import { decideSummaryPrefix } from './summaryPrefix';

/**
 * What the policy does with every message, from their facts; texts are read only where they are needed.
 * @throws {ProjectionError} when a projector fails.
 */
export function decide(input: ProjectionInput, options: ProjectionOptions, createHash: CreateHash): Decision {
  switch (options.policy) {
    case 'raw':
      return decideRaw(input, options);
    case 'clean_tool_repair':
      return decideCleanToolRepair(input, options);
    case 'squash_failed_calls':
      return decideSquashFailedCalls(input, options);
    case 'summary_prefix':
      return decideSummaryPrefix(input, options);
    case 'reachability_gc':
      return decideReachabilityGc(input, options, createHash);
    case 'custom':
      return decideCustom(input, options);
  }
}
