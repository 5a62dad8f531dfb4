import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelChatToolMode,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
  window,
} from 'vscode';
import type { LanguageModelChat, Memento, QuickPickItem } from 'vscode';
import { fromLmParts, toLmMessages, toLmTools } from '../agents/builtin/models/mapping';
import type { LmMessage } from '../agents/builtin/models/mapping';
import { ModelError } from '../agents/builtin/model';
import type { ModelClient, ModelPart, ModelRequest } from '../agents/builtin/model';
import { readScenario } from '../agents/builtin/models/scenario';
import type { Scenario } from '../agents/builtin/models/scenarioSchema';
import { ScriptedModel } from '../agents/builtin/models/scripted';
import { noModels, scenarioUnreadable } from './errors';

/** Which model a session talks to, as it is kept over a reload. */
export type ModelChoice =
  { readonly kind: 'scripted'; readonly scenario: string } | { readonly kind: 'vscode'; readonly id: string };

const choicesKey = 'models';

/** The models that VS Code offers, and scripted ones; which session uses which is remembered. */
export class Models {
  constructor(private readonly memento: Memento) {}

  choiceOf(session_id: string): ModelChoice | null {
    return this.choices[session_id] ?? null;
  }

  async remember(session_id: string, choice: ModelChoice | null): Promise<void> {
    const { [session_id]: _before, ...others } = this.choices;
    await this.memento.update(choicesKey, choice ? { ...others, [session_id]: choice } : others);
  }

  /** The client of a choice made before; null: that model is not offered any more. */
  async resolve(choice: ModelChoice, workspace: string): Promise<ModelClient | null> {
    if (choice.kind === 'scripted') return (await scripted(choice.scenario, workspace)).model;
    const [chat] = await lm.selectChatModels({ id: choice.id });
    return chat ? chatModel(chat) : null;
  }

  /** Lets the person choose among VS Code's chat models; null: none was chosen. */
  async choose(): Promise<{ choice: ModelChoice; model: ModelClient } | null> {
    const chats = await lm.selectChatModels();
    if (chats.length === 0) throw noModels();
    const items = chats.map((chat): QuickPickItem & { chat: LanguageModelChat } => ({
      label: chat.name,
      description: chat.vendor,
      detail: `${chat.maxInputTokens.toLocaleString('en')} tokens of context`,
      chat,
    }));
    const item = await window.showQuickPick(items, {
      title: 'Choose Model',
      placeHolder: 'The model that the agent talks to',
      matchOnDescription: true,
    });
    return item ? { choice: { kind: 'vscode', id: item.chat.id }, model: chatModel(item.chat) } : null;
  }

  private get choices(): Readonly<Record<string, ModelChoice>> {
    return this.memento.get<Readonly<Record<string, ModelChoice>>>(choicesKey, {});
  }
}

/** Reads a scenario and makes the model that plays it; throws a `UserError` that says what is wrong with it. */
export async function scripted(file: string, workspace: string): Promise<{ scenario: Scenario; model: ScriptedModel }> {
  const path = isAbsolute(file) ? file : join(workspace, file);
  try {
    const scenario = await readScenario(await readFile(path, 'utf8'), file);
    return { scenario, model: new ScriptedModel(scenario, { workspace }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw scenarioUnreadable(file, error.message);
  }
}

/** A chat model of VS Code's as a client of the loop. */
export function chatModel(chat: LanguageModelChat): ModelClient {
  return {
    id: chat.id,
    name: chat.name,
    window: chat.maxInputTokens > 0 ? chat.maxInputTokens : null,
    send: (request, signal) => send(chat, request, signal),
  };
}

async function* send(chat: LanguageModelChat, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
  const cancel = new CancellationTokenSource();
  const abort = (): void => cancel.cancel();
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) cancel.cancel();
    const tools = toLmTools(request.tools);
    const response = await chat.sendRequest(
      toLmMessages(request).map(chatMessage),
      {
        justification: 'The own agent of Transcript Inspector sends it your messages and what its tools read.',
        ...(tools.length > 0 && { tools: [...tools], toolMode: LanguageModelChatToolMode.Auto }),
      },
      cancel.token,
    );
    yield* fromLmParts(response.stream, {
      text: (part) => (part instanceof LanguageModelTextPart ? part.value : null),
      call: (part) =>
        part instanceof LanguageModelToolCallPart ? { id: part.callId, name: part.name, input: part.input } : null,
    });
  } catch (error) {
    throw signal.aborted ? error : modelError(chat, error);
  } finally {
    signal.removeEventListener('abort', abort);
    cancel.dispose();
  }
}

function chatMessage({ role, parts }: LmMessage): LanguageModelChatMessage {
  if (role === 'assistant') {
    const content: (LanguageModelTextPart | LanguageModelToolCallPart)[] = [];
    for (const part of parts) {
      if (part.type === 'text') content.push(new LanguageModelTextPart(part.text));
      else if (part.type === 'call') content.push(new LanguageModelToolCallPart(part.id, part.name, part.input));
    }
    return LanguageModelChatMessage.Assistant(content);
  }
  const content: (LanguageModelTextPart | LanguageModelToolResultPart)[] = [];
  for (const part of parts) {
    if (part.type === 'text') content.push(new LanguageModelTextPart(part.text));
    else if (part.type === 'result')
      content.push(new LanguageModelToolResultPart(part.id, [new LanguageModelTextPart(part.text)]));
  }
  return LanguageModelChatMessage.User(content);
}

/** What VS Code says when a model cannot be used, with what to do about it. */
function modelError(chat: LanguageModelChat, error: unknown): unknown {
  if (error instanceof ModelError) return error;
  if (error instanceof LanguageModelError) {
    // The codes are the names of the factories of the same errors.
    const advice: Readonly<Record<string, string>> = {
      NoPermissions: `You did not allow Transcript Inspector to use ${chat.name}. Send again and allow it, or choose another model.`,
      NotFound: `${chat.name} is no longer offered. Choose another model with the command “Choose Model…”.`,
      Blocked: `${chat.name} refused the request: a quota is used up or the content was filtered. Wait, or choose another model.`,
    };
    return new ModelError(
      advice[error.code] ?? `${chat.name} failed: ${error.message} Try again, or choose another model.`,
      true,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ModelError(`${chat.name} failed: ${reason} Try again, or choose another model.`, false);
}
