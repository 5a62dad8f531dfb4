import type { Sources } from '../state/decision';
import type { Transcript, TranscriptEvent } from '../transcript/message';
import { eventOf, reminderOf } from './event';
import { matcherOf } from './inject';
import { parseReminder } from './spec';

/**
 * Adds a reminder to a transcript as the pipeline gives it; pending ones with the same key go first, whatever their
 * authority. The given transcript is not changed, and no message is.
 */
export function injectReminder(
  transcript: Transcript,
  options: unknown,
  sources: Sources,
): { readonly transcript: Transcript; readonly reminder_id: string; readonly deduped_count: number } {
  const reminder = parseReminder('pipeline', options, sources);
  const key = reminder.dedupe_key;
  const kept = transcript.events.filter((event) => key === null || reminderOf(event)?.dedupe_key !== key);
  return {
    transcript: { ...transcript, events: [...kept, eventOf(reminder, sources.newId())] },
    reminder_id: reminder.id,
    deduped_count: transcript.events.length - kept.length,
  };
}

/** Takes the reminders out of a transcript that match every given selector; the given transcript is not changed. */
export function clearReminders(
  transcript: Transcript,
  selector: unknown,
): { readonly transcript: Transcript; readonly removed_count: number } {
  const matches = matcherOf(selector);
  const stays = (event: TranscriptEvent): boolean => {
    const reminder = reminderOf(event);
    return reminder === null || !matches(reminder);
  };
  const events = transcript.events.filter(stays);
  return { transcript: { ...transcript, events }, removed_count: transcript.events.length - events.length };
}
