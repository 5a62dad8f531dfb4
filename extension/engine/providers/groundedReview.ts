import { isObject, type Json, type JsonObject } from '../transcript/message';
import type { ProviderContext, ReminderProvider } from './provider';
import { checksIn } from './review/checks';
import { failuresIn, linesOf } from './review/failureLines';
import { anyTextIn, clipLine, code, firstNumber, itemsIn, objectIn, textIn } from './wording';

const defaultFindings = 5;
const mostItems = 200;
const mostOfFinding = 300;

/** Shows a model concrete evidence that something is wrong, and nothing that only sounds like it. */
export const groundedReview: ReminderProvider = {
  id: 'grounded_review',
  subscribes_to: ['post_tool_use', 'post_step', 'post_agent_turn'],
  evaluate: (context) => {
    const findings = [...new Set(findingsIn(context))];
    if (findings.length === 0) return null;
    const { config } = context;
    const limit = firstNumber([config['max_findings'], config['limit']], (value) => value >= 1) ?? defaultFindings;
    const most = Math.floor(limit);
    const shown = findings.slice(0, most).map((finding) => `- ${finding}`);
    const more = findings.length > most ? [`- and ${String(findings.length - most)} more`] : [];
    return {
      body: [
        'Evidence that something is wrong, as reported:',
        ...shown,
        ...more,
        'Settle each before calling the work done.',
      ].join('\n'),
      tags: ['grounded_review', 'code_review'],
      ttl_turns: 2,
      role_hint: 'developer',
      propagate: 'none',
    };
  },
};

function findingsIn({ payload, config }: ProviderContext): readonly string[] {
  const given = payload['result'];
  const result: JsonObject = typeof given === 'string' ? { text: given } : objectIn(given);
  const includeWarnings = config['include_warnings'] === true;
  const failures = config['text_scan'] === false ? [] : scanOutput(payload, result, includeWarnings);
  return [
    ...listed(payload['verifier_signals']).flatMap(refusal),
    ...(failures.length === 0 && result['is_error'] === true ? [toolError(payload, result)] : []),
    ...named('parse error', result['parse_errors'], 'message'),
    ...named('undefined name', result['undefined_names'], 'name'),
    ...[payload, result].flatMap((holder) =>
      listed(holder['diagnostics']).flatMap((item) => diagnostic(item, includeWarnings)),
    ),
    ...failures,
  ];
}

function listed(value: Json | undefined): readonly Json[] {
  return itemsIn(value).slice(0, mostItems);
}

/** A verifier that said no. */
function refusal(value: Json): readonly string[] {
  if (!isObject(value)) return [];
  const signal = textIn(value['signal']);
  if (signal === null || !/^(?:refus|reject|fail|block|den(?:y|ied)|veto)/i.test(signal)) return [];
  const name = clipLine(textIn(value['name']) ?? 'verifier', 80);
  const reason = clipLine(anyTextIn(value['reason']) ?? '', mostOfFinding);
  return [`${name}: ${clipLine(signal, 40)}${reason === '' ? '' : `: ${reason}`}`];
}

/** The first and the last line of what a failed tool said. */
function toolError(payload: JsonObject, result: JsonObject): string {
  const tool = textIn(payload['tool_name']);
  const lines = linesOf(outputOf(result)).filter((line) => line.trim() !== '');
  const [first, last] = [lines[0] ?? '', lines.at(-1) ?? ''];
  const text = lines.length > 1 ? `${clipLine(first, 150)} … ${clipLine(last, 150)}` : clipLine(first, mostOfFinding);
  return `${tool === null ? 'a tool' : code(tool, 120)} failed${text === '' ? '' : `: ${text}`}`;
}

function outputOf(result: JsonObject): string {
  const error = result['error'];
  return textIn(result['text']) ?? textIn(isObject(error) ? error['message'] : error) ?? '';
}

/** A finding for each item: a text, or an object with its text in that member. */
function named(what: string, value: Json | undefined, member: string): readonly string[] {
  return (typeof value === 'string' ? [value] : listed(value)).flatMap((item) => {
    const text = clipLine(textIn(isObject(item) ? item[member] : item) ?? '', mostOfFinding);
    return text === '' ? [] : [`${what}: ${text}`];
  });
}

function diagnostic(value: Json, includeWarnings: boolean): readonly string[] {
  if (!isObject(value)) return [];
  const severity = textIn(value['severity'])?.toLowerCase() ?? '';
  const isError = severity === 'error' || severity === 'fatal';
  const message = clipLine(textIn(value['message']) ?? '', mostOfFinding);
  if (message === '' || (!isError && !(includeWarnings && severity.startsWith('warn')))) return [];
  const path = textIn(value['path']) ?? textIn(value['file']);
  const line = firstNumber([value['line']]);
  const place = path === null ? '' : `${clipLine(path, 200)}${line === null ? '' : `:${String(line)}`}: `;
  return [`${isError ? 'error' : 'warning'}: ${place}${message}`];
}

/** Failure lines in the output of a command that checks something; what the command itself has echoed does not count. */
function scanOutput(payload: JsonObject, result: JsonObject, includeWarnings: boolean): readonly string[] {
  const args = objectIn(objectIn(payload['tool'])['args']);
  const command = args['cmd'] ?? args['command'];
  const text = result['text'];
  const words = itemsIn(command).filter((word) => typeof word === 'string');
  const line = typeof command === 'string' ? command : words.length > 0 ? words : null;
  if (typeof text !== 'string' || line === null) return [];
  const checks = checksIn(line);
  if (checks.length === 0) return [];
  const script = typeof line === 'string' ? line : line.join(' ');
  const isEcho = (printed: string): boolean => printed.trim() !== '' && script.includes(printed.trim());
  const printsOwnText = /\b(?:echo|printf)\b/.test(script);
  const lines = linesOf(text).filter((printed) => !printsOwnText || !isEcho(printed));
  const options = { has_failed: result['is_error'] === true, include_warnings: includeWarnings };
  return checks.flatMap((check) => failuresIn(lines, check, options));
}
