import type { Decision, ProjectionInput } from './decision';
import type { ProjectionOptions } from './options';
import { settle } from './settle';

/** Policy raw: every message as it is. */
export function decideRaw(input: ProjectionInput, options: ProjectionOptions): Decision {
  return settle(options, input.length, { reason: 'raw_passthrough', signed: null });
}
