import './dom';
import { act, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import type { Method, Params, Row } from '../../../extension/protocol';
import { App } from '../../../webview/app';
import { InspectorProvider } from '../../../webview/state/context';
import { createInspector, type Inspector } from '../../../webview/state/inspector';
import { createFakeHost, type FakeHost, type RowSource, sourceOf } from './host';
import { viewOf } from './rows';

// Whether something is hidden is not worked out for every element: without styles nothing is.
configure({ defaultHidden: true, asyncUtilTimeout: 10_000 });

interface Options {
  readonly view?: Parameters<typeof viewOf>[0];
  readonly rows?: readonly Row[] | RowSource;
  readonly saved?: unknown;
  readonly answers?: FakeHost['answers'];
}

/** An inspector in a document, with a host that answers. */
export interface Opened {
  readonly host: FakeHost;
  readonly inspector: Inspector;
  readonly user: UserEvent;
  /** Sends something from the host and lets it take effect. */
  readonly send: (message: unknown) => Promise<void>;
  readonly change: (change: Parameters<typeof viewOf>[0]) => Promise<void>;
  /** The parameters of all requests of one kind so far. */
  readonly asked: <M extends Method>(method: M) => Params<M>[];
  /** Waits until a request like this was made. */
  readonly waitAsked: <M extends Method>(method: M, params: Partial<Params<M>>) => Promise<void>;
}

export async function openInspector({ view, rows = [], saved, answers = {} }: Options = {}): Promise<Opened> {
  const source = 'at' in rows && typeof rows.at === 'function' && !Array.isArray(rows) ? rows : sourceOf(rows as Row[]);
  const { count } = source as RowSource;
  const host = createFakeHost({
    view: viewOf({ rows: { count, total: count }, ...view }),
    rows: source as RowSource,
    saved: saved ?? { follow: false },
  });
  host.answers = answers;
  const inspector = createInspector(host);
  const { unmount } = render(
    <InspectorProvider value={inspector}>
      <App />
    </InspectorProvider>,
  );
  onTestFinished(() => {
    unmount();
    inspector.dispose();
  });
  const settle = async (): Promise<void> => {
    await waitFor(() => expect(inspector.transcript.settled || host.view.session === null).toBe(true));
  };
  await settle();
  const asked: Opened['asked'] = (method) =>
    host.asked.filter((each) => each.method === method).map(({ params }) => params as never);
  return {
    host,
    inspector,
    user: userEvent.setup({ delay: null }),
    send: (message) => act(async () => host.send(message)),
    change: async (change) => {
      await act(async () => host.change(change ?? {}));
      await settle();
    },
    asked,
    waitAsked: (method, params) =>
      waitFor(() => expect(asked(method)).toContainEqual(expect.objectContaining(params as object))),
  };
}

/** A button of the toolkit: its name stands in the document, its button in a shadow tree. */
export function toolkitButton(name: string, within_: HTMLElement = document.body): HTMLElement {
  const found = [...within_.querySelectorAll<HTMLElement>('vscode-button')].filter(
    (button) => button.textContent === name,
  );
  expect(found.map((button) => button.textContent)).toEqual([name]);
  return found[0] as HTMLElement;
}

export const hasToolkitButton = (name: string, within_: HTMLElement = document.body): boolean =>
  [...within_.querySelectorAll('vscode-button')].some((button) => button.textContent === name);

/** A field of the toolkit by its label, filled in. */
export async function fillField(label: string, value: string): Promise<void> {
  const field = [
    ...document.querySelectorAll<HTMLElement & { value: string }>('vscode-text-field, vscode-text-area'),
  ].find((element) => element.textContent === label);
  if (!field) throw new Error(`There is no field with the label ${label}.`);
  await act(async () => {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** The drawn row of a number, from 0. */
export function rowAt(row: number): HTMLElement {
  const found = within(screen.getByRole('grid', { name: 'Transcript' }))
    .getAllByRole('row')
    .find((element) => element.getAttribute('aria-rowindex') === String(row + 1));
  if (!found) throw new Error(`Row ${row} is not drawn.`);
  return found;
}
