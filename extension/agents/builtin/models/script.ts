import type { Message } from '../../../engine/transcript/message';
import { isObject } from '../../../engine/transcript/message';
import type { Bindings } from './pattern';
import { matchPattern } from './pattern';
import type { Scenario, ScenarioRule, ScenarioStep, ScenarioTurn } from './scenarioSchema';

/** Where a script stands: the last answer that was played. Written into the answer's id, so that it survives a reload. */
export interface Position {
  /** Answers so far, this one included. */
  readonly answers: number;
  /** Turn and step that were played last, from 0; -1: none yet. */
  readonly turn: number;
  readonly step: number;
  /** The reaction that was played last, with its step; `asked`: a message of the person waits behind it. */
  readonly rule: { readonly name: string; readonly step: number; readonly asked: boolean } | null;
}

/** What is played next. */
export interface Move {
  readonly position: Position;
  readonly steps: readonly ScenarioStep[];
  readonly bindings: Bindings;
}

const START: Position = { answers: 0, turn: -1, step: -1, rule: null };

export function writePosition(position: Position): string {
  const rule =
    position.rule === null ? '' : `+${position.rule.name}.${position.rule.step}${position.rule.asked ? '!' : ''}`;
  return `answer_${position.answers}:${position.turn}.${position.step}${rule}`;
}

function readPosition(id: unknown): Position | null {
  if (typeof id !== 'string') return null;
  const found = /^answer_(\d+):(-?\d+)\.(-?\d+)(?:\+(\w+)\.(\d+)(!)?)?$/.exec(id);
  if (found === null) return null;
  const [, answers, turn, step, rule, ruleStep, asked] = found;
  return {
    answers: Number(answers),
    turn: Number(turn),
    step: Number(step),
    rule: rule === undefined ? null : { name: rule, step: Number(ruleStep), asked: asked !== undefined },
  };
}

/** Decides what the script answers to a request. `remembered`: the last position, for a request that no longer shows it. */
export function nextMove(scenario: Scenario, messages: readonly Message[], remembered: Position | null): Move {
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant');
  const last = messages[lastAnswer];
  const at = readPosition(last?.id) ?? remembered ?? { ...START, answers: Math.max(0, lastAnswer) };
  const news = messages.slice(lastAnswer + 1);
  const over = isOver(scenario, at);
  // A summary in place of the messages hides what the person said.
  const spoke = personTexts(news).length > 0 || messages[0]?.role === 'system';
  const asked = over && (spoke || at.rule?.asked === true);
  const going = continueRule(scenario, messages, at, asked);
  if (going !== null) return going;
  const reaction = react(scenario, news);
  if (reaction !== null && ('directive' in reaction.rule.when || over)) {
    const goesOn = 'directive' in reaction.rule.when && asked;
    return playRule(scenario, at, { ...reaction, index: 0, asked: goesOn });
  }
  if (over && !asked) return say(at, 'There is nothing new to do. Send a message to go on.');
  return playMain(scenario, at);
}

interface Playing {
  readonly rule: ScenarioRule;
  readonly index: number;
  readonly bindings: Bindings;
  readonly asked: boolean;
}

function continueRule(scenario: Scenario, messages: readonly Message[], at: Position, asked: boolean): Move | null {
  const rule = scenario.rules?.find((one) => one.name === at.rule?.name);
  if (rule === undefined || at.rule === null || at.rule.step + 1 >= rule.steps.length) return null;
  const first = at.answers - at.rule.step;
  const began = messages.findIndex((message) => readPosition(message.id)?.answers === first);
  const before = messages.slice(0, Math.max(0, began));
  const news = before.slice(before.findLastIndex((message) => message.role === 'assistant') + 1);
  return playRule(scenario, at, { rule, index: at.rule.step + 1, bindings: matchRule(rule, news) ?? {}, asked });
}

/** A reaction's last words end no turn that is under way, and answer no message: what follows is said with them. */
function playRule(scenario: Scenario, at: Position, { rule, index, bindings, asked }: Playing): Move {
  const step = rule.steps[index];
  if (step === undefined) return playMain(scenario, at);
  const position = { ...at, answers: at.answers + 1, rule: { name: rule.name, step: index, asked } };
  const last = index + 1 === rule.steps.length && (step.calls ?? []).length === 0;
  if (!last || (isOver(scenario, at) && !asked)) return { position, steps: [step], bindings };
  const main = playMain(scenario, at);
  return { ...main, steps: [step, ...main.steps], bindings };
}

function playMain(scenario: Scenario, at: Position): Move {
  const over = isOver(scenario, at);
  const turn = over ? at.turn + 1 : at.turn;
  const step = over ? 0 : at.step + 1;
  const next = turnAt(scenario, turn)?.steps[step];
  if (next === undefined) {
    return say(
      at,
      'This script has been played to its end. Start the sample session again to see it from the beginning.',
    );
  }
  return { position: { answers: at.answers + 1, turn, step, rule: null }, steps: [next], bindings: {} };
}

function say(at: Position, text: string): Move {
  return { position: { ...at, answers: at.answers + 1, rule: null }, steps: [{ text }], bindings: {} };
}

function turnAt(scenario: Scenario, turn: number): ScenarioTurn | undefined {
  const then = scenario.then ?? [];
  if (turn < scenario.turns.length) return scenario.turns[turn];
  return then[(turn - scenario.turns.length) % then.length];
}

function isOver(scenario: Scenario, at: Position): boolean {
  const turn = turnAt(scenario, at.turn);
  return turn === undefined || at.step + 1 >= turn.steps.length;
}

function react(scenario: Scenario, news: readonly Message[]): { rule: ScenarioRule; bindings: Bindings } | null {
  for (const rule of scenario.rules ?? []) {
    const bindings = matchRule(rule, news);
    if (bindings !== null) return { rule, bindings };
  }
  return null;
}

function matchRule(rule: ScenarioRule, news: readonly Message[]): Bindings | null {
  const { when } = rule;
  const [pattern, texts] =
    'directive' in when ? [when.directive, directiveTexts(news)] : [when.user, personTexts(news)];
  for (const text of texts) {
    const bindings = matchPattern(pattern, text);
    if (bindings !== null) return bindings;
  }
  return null;
}

const ENVELOPE = '<context-directives speaker="';

function personTexts(messages: readonly Message[]): string[] {
  return userTexts(messages).filter((text) => !text.startsWith(ENVELOPE));
}

function directiveTexts(messages: readonly Message[]): string[] {
  const envelopes = userTexts(messages).filter((text) => text.startsWith(ENVELOPE));
  return envelopes.flatMap((text) =>
    [...text.matchAll(/^<directive [^>]*>\n([^]*?)\n<\/directive>$/gm)].map((found) => unescape(found[1] ?? '')),
  );
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function userTexts(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user') return [];
    if (typeof message.content === 'string') return [message.content];
    if (!Array.isArray(message.content)) return [];
    const blocks = message.content as readonly unknown[];
    return blocks.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  });
}
