import { chat } from 'vscode';
import type { ChatContext, ChatRequest, ChatResponseStream, ChatResult, CancellationToken } from 'vscode';
import type { AgentLoop } from '../agents/builtin/loop';
import type { LoopPart } from '../agents/builtin/loopView';
import type { Disposable } from '../session/disposable';
import type { OpenSession } from './sessions';
import { commandId, participantId } from './names';
import { chatModel } from './models';
import { counted } from './words';

/** What a chat needs of the rest: a session to run in, and its loop. */
export interface ChatSessions {
  /** The session of an earlier turn of the same chat, or a new one. */
  open(id: string | null): Promise<{ session: OpenSession; loop: AgentLoop }>;
}

/** `@inspector`: runs our own loop from VS Code's chat view with the model that is chosen there. */
export function registerChat(sessions: ChatSessions): Disposable {
  const participant = chat.createChatParticipant(participantId, (request, context, response, token) =>
    answer(sessions, request, context, response, token),
  );
  return participant;
}

async function answer(
  sessions: ChatSessions,
  request: ChatRequest,
  context: ChatContext,
  response: ChatResponseStream,
  token: CancellationToken,
): Promise<ChatResult> {
  const { session, loop } = await sessions.open(sessionOf(context));
  loop.setModel(chatModel(request.model));
  const emitting = loop.onDidEmit((part) => tell(response, part));
  const cancelling = token.onCancellationRequested(() => void loop.stop());
  try {
    const sent = await loop.send(request.prompt);
    const outcome = await sent.run;
    response.button({
      command: commandId('openInspector'),
      title: 'Open Inspector',
      arguments: [{ key: session.key }],
    });
    const metadata = { session_id: session.inspected.id };
    return outcome.error === null ? { metadata } : { metadata, errorDetails: { message: outcome.error } };
  } finally {
    emitting.dispose();
    cancelling.dispose();
  }
}

/** The session that this chat used before, from what we left on its last answer. */
function sessionOf(context: ChatContext): string | null {
  for (const turn of context.history.toReversed()) {
    if (!('result' in turn)) continue;
    const id: unknown = turn.result.metadata?.['session_id'];
    if (typeof id === 'string') return id;
  }
  return null;
}

function tell(response: ChatResponseStream, part: LoopPart): void {
  switch (part.type) {
    case 'text':
      return void response.markdown(part.text);
    case 'call':
      return void response.progress(part.title);
    case 'result':
      return part.failed ? void response.progress(`${part.name} failed`) : undefined;
    case 'directives':
      return void response.progress(`${counted(part.reminder_ids.length, 'directive')} delivered`);
  }
}
