import { window } from 'vscode';
import type { QuickPickItem, Uri } from 'vscode';
import { outOfRange } from './errors';

/** Lets the person pick one of several; undefined: gave up. */
export async function pick<T>(items: readonly (QuickPickItem & { value: T })[], title: string): Promise<T | undefined> {
  const item = await window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  return item?.value;
}

/** A number within bounds; null: left empty; undefined: gave up. */
export async function askNumber(
  title: string,
  prompt: string,
  least: number,
  most: number,
): Promise<number | null | undefined> {
  const what = least === 1 ? 'turn' : 'message';
  const valid = (text: string): boolean => /^\d+$/u.test(text) && Number(text) >= least && Number(text) <= most;
  const text = await window.showInputBox({
    title,
    prompt,
    validateInput: (value) => (value.trim() === '' || valid(value.trim()) ? undefined : outOfRange(what, most).message),
  });
  if (text === undefined) return undefined;
  return text.trim() === '' ? null : Number(text.trim());
}

export async function chooseFiles(): Promise<Uri[] | undefined> {
  return window.showOpenDialog({
    title: 'Open Session File',
    openLabel: 'Open',
    canSelectMany: true,
    filters: { 'Session files': ['jsonl'], 'All files': ['*'] },
  });
}
