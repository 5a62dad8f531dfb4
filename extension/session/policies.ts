import type { JsonObject } from '../engine/transcript/message';
import type { OptionValue, OptionView, PolicyView } from '../protocol/view';

const protect: OptionView = {
  key: 'protect_unanswered',
  type: 'boolean',
  default: true,
  choices: [],
  description: 'Never touch results that the model has not seen yet.',
};

const signatures = (value: string): OptionView => ({
  key: 'respect_provider_signatures',
  type: 'choice',
  default: value,
  choices: ['per_turn', 'true', 'false'],
  description:
    'Signed reasoning must stay as it is: keep just those turns (per_turn), change nothing when any would go (true), or ignore it (false, a local preview only).',
});

const integer = (key: string, standard: number, description: string): OptionView => ({
  key,
  type: 'integer',
  default: standard,
  choices: [],
  description,
});

const text = (key: string, description: string): OptionView => ({
  key,
  type: 'text',
  default: null,
  choices: [],
  description,
});

/** How signed reasoning is treated unless a policy is told otherwise: the setting. */
export type SignatureSetting = true | false | 'per_turn';

/** The policies that the selector offers, with their options. */
export function policyViews(setting: SignatureSetting): readonly PolicyView[] {
  const signed = signatures(String(setting));
  return [
    { name: 'raw', description: 'Nothing is hidden or replaced.', options: [] },
    {
      name: 'clean_tool_repair',
      description: 'Hides a failed call with its result once the same tool has succeeded later.',
      options: [signed, protect],
    },
    {
      name: 'squash_failed_calls',
      description: 'Hides every turn of which nothing came but failed calls.',
      options: [signed, protect],
    },
    {
      name: 'summary_prefix',
      description: 'Puts one summary in place of everything but the last messages.',
      options: [
        integer('keep_last', 0, 'Messages at the end that stay.'),
        text(
          'summary',
          'Text of the summary; empty: the summary of the session, else how many messages it stands for.',
        ),
        signed,
        protect,
      ],
    },
    {
      name: 'reachability_gc',
      description: 'Replaces old tool results that nothing recent refers to by a pointer.',
      options: [
        integer('root_window', 8, 'Messages at the end whose words keep a result.'),
        integer('min_chars', 500, 'Characters from which a result is worth replacing.'),
        integer(
          'clear_at_least',
          0,
          'Estimated tokens below which nothing is replaced, so that the prefix is not broken for little.',
        ),
        text('roots', 'Names, paths and numbers that keep a result.'),
        text('active_plan', 'The plan in force; what it names stays.'),
        text('write_barrier', 'What is about to be written; what it names stays.'),
        {
          key: 'require_write_barrier',
          type: 'boolean',
          default: false,
          choices: [],
          description: 'Do nothing without a write barrier.',
        },
        signed,
        protect,
      ],
    },
  ];
}

/** A policy with those of its options that differ from the defaults, as the selector shows it. */
export interface PolicySettings {
  readonly policy: string;
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** What the engine is given for a choice: options as it names them, with the setting for signed reasoning. */
export function projectionGiven(settings: PolicySettings, setting: SignatureSetting): JsonObject {
  const given: Record<string, OptionValue> = { respect_provider_signatures: setting };
  for (const [key, value] of Object.entries(settings.options)) {
    if (value === null || value === '') continue;
    given[key] = key === 'respect_provider_signatures' && value !== 'per_turn' ? readSignatures(value) : value;
  }
  return { ...given, policy: settings.policy };
}

function readSignatures(value: OptionValue): OptionValue {
  return value === 'true' ? true : value === 'false' ? false : value;
}

/** The other way: what the selector shows for options that the engine was given. */
export function settingsOf(given: JsonObject, setting: SignatureSetting): PolicySettings {
  const policy = typeof given['policy'] === 'string' ? given['policy'] : 'raw';
  const options: Record<string, OptionValue> = {};
  for (const option of policyViews(setting).find(({ name }) => name === policy)?.options ?? []) {
    const value = given[option.key];
    if (value === undefined || value === null || typeof value === 'object') continue;
    const shown = option.type === 'choice' ? String(value) : value;
    if (shown !== option.default) options[option.key] = shown;
  }
  return { policy, options };
}
