import type { Message } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import type { Call } from './answer';
import type { Permissions } from './permissions';
import { checkArguments } from './tools/arguments';
import type { Tool, ToolContext, ToolResult } from './tools/tool';
import { ToolFault } from './tools/fault';
import { fail } from './tools/tool';

export interface DispatchOptions {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly permissions: Permissions;
  /** Told what a person answered. */
  readonly answered: (call: Call, tool: Tool, allowed: boolean) => void;
  /** Told right before the tool runs. */
  readonly started: () => void;
  readonly onError: (error: unknown) => void;
}

/** Runs one call. Whatever is wrong with it becomes a failed result for the model; rejects only when the run is stopped. */
export async function dispatch(call: Call, options: DispatchOptions): Promise<ToolResult> {
  const tool = options.tools.find((one) => one.description.name === call.name);
  if (tool === undefined) {
    const names = options.tools.map((one) => one.description.name).join(', ');
    return fail(`There is no tool \`${call.name}\`. The tools are ${names}.`);
  }
  const problems = checkArguments(tool.description.parameters, call.input);
  if (problems.length > 0 || !isObject(call.input)) {
    return fail(
      `The arguments of \`${call.name}\` are not valid: ${problems.join('; ')}. Call it again with valid ones.`,
    );
  }
  const { signal } = options.context;
  if (tool.asks) {
    const allowed = await options.permissions.ask(call.id, tool, call.input, signal);
    options.answered(call, tool, allowed);
    if (!allowed) return fail('The person did not allow this, so it was not done. Ask before you try it again.');
  }
  options.started();
  try {
    return await tool.run(call.input, options.context);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ToolFault) return fail(error.message);
    options.onError(error);
    return fail(
      `\`${call.name}\` failed for a reason that is not known: ${error instanceof Error ? error.message : 'no message'}.`,
    );
  }
}

/** The message that answers a call. */
export function resultMessage(call: Call, result: ToolResult): Message {
  const block = { type: 'tool_result', tool_use_id: call.id, content: result.text, is_error: result.failed };
  return { role: 'user', content: [block] };
}

/** One line for people about a call that may be anything. */
export function titleOf(tools: readonly Tool[], call: Call): string {
  const tool = tools.find((one) => one.description.name === call.name);
  if (tool === undefined || !isObject(call.input)) return call.name;
  return checkArguments(tool.description.parameters, call.input).length > 0 ? call.name : tool.title(call.input);
}
