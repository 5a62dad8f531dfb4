import type { Message } from '../transcript/message';
import type { Authority, Reminder } from './spec';

/** The constant line of every envelope: how to read the block. It never changes between requests. */
export const INSTRUCTION =
  'How to read this block: each directive is context for this session. Where two disagree, contract comes before ' +
  'corrective and corrective before advisory. A directive with ttl_turns="N" covers only the N assistant turns after ' +
  'this message first appears, and seeing it again later does not renew it. The block needs no answer of its own.';

/** Member of a durable message that lists the reminders it carries; stripped before a provider sees the message. */
export const DIRECTIVE_IDS = '_harn_directive_ids';

/** What one envelope says. */
export interface Envelope {
  /** The whole text; null when there is no directive. */
  readonly text: string | null;
  readonly speaker: 'harness' | 'person' | null;
  /** The reminders in it, in the order rendered. */
  readonly reminder_ids: readonly string[];
}

const rank: Readonly<Record<Authority, number>> = { contract: 0, corrective: 1, advisory: 2 };

/** A reminder without text says nothing and is never rendered. */
export function isBlank(reminder: Reminder): boolean {
  return reminder.body.trim() === '';
}

/**
 * Leaves of all reminders with one key, then of all with one text (white space folded), the one with the highest
 * authority, and among these the most recent. Input and output are in transcript order. `replaced` maps the id of each
 * that went to the id of the one that stayed instead.
 */
export function collapse(reminders: readonly Reminder[]): {
  readonly survivors: readonly Reminder[];
  readonly replaced: ReadonlyMap<string, string>;
} {
  const replaced = new Map<string, string>();
  const byKey = keepBest(reminders, (reminder) => reminder.dedupe_key, replaced);
  const survivors = keepBest(byKey, (reminder) => reminder.body.replace(/\s+/g, ' ').trim(), replaced);
  for (const [id, survivor] of replaced) replaced.set(id, replaced.get(survivor) ?? survivor);
  return { survivors, replaced };
}

function keepBest(
  reminders: readonly Reminder[],
  slotOf: (reminder: Reminder) => string | null,
  replaced: Map<string, string>,
): readonly Reminder[] {
  const best = new Map<string, Reminder>();
  for (const reminder of reminders) {
    const slot = slotOf(reminder);
    if (slot === null) continue;
    const holder = best.get(slot);
    if (holder === undefined || rank[reminder.authority] <= rank[holder.authority]) best.set(slot, reminder);
  }
  return reminders.filter((reminder) => {
    const slot = slotOf(reminder);
    const holder = slot === null ? undefined : best.get(slot);
    if (holder === undefined || holder === reminder) return true;
    replaced.set(reminder.id, holder.id);
    return false;
  });
}

/** In order of authority; ties keep transcript order. */
export function inOrder(reminders: readonly Reminder[]): readonly Reminder[] {
  return [...reminders].sort((a, b) => rank[a.authority] - rank[b.authority]);
}

/** One `<directive …>` element, as it stands in an envelope. */
export function renderDirective(reminder: Reminder): string {
  const ttl = reminder.ttl_turns === null ? '' : ` ttl_turns="${String(reminder.ttl_turns)}"`;
  return `<directive authority="${reminder.authority}"${ttl}>\n${escapeBody(reminder.body)}\n</directive>`;
}

/** The envelope of these reminders, given in transcript order: collapsed, ordered, rendered. */
export function renderEnvelope(reminders: readonly Reminder[]): Envelope {
  return wrap(inOrder(collapse(reminders.filter((reminder) => !isBlank(reminder))).survivors));
}

/** The envelope of reminders that are collapsed and ordered already. */
export function wrap(directives: readonly Reminder[]): Envelope {
  if (directives.length === 0) return { text: null, speaker: null, reminder_ids: [] };
  const speaker = directives.every((reminder) => reminder.role_hint === 'user_block') ? 'person' : 'harness';
  const text = [
    `<context-directives speaker="${speaker}">`,
    INSTRUCTION,
    ...directives.map(renderDirective),
    '</context-directives>',
  ].join('\n');
  return { text, speaker, reminder_ids: directives.map((reminder) => reminder.id) };
}

/** The durable message that carries an envelope, with its bookkeeping. */
export function envelopeMessage(text: string, reminderIds: readonly string[]): Message {
  return { role: 'user', content: text, [DIRECTIVE_IDS]: reminderIds };
}

/** One directive as read back from the text of an envelope. */
export interface ReadDirective {
  readonly authority: string;
  readonly ttl_turns: number | null;
  readonly body: string;
}

/**
 * Reads the directives of an envelope's text, bodies exactly as they were; null when the text is no whole envelope.
 * That a text can be read does not say that the engine issued it: only the log says that.
 */
export function readEnvelope(text: string): readonly ReadDirective[] | null {
  const frame = /^<context-directives speaker="(?:harness|person)">\n[^\n]*\n([^]*)\n<\/context-directives>$/.exec(
    text,
  );
  if (frame === null) return null;
  const inner = frame[1] ?? '';
  const directives: ReadDirective[] = [];
  const element = /<directive authority="([a-z]+)"(?: ttl_turns="(\d+)")?>\n([^<]*)\n<\/directive>(?:\n|$)/y;
  while (element.lastIndex < inner.length) {
    const found = element.exec(inner);
    if (found === null) return null;
    directives.push({
      authority: found[1] ?? '',
      ttl_turns: found[2] === undefined ? null : Number(found[2]),
      body: unescapeBody(found[3] ?? ''),
    });
  }
  return directives;
}

function escapeBody(body: string): string {
  return body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function unescapeBody(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}
