import type { Json } from '../transcript/message';
import type { ReminderProvider } from './provider';
import { anyTextIn, clip, clipLine, objectIn } from './wording';

const mostOfReason = 500;
const mostOfText = 4000;

/** Tells a resumed worker why it was suspended, what resumed it, and what it needs to go on. */
export const resumeContinuity: ReminderProvider = {
  id: 'resume_continuity',
  subscribes_to: ['worker_resumed'],
  evaluate: ({ payload }) => {
    const resume = objectIn(payload['resume']);
    const reason = line(objectIn(payload['suspension'])['reason']);
    const cause = line(resume['initiator']);
    const input = block(resume['input']);
    const digest = payload['continue_transcript'] === false ? block(payload['digest']) : '';
    return {
      body: [
        'This session was suspended and now goes on.',
        ...(reason === '' ? [] : [`Reason of the suspension: ${reason}`]),
        ...(cause === '' ? [] : [`Resumed by: ${cause}`]),
        ...(input === '' ? [] : [`Input given with it:\n${input}`]),
        ...(digest === '' ? [] : [`The earlier conversation is not in this context. In short:\n${digest}`]),
      ].join('\n'),
      tags: ['resume_continuity'],
      dedupe_key: 'resume_continuity',
      ttl_turns: 1,
      preserve_on_compact: true,
      propagate: 'none',
    };
  },
};

function line(value: Json | undefined): string {
  return clipLine(anyTextIn(value) ?? '', mostOfReason);
}

function block(value: Json | undefined): string {
  return clip(anyTextIn(value) ?? '', mostOfText);
}
