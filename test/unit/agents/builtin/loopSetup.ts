import { onTestFinished } from 'vitest';
import { AgentLoop } from '../../../../extension/agents/builtin/loop';
import type { LoopPart } from '../../../../extension/agents/builtin/loopView';
import type { ModelClient } from '../../../../extension/agents/builtin/model';
import { openWorkspace } from '../../../../extension/agents/builtin/tools/workspace';
import type { FileEvent } from '../../../../extension/agents/files/watch';
import { FileWatch } from '../../../../extension/agents/files/watch';
import type { LogRecord } from '../../../../extension/engine/state/record';
import type { Json, Message } from '../../../../extension/engine/transcript/message';
import { isObject } from '../../../../extension/engine/transcript/message';
import { Emitter } from '../../../../extension/session/disposable';
import { Session } from '../../../../extension/session/session';
import { testDeps } from '../../session/support';
import type { Content } from './folder';
import { makeFolder } from './folder';

export interface Setup {
  readonly root: string;
  readonly session: Session;
  readonly loop: AgentLoop;
  readonly files: FileWatch;
  readonly events: Emitter<FileEvent>;
  readonly focus: Emitter<void>;
  readonly records: LogRecord[];
  readonly parts: LoopPart[];
  readonly errors: unknown[];
  /** What is batched up to be looked into; call it in place of waiting. */
  readonly settle: () => Promise<void>;
}

export interface SetupOptions {
  readonly files?: Readonly<Record<string, Content>>;
  readonly model?: ModelClient | null;
  /** Answers every request for permission; absent: they wait. */
  readonly allow?: boolean;
  readonly limit?: number;
  readonly policy?: string;
  readonly denied?: (path: string) => boolean;
  readonly widened?: (path: string) => boolean;
  /** A session's folder to open again, with its workspace. */
  readonly again?: { readonly folder: string; readonly root: string };
}

/** A session with its loop, in folders of its own. */
export async function startLoop(options: SetupOptions = {}): Promise<Setup & { readonly folder: string }> {
  const root = options.again?.root ?? (await makeFolder(options.files));
  const folder = options.again?.folder ?? (await makeFolder());
  const deps = testDeps(options.again === undefined ? '00000000' : '00000001');
  const about = { title: 'New session', agent: 'Own agent', own: true, workspace: root, source: null };
  const session = await Session.open(folder, 's1', deps, about);
  if (options.policy !== undefined) session.setPolicy({ policy: options.policy });
  const { errors } = deps;
  const onError = (error: unknown): void => void errors.push(error);
  const events = new Emitter<FileEvent>(onError);
  const focus = new Emitter<void>(onError);
  const files = new FileWatch({
    session,
    roots: [root],
    events: events.event,
    focus: focus.event,
    denied: options.denied ?? (() => false),
    ...(options.widened === undefined ? {} : { widened: options.widened }),
    later: () => ({ dispose: () => undefined }),
    onError,
  });
  const loop = new AgentLoop({
    session,
    workspace: await openWorkspace(root),
    files,
    models: () => options.model ?? null,
    look: () => files.look(),
    onError,
    ...(options.limit === undefined ? {} : { limit: options.limit }),
  });
  const records: LogRecord[] = [];
  const parts: LoopPart[] = [];
  session.onDidAppend((added) => void records.push(...added));
  loop.onDidEmit((part) => void parts.push(part));
  loop.onDidChange((view) => {
    if (options.allow === undefined) return;
    for (const permission of view.permissions) loop.permit(permission.id, options.allow);
  });
  onTestFinished(async () => {
    await loop.stop();
    files.dispose();
    loop.dispose();
    session.dispose();
  });
  return { root, folder, session, loop, files, events, focus, records, parts, errors, settle: () => files.settled() };
}

export function messagesOf(session: Session): readonly Message[] {
  return session.state.messages.toArray();
}

/** A transcript in one word a message, for tables: `user`, `assistant`, `call`, `result`, `failed`, `envelope`. */
export function shapeOf(session: Session): string {
  return messagesOf(session)
    .map((message, index) => {
      if (session.state.envelopes.get(String(index)) !== undefined) return 'envelope';
      const blocks = blocksOf(message);
      if (blocks.some((block) => block.type === 'tool_use')) return 'call';
      const results = blocks.filter((block) => block.type === 'tool_result');
      if (results.length > 0) return results.map((block) => (block.is_error === true ? 'failed' : 'result')).join('+');
      return textOf(message.role);
    })
    .join(' ');
}

export function blocksOf(message: Message | undefined): readonly Readonly<Record<string, Json | undefined>>[] {
  const content = message?.content;
  return Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
}

/** Texts of all results, in order. */
export function resultTexts(session: Session): readonly string[] {
  return messagesOf(session)
    .flatMap(blocksOf)
    .filter((block) => block.type === 'tool_result')
    .map((block) => textOf(block.content));
}

/** Kinds of the records so far that are about what `matches`. */
export function kindsOf(records: readonly LogRecord[], matches: RegExp): readonly string[] {
  return records.map((record) => record.event.kind).filter((kind) => matches.test(kind));
}

/** Every call of a transcript has a result, and no result lacks its call. */
export function unanswered(session: Session): readonly string[] {
  const calls = messagesOf(session).flatMap(blocksOf);
  const answered = calls.filter((block) => block.type === 'tool_result').map((block) => textOf(block.tool_use_id));
  const made = calls.filter((block) => block.type === 'tool_use').map((block) => textOf(block.id));
  return [...made.filter((id) => !answered.includes(id)), ...answered.filter((id) => !made.includes(id))];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
