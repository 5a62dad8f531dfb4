import type { Directive, ReminderForm } from '../../extension/protocol';

/** The form as it is being typed: every field is text until it is sent. */
export interface FormDraft {
  readonly body: string;
  readonly tags: string;
  readonly key: string;
  readonly ttl: string;
  readonly preserve: boolean;
  readonly propagate: string;
  readonly authority: string;
  readonly role: string;
  readonly mode: string;
  /** Authority of the directive that this one corrects. */
  readonly corrects?: Directive['authority'];
}

export type FormFaults = { readonly [K in Exclude<keyof FormDraft, 'corrects'>]?: string };

const TURNS = /^\d+$/;

export function draftOf(form: ReminderForm): FormDraft {
  return {
    body: form.body,
    tags: form.tags.join(', '),
    key: form.dedupe_key ?? '',
    ttl: form.ttl_turns === null ? '' : String(form.ttl_turns),
    preserve: form.preserve_on_compact,
    propagate: form.propagate,
    authority: form.authority,
    role: form.role_hint,
    mode: form.mode,
  };
}

export function formOf(draft: FormDraft): ReminderForm {
  const ttl = draft.ttl.trim();
  const tags = draft.tags.split(',').map((tag) => tag.trim());
  return {
    body: draft.body,
    tags: [...new Set(tags.filter((tag) => tag !== ''))],
    dedupe_key: draft.key.trim() || null,
    ttl_turns: TURNS.test(ttl) ? Number(ttl) : null,
    preserve_on_compact: draft.preserve,
    propagate: draft.propagate,
    authority: draft.authority,
    role_hint: draft.role,
    mode: draft.mode,
  };
}

/** What must be mended before the form can be sent; empty: nothing. */
export function checkDraft(draft: FormDraft): FormFaults {
  const ttl = draft.ttl.trim();
  const faults: { -readonly [K in keyof FormFaults]?: string } = {};
  if (draft.body.trim() === '') faults.body = 'Write what the model should be told.';
  if (ttl !== '' && !(TURNS.test(ttl) && Number(ttl) > 0 && Number.isSafeInteger(Number(ttl)))) {
    faults.ttl = 'Give a whole number of turns, 1 or more, or leave it empty.';
  }
  if (/[\r\n]/.test(draft.key)) faults.key = 'A key is one line.';
  return faults;
}

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The element that the model will read. */
export function renderDraft(draft: FormDraft): string {
  const ttl = formOf(draft).ttl_turns;
  const lifetime = ttl === null ? '' : ` ttl_turns="${ttl}"`;
  return `<directive authority="${draft.authority}"${lifetime}>\n${escape(draft.body)}\n</directive>`;
}
