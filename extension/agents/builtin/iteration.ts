import { Answer } from './answer';
import { dispatch, resultMessage, titleOf } from './dispatch';
import type { LoopPart } from './loop';
import type { ModelClient, ModelPart } from './model';
import { ModelError } from './model';
import type { Permissions } from './permissions';
import type { BuildPrompt } from './prompt';
import type { Steps } from './steps';
import { SYSTEM } from './system';
import { toolDescriptions, tools } from './tools';
import type { FileNotes } from './tools/tool';
import { fail } from './tools/tool';
import type { Workspace } from './tools/workspace';

/** The person stopped the run. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  constructor() {
    super('Stopped by the person.');
  }
}

/** A run cannot go on; the message says what to do. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
}

export interface IterationOptions {
  readonly steps: Steps;
  readonly workspace: Workspace;
  readonly files: FileNotes;
  readonly permissions: Permissions;
  readonly buildPrompt: BuildPrompt;
  readonly signal: AbortSignal;
  model(): ModelClient | null;
  look(): Promise<void>;
  emit(part: LoopPart): void;
  /** Told the text of the answer so far. */
  stream(text: string): void;
  onError(error: unknown): void;
}

/** One round of the loop: a prompt, an answer, the tools that it calls, with every seam in its place. */
export class Iteration {
  constructor(private readonly options: IterationOptions) {}

  /** `last`: no other round follows. Rejects when the run is stopped or fails, with the transcript in order. */
  async perform(last: boolean): Promise<'again' | 'done'> {
    const { steps } = this.options;
    await this.lookAtFiles();
    this.options.signal.throwIfAborted();
    steps.drain('pre_compact');
    // A compaction that is due has its place here.
    steps.drain('post_compact');
    steps.drain('iteration_start');
    const answer = await this.ask();
    try {
      if (answer.calls.length > 0) await this.runBatch(answer);
    } finally {
      steps.answerCalls('The person stopped the run before this call was made.');
      steps.endTurn();
    }
    const finishing = answer.calls.length === 0;
    const seam = steps.drain('iteration_end', finishing || last);
    return finishing && !seam.continue ? 'done' : 'again';
  }

  private async lookAtFiles(): Promise<void> {
    try {
      await this.options.look();
    } catch (error) {
      this.options.onError(error);
    }
  }

  private async ask(): Promise<Answer> {
    const { steps, signal } = this.options;
    const model = this.options.model();
    if (model === null) {
      throw new RunFailure('No model is chosen for this session. Choose one, then send again; your message is kept.');
    }
    const prompt = this.options.buildPrompt(steps.session);
    if (prompt.error !== null) throw new RunFailure(prompt.error);
    const answer = new Answer();
    try {
      const request = { system: SYSTEM, messages: prompt.messages, tools: toolDescriptions };
      for await (const part of untilAborted(model.send(request, signal), signal)) this.take(answer, part);
      if (!answer.began) this.accept();
    } catch (error) {
      this.breakOff(model, answer, error);
      throw this.failureOf(error);
    } finally {
      this.options.stream('');
    }
    if (!this.keep(model, answer)) {
      throw new RunFailure(`${model.name} gave an empty answer. Send again, or choose another model.`);
    }
    return answer;
  }

  private take(answer: Answer, part: ModelPart): void {
    if (!answer.began) this.accept();
    answer.add(part);
    if (part.type !== 'text') return;
    this.options.stream(answer.text);
    this.options.emit({ type: 'text', text: part.text });
  }

  private accept(): void {
    const fired = this.options.steps.request(true);
    if (fired.length > 0) this.options.emit({ type: 'directives', reminder_ids: fired });
  }

  /** What had arrived is kept, and its calls are answered, so that the next request is a whole one. */
  private breakOff(model: ModelClient, answer: Answer, error: unknown): void {
    const { steps, signal } = this.options;
    if (!answer.began) steps.request(false);
    const turn_number = steps.session.state.turn;
    if (this.keep(model, answer)) {
      steps.answerCalls(
        signal.aborted
          ? 'The person stopped the run before this call was made.'
          : 'The answer broke off before this call was made.',
      );
      steps.endTurn();
    }
    if (signal.aborted) return;
    const refused = error instanceof ModelError && error.refused;
    const text = this.failureOf(error).message;
    steps.record('model.failed', { text, message: text, refused, turn_number });
  }

  private keep(model: ModelClient, answer: Answer): boolean {
    const message = answer.message();
    if (message !== null) this.options.steps.append(message, model.name);
    if (answer.usage !== null) this.options.steps.usage(answer.usage, model.name);
    return message !== null;
  }

  private failureOf(error: unknown): Error {
    if (this.options.signal.aborted) return new Stopped();
    if (error instanceof ModelError) return new RunFailure(error.message);
    this.options.onError(error);
    const text = error instanceof Error ? error.message : String(error);
    return new RunFailure(`The model failed: ${text}. Your message is kept; send again, or choose another model.`);
  }

  private async runBatch(answer: Answer): Promise<void> {
    const { steps } = this.options;
    for (const call of answer.calls) {
      const { id, name, input } = call;
      this.options.emit({ type: 'call', id, name, input, title: titleOf(tools, call) });
    }
    if (!steps.drain('pre_tool_dispatch').skips_batch) {
      for (const call of answer.calls) await this.runCall(call);
    }
    steps.drain('post_tool_dispatch');
  }

  private async runCall(call: Answer['calls'][number]): Promise<void> {
    const { steps, signal, permissions, workspace, files, onError } = this.options;
    signal.throwIfAborted();
    try {
      const result = await dispatch(call, {
        tools,
        permissions,
        context: { workspace, files, signal },
        answered: (_call, tool, allowed) => {
          const title = titleOf(tools, call);
          const text = `${allowed ? 'Allowed' : 'Not allowed'}: ${title}`;
          steps.record('permission.answered', { text, call_id: call.id, tool: tool.description.name, title, allowed });
        },
        onError,
      });
      steps.append(resultMessage(call, result));
      this.options.emit({ type: 'result', id: call.id, name: call.name, failed: result.failed, text: result.text });
    } catch (error) {
      if (signal.aborted) {
        const text = 'The person stopped this call while it ran; it may have done a part of its work.';
        steps.append(resultMessage(call, fail(text)));
      }
      throw error;
    }
  }
}

/** A stream that ends at once when the signal says so, even where the model does not listen to it. */
async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Stopped());
    signal.addEventListener('abort', stop, { once: true });
  });
  // Whoever waits for it hears of it below; where nobody does it is no fault.
  aborted.catch(() => undefined);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
    void iterator.return?.()?.then(undefined, () => undefined);
  }
}
