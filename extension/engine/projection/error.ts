/** What was wrong with a call. */
export type ProjectionErrorCode =
  | 'invalid_transcript'
  | 'invalid_options'
  | 'unknown_policy'
  | 'unknown_option'
  | 'invalid_option'
  | 'missing_projector'
  | 'projector_failed'
  | 'invalid_projection'
  | 'invalid_event';

/** The only error that a projection throws. The message names what is wrong and what is allowed. */
export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';

  constructor(
    readonly code: ProjectionErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
