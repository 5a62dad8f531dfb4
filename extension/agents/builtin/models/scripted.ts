import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../engine/transcript/message';
import { isObject } from '../../../engine/transcript/message';
import type { ModelClient, ModelPart, ModelRequest } from '../model';
import { ModelError } from '../model';
import type { Bindings } from './pattern';
import { fillPattern } from './pattern';
import type { Scenario, ScenarioStep } from './scenarioSchema';
import type { Move, Position } from './script';
import { nextMove, writePosition } from './script';

export interface ScriptedOptions {
  /** Folder in which steps that wait for a file look for it. */
  readonly workspace?: string;
  /** In place of the scenario's own pace; 0: no pause at all, as in tests. */
  readonly delay_ms?: number;
}

/** How often a step that waits for a file looks for it, in milliseconds. */
const LOOK_MS = 50;

/**
 * A model that plays a scenario. The same requests get the same answers: where the script stands is read from the
 * request, since each answer's id says which step it was. So a session that is opened again goes on at the same place.
 */
export class ScriptedModel implements ModelClient {
  readonly id: string;
  readonly name: string;
  readonly window: number | null;
  private readonly failures = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private remembered: Position | null = null;

  constructor(
    private readonly scenario: Scenario,
    private readonly options: ScriptedOptions = {},
  ) {
    this.id = `scripted/${scenario.name}`;
    this.name = `Scripted: ${scenario.name}`;
    this.window = scenario.window ?? null;
  }

  /** Opens the gate of every step that waits for "continue" now. */
  continue(): void {
    for (const go of [...this.waiting]) go();
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const summarised = request.messages[0]?.role === 'system';
    const move = nextMove(this.scenario, request.messages, summarised ? this.remembered : null);
    for (const step of move.steps) await this.hold(step, signal);
    const failing = this.nextFailure(move);
    if (failing !== null && failing.kind !== 'broken_off') {
      throw new ModelError(failing.message, failing.kind === 'refused');
    }
    yield { type: 'answer', id: writePosition(move.position) };
    const text = textOf(move);
    for (const chunk of chunks(text)) {
      await this.pause(this.pace, signal);
      yield { type: 'text', text: chunk };
    }
    if (failing !== null) throw new ModelError(failing.message, false);
    yield* callsOf(move);
    yield usageOf(request, move, text);
    this.remembered = move.position;
  }

  private get pace(): number {
    return this.options.delay_ms ?? this.scenario.delay_ms ?? 0;
  }

  private async hold(step: ScenarioStep, signal: AbortSignal): Promise<void> {
    if (step.pause_ms !== undefined && this.pace > 0) await this.pause(step.pause_ms, signal);
    if (step.wait_for === 'continue') await this.gate(signal);
    else if (step.wait_for !== undefined) await this.waitForFile(step.wait_for.file, signal);
  }

  private nextFailure(move: Move): NonNullable<ScenarioStep['fail']> | null {
    const failing = move.steps.find((step) => step.fail !== undefined)?.fail;
    if (failing === undefined) return null;
    const key = writePosition(move.position);
    const done = this.failures.get(key) ?? 0;
    if (done >= (failing.times ?? 1)) return null;
    this.failures.set(key, done + 1);
    return failing;
  }

  private async waitForFile(file: string, signal: AbortSignal): Promise<void> {
    const path = join(this.options.workspace ?? '.', file);
    while (!(await exists(path))) await this.pause(LOOK_MS, signal);
  }

  private gate(signal: AbortSignal): Promise<void> {
    return untilAborted(signal, (go) => {
      this.waiting.add(go);
      return () => void this.waiting.delete(go);
    });
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (ms === 0) return;
    await untilAborted(signal, (go) => {
      const timer = setTimeout(go, ms);
      return () => clearTimeout(timer);
    });
  }
}

/** Waits until `begin` calls back, or rejects with the signal's reason; what `begin` gave is called either way. */
async function untilAborted(signal: AbortSignal, begin: (go: () => void) => () => void): Promise<void> {
  signal.throwIfAborted();
  let end: (() => void) | undefined;
  let stop: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      signal.addEventListener('abort', stop, { once: true });
      end = begin(resolve);
    });
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
    end?.();
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function textOf(move: Move): string {
  const texts = move.steps.map((step) => fillPattern(step.text ?? '', move.bindings)).filter((text) => text !== '');
  return texts.join('\n\n');
}

/** Pieces of a few words, as a model would stream them; joined they are the text. */
function chunks(text: string): string[] {
  return text.match(/(?:\S+\s*){1,3}|\s+/g) ?? [];
}

function* callsOf(move: Move): Generator<ModelPart> {
  const calls = move.steps.flatMap((step) => step.calls ?? []);
  for (const [index, call] of calls.entries()) {
    const id = `call_${move.position.answers}_${index + 1}`;
    yield { type: 'call', id, name: call.name, input: fillInput(call.input ?? {}, move.bindings) };
  }
}

function fillInput(value: Json, bindings: Bindings): Json {
  if (typeof value === 'string') return fillPattern(value, bindings);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => fillInput(item, bindings));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInput(item ?? null, bindings)]));
}

/** Four characters to a token, where the scenario does not say. */
function usageOf(request: ModelRequest, move: Move, text: string): ModelPart {
  const given = move.steps.findLast((step) => step.usage !== undefined)?.usage;
  if (given !== undefined) return { type: 'usage', ...given };
  const sent = request.system.length + JSON.stringify(request.messages).length + JSON.stringify(request.tools).length;
  const calls = JSON.stringify(move.steps.flatMap((step) => step.calls ?? [])).length;
  return { type: 'usage', input_tokens: Math.ceil(sent / 4), output_tokens: Math.ceil((text.length + calls) / 4) };
}
