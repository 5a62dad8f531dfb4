import type { ReminderForm, SavedState, Tab } from '../../extension/protocol';

const isText = (value: unknown): value is string => typeof value === 'string';

const tabs: readonly Tab[] = ['transcript', 'directives', 'lifecycle'];
const sides: readonly SavedState['side'][] = ['both', 'raw', 'projected'];

/** An empty form. */
export const EMPTY_FORM: ReminderForm = {
  body: '',
  tags: [],
  dedupe_key: null,
  ttl_turns: null,
  preserve_on_compact: false,
  propagate: 'session',
  authority: 'contract',
  role_hint: 'user_block',
  mode: 'finish_step',
};

function readForm(value: unknown): ReminderForm | null {
  if (typeof value !== 'object' || value === null) return null;
  const from = value as Partial<Record<keyof ReminderForm, unknown>>;
  const pick = (key: keyof ReminderForm): string => (isText(from[key]) ? from[key] : String(EMPTY_FORM[key]));
  return {
    body: isText(from.body) ? from.body : '',
    tags: Array.isArray(from.tags) ? from.tags.filter(isText) : [],
    dedupe_key: isText(from.dedupe_key) ? from.dedupe_key : null,
    ttl_turns: typeof from.ttl_turns === 'number' ? from.ttl_turns : null,
    preserve_on_compact: from.preserve_on_compact === true,
    propagate: pick('propagate'),
    authority: pick('authority'),
    role_hint: pick('role_hint'),
    mode: pick('mode'),
  };
}

/** What was kept when the window was last hidden; whatever cannot be read starts afresh. */
export function readSaved(value: unknown): SavedState {
  const from = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof SavedState, unknown>>;
  const top = from.top_row;
  return {
    tab: tabs.find((tab) => tab === from.tab) ?? 'transcript',
    top_row: typeof top === 'number' && Number.isSafeInteger(top) && top >= 0 ? top : 0,
    follow: from.follow !== false,
    side: sides.find((side) => side === from.side) ?? 'both',
    draft: isText(from.draft) ? from.draft : '',
    form: readForm(from.form),
  };
}
