import * as z from 'zod';

const input = z
  .record(z.string(), z.json())
  .describe('Arguments, as the tool takes them. Wrong ones are passed on too.');

const call = z.strictObject({
  name: z.string().min(1).describe('Name of the tool; an unknown one is passed on too.'),
  input: z.union([input, z.string()]).optional().describe('Arguments; a string is passed on as broken JSON would be.'),
});

const fail = z.strictObject({
  kind: z
    .enum(['refused', 'failed', 'broken_off'])
    .describe(
      'refused: the request is not accepted; failed: no answer comes; broken_off: the answer ends after its text.',
    ),
  message: z.string().min(1).describe('What the person is told.'),
  times: z.int().min(1).optional().describe('How many times, before the step is played; 1 when absent.'),
});

const step = z
  .strictObject({
    text: z.string().optional().describe('What the model says. {{name}} stands for what a rule found.'),
    calls: z.array(call).optional().describe('Tools that it calls. A step without calls ends the turn.'),
    usage: z
      .strictObject({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) })
      .optional()
      .describe('Reported usage; estimated from the request when absent.'),
    pause_ms: z.int().min(0).max(60_000).optional().describe('Pause before the answer, for people who watch.'),
    wait_for: z
      .union([z.literal('continue'), z.strictObject({ file: z.string().min(1) })])
      .optional()
      .describe('Waits until a file exists in the workspace, or until a test says "continue".'),
    fail: fail.optional(),
  })
  .refine((value) => value.text !== undefined || (value.calls ?? []).length > 0 || value.fail !== undefined, {
    message: 'a step needs `text`, `calls` or `fail`',
  });

const steps = z.array(step).min(1);

const turn = z.strictObject({
  name: z.string().optional().describe('For people; not used.'),
  steps: steps.describe('The answers to one message of the person, in order.'),
});

const rule = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'small letters, digits and underscores'),
  when: z
    .union([z.strictObject({ directive: z.string().min(1) }), z.strictObject({ user: z.string().min(1) })])
    .describe('A text in a new directive, or in the new message of the person. {{name}} in it matches anything.'),
  steps,
});

/** A scenario file. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).describe('Shown as the name of the model.'),
  opening: z.string().min(1).optional().describe('The first message of the person.'),
  delay_ms: z.int().min(0).max(1000).optional().describe('Pause between pieces of an answer; 0 when absent.'),
  window: z.int().min(1).optional().describe('Size of the context window in tokens.'),
  turns: z.array(turn).min(1).describe('One for each message of the person, in order.'),
  then: z.array(turn).optional().describe('Played over and over for the messages after that.'),
  rules: z.array(rule).optional().describe('Reactions. The first that matches is played before the script goes on.'),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioStep = z.infer<typeof step>;
export type ScenarioTurn = z.infer<typeof turn>;
export type ScenarioRule = z.infer<typeof rule>;

/** The JSON schema of a scenario file, for editors. */
export function describeScenario(): object {
  return z.toJSONSchema(scenarioSchema, { io: 'input' });
}

export function checkScenario(value: unknown): { scenario: Scenario } | { problems: readonly string[] } {
  const checked = scenarioSchema.safeParse(value);
  if (checked.success) return { scenario: checked.data };
  return { problems: checked.error.issues.flatMap((issue) => describe(issue, [])) };
}

function describe(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): string[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const fullest = issue.errors.reduce((best, errors) => (depth(errors) > depth(best) ? errors : best));
    return fullest.flatMap((inner) => describe(inner, path));
  }
  return [`${place(path)}: ${issue.message}`];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function place(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');
}
