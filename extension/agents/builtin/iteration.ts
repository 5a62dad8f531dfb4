import { ProjectionError } from '../../engine/projection/error';
import { decideAnswerCalls } from '../../engine/reminders/seams';
import type { Prompt } from '../../session/prompts';
import type { Session } from '../../session/session';
import { Answer } from './answer';
import { dispatch, resultMessage, titleOf } from './dispatch';
import type { LoopPart } from './loopView';
import type { ModelClient, ModelPart, ModelRequest } from './model';
import { ModelError } from './model';
import type { Permissions } from './permissions';
import { loopDraft } from './records';
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
  constructor(
    message: string,
    /** The model did not take the request. */
    readonly refused = false,
  ) {
    super(message);
  }
}

export interface IterationOptions {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly files: FileNotes;
  readonly permissions: Permissions;
  readonly signal: AbortSignal;
  readonly model: () => ModelClient | null;
  readonly look: () => Promise<void>;
  readonly emit: (part: LoopPart) => void;
  /** Told the text of the answer so far. */
  readonly stream: (text: string) => void;
  readonly onError: (error: unknown) => void;
}

/** One round of the loop: a prompt, an answer, the tools that it calls, with every seam in its place. */
export class Iteration {
  constructor(private readonly options: IterationOptions) {}

  /** `last`: no other round follows. Rejects when the run is stopped or fails, with the transcript in order. */
  async perform(last: boolean): Promise<'again' | 'done'> {
    const { session } = this.options;
    await this.lookAtFiles();
    this.options.signal.throwIfAborted();
    session.drain('pre_compact');
    // A compaction that is due has its place here.
    session.drain('post_compact');
    session.drain('iteration_start');
    const answer = await this.ask();
    try {
      if (answer.calls.length > 0) await this.runBatch(answer);
    } finally {
      answerCalls(session, 'The person stopped the run before this call was made.');
      session.endTurn();
    }
    const finishing = answer.calls.length === 0;
    const seam = session.drain('iteration_end', { finishing: finishing || last });
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
    const model = this.options.model();
    if (model === null) {
      throw new RunFailure('No model is chosen for this session. Choose one, then send again; your message is kept.');
    }
    const prompt = this.buildPrompt();
    const answer = new Answer();
    try {
      const request = { system: SYSTEM, messages: prompt.messages, tools: toolDescriptions };
      for await (const part of this.answerOf(model, request)) this.take(answer, part);
      if (!answer.began) this.accept();
    } catch (error) {
      if (error instanceof RunFailure || error instanceof Stopped) this.breakOff(model, answer, error);
      throw error;
    } finally {
      this.options.stream('');
    }
    if (!this.keep(model, answer)) {
      throw new RunFailure(`${model.name} gave an empty answer. Send again, or choose another model.`);
    }
    return answer;
  }

  private buildPrompt(): Prompt {
    try {
      return this.options.session.buildPrompt();
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      throw new RunFailure(`The policy of this session cannot be applied: ${error.message}. Apply another policy.`);
    }
  }

  private take(answer: Answer, part: ModelPart): void {
    if (!answer.began) this.accept();
    answer.add(part);
    if (part.type !== 'text') return;
    this.options.stream(answer.text);
    this.options.emit({ type: 'text', text: part.text });
  }

  private accept(): void {
    const fired = this.options.session.promptAccepted().fired;
    if (fired.length > 0) this.options.emit({ type: 'directives', reminder_ids: fired });
  }

  /** What had arrived is kept, and its calls are answered, so that the next request is a whole one. */
  private breakOff(model: ModelClient, answer: Answer, failure: RunFailure | Stopped): void {
    const { session } = this.options;
    if (!answer.began) session.promptRefused();
    const turn_number = session.state.turn;
    if (this.keep(model, answer)) {
      answerCalls(
        session,
        failure instanceof Stopped
          ? 'The person stopped the run before this call was made.'
          : 'The answer broke off before this call was made.',
      );
      session.endTurn();
    }
    if (!(failure instanceof RunFailure)) return;
    const { message, refused } = failure;
    session.append([loopDraft('model.failed', { text: message, message, refused, turn_number })]);
  }

  private keep(model: ModelClient, answer: Answer): boolean {
    const message = answer.message();
    const { session } = this.options;
    if (message !== null) session.addMessage(message, { model: model.name });
    if (answer.usage !== null) session.recordUsage({ ...answer.usage, model: model.name });
    return message !== null;
  }

  /** What the model streams; its own errors become a `RunFailure`, a stop becomes `Stopped`. */
  private async *answerOf(model: ModelClient, request: ModelRequest): AsyncGenerator<ModelPart> {
    const { signal, onError } = this.options;
    try {
      yield* untilAborted(model.send(request, signal), signal);
    } catch (error) {
      if (signal.aborted) throw new Stopped();
      if (error instanceof ModelError) throw new RunFailure(error.message, error.refused);
      onError(error);
      const text = error instanceof Error ? error.message : String(error);
      throw new RunFailure(`The model failed: ${text}. Your message is kept; send again, or choose another model.`);
    }
  }

  private async runBatch(answer: Answer): Promise<void> {
    const { session } = this.options;
    for (const call of answer.calls) {
      const { id, name, input } = call;
      this.options.emit({ type: 'call', id, name, input, title: titleOf(tools, call) });
    }
    if (!session.drain('pre_tool_dispatch').skips_batch) {
      for (const call of answer.calls) await this.runCall(call);
    }
    session.drain('post_tool_dispatch');
  }

  private async runCall(call: Answer['calls'][number]): Promise<void> {
    const { session, signal, permissions, workspace, files, onError } = this.options;
    signal.throwIfAborted();
    let ran = false;
    try {
      const result = await dispatch(call, {
        tools,
        permissions,
        context: { workspace, files, signal },
        answered: (_call, tool, allowed) => {
          const title = titleOf(tools, call);
          const text = `${allowed ? 'Allowed' : 'Not allowed'}: ${title}`;
          const about = { text, call_id: call.id, tool: tool.description.name, title, allowed };
          session.append([loopDraft('permission.answered', about)]);
        },
        started: () => {
          ran = true;
        },
        onError,
      });
      session.addMessage(resultMessage(call, result));
      this.options.emit({ type: 'result', id: call.id, name: call.name, failed: result.failed, text: result.text });
    } catch (error) {
      if (signal.aborted) {
        const text = ran
          ? 'The person stopped this call while it ran; it may have done a part of its work.'
          : 'The person stopped before this call was allowed; it did not run.';
        session.addMessage(resultMessage(call, fail(text)));
      }
      throw error;
    }
  }
}

function answerCalls(session: Session, reason: string): void {
  if (session.state.open_calls.length > 0) session.run((state) => decideAnswerCalls(state, reason));
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
