/** How urgently something that waits in the bridge's queue is delivered. */
export const modes = ['interrupt_immediate', 'finish_step', 'audit_only'] as const;
/** One of the three modes. */
export type Mode = (typeof modes)[number];

/** The points of the agent loop at which queued things can be drained, in order of one iteration. */
export const seams = [
  'pre_compact',
  'post_compact',
  'iteration_start',
  'pre_tool_dispatch',
  'post_tool_dispatch',
  'iteration_end',
  'daemon_idle_pre',
  'daemon_idle_post',
  'loop_exit',
] as const;
/** One of the seams. */
export type Seam = (typeof seams)[number];

const drained: Readonly<Record<Mode, ReadonlySet<Seam>>> = {
  interrupt_immediate: new Set([
    'iteration_start',
    'pre_tool_dispatch',
    'post_tool_dispatch',
    'iteration_end',
    'daemon_idle_pre',
    'daemon_idle_post',
  ]),
  finish_step: new Set(['iteration_start', 'post_tool_dispatch', 'iteration_end']),
  audit_only: new Set(['loop_exit']),
};

/** Whether what waits in this mode is drained at this seam. */
export function drainsAt(mode: Mode, seam: Seam): boolean {
  return drained[mode].has(seam);
}

/** The mode that a text names exactly; null for any other. */
export function modeOf(value: unknown): Mode | null {
  return modes.find((mode) => mode === value) ?? null;
}
