import { expect, test } from 'vitest';
import { dispatch } from '../../../../../extension/agents/builtin/dispatch';
import { Permissions } from '../../../../../extension/agents/builtin/permissions';
import { tools } from '../../../../../extension/agents/builtin/tools';
import type { FileNotes, ToolResult } from '../../../../../extension/agents/builtin/tools/tool';
import { openWorkspace } from '../../../../../extension/agents/builtin/tools/workspace';
import type { Content } from '../folder';
import { contentOf, makeFolder } from '../folder';

/** One call of a tool, and what must come of it. */
export interface Row {
  readonly name: string;
  readonly files?: Readonly<Record<string, Content>>;
  readonly tool: string;
  readonly input: unknown;
  /** The person's answer; true unless said otherwise. */
  readonly allow?: boolean;
  readonly failed?: boolean;
  readonly truncated?: boolean;
  /** The whole text. */
  readonly text?: string;
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
  /** Files afterwards; null: there is none. */
  readonly after?: Readonly<Record<string, string | null>>;
  /** What was noted of files, in order. */
  readonly notes?: readonly string[];
  readonly asked?: readonly string[];
}

interface Called {
  readonly result: ToolResult;
  readonly notes: readonly string[];
  readonly asked: readonly string[];
}

export async function callTool(
  root: string,
  row: Pick<Row, 'tool' | 'input' | 'allow'>,
  signal = new AbortController().signal,
): Promise<Called> {
  const notes: string[] = [];
  const asked: string[] = [];
  const relative = (path: string): string => path.slice(root.length + 1);
  const files: FileNotes = {
    read: (path) => void notes.push(`read ${relative(path)}`),
    wrote: (path) => void notes.push(`wrote ${relative(path)}`),
    missed: (path) => void notes.push(`missed ${relative(path)}`),
    hold: (action) => action(),
    during: (action) => {
      notes.push('during');
      return action();
    },
  };
  const permissions = new Permissions('s', () => {
    for (const view of permissions.views) {
      asked.push(view.title);
      permissions.answer(view.id, row.allow ?? true, false);
    }
  });
  const call = { id: 'c1', name: row.tool, input: row.input };
  const context = { workspace: await openWorkspace(root), files, signal };
  const result = await dispatch(call, {
    tools,
    permissions,
    context,
    answered: () => undefined,
    started: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  return { result, notes, asked };
}

export function checkTool(row: Row): void {
  test(row.name, async () => {
    const root = await makeFolder(row.files);
    const { result, notes, asked } = await callTool(root, row);
    expect(result.text).not.toContain(root);
    if (row.text !== undefined) expect(result.text).toBe(row.text);
    for (const part of row.contains ?? []) expect(result.text).toContain(part);
    for (const part of row.lacks ?? []) expect(result.text).not.toContain(part);
    expect(result.failed).toBe(row.failed ?? false);
    expect(result.truncated).toBe(row.truncated ?? false);
    if (row.notes !== undefined) expect(notes).toEqual(row.notes);
    if (row.asked !== undefined) expect(asked).toEqual(row.asked);
    for (const [path, content] of Object.entries(row.after ?? {})) expect(await contentOf(root, path)).toBe(content);
  });
}
