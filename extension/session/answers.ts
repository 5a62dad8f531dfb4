import { maskSecrets } from '../engine/rows/mask';
import type { Directive, Row } from '../engine/rows/row';
import type { Method, Params, Result } from '../protocol/messages';
import type { Actions, InspectionHost } from './actions';
import { contentsOf, jsonText, pieceOfBlock, sideText } from './rowContents';
import type { InspectedSession } from './inspected';
import { Search } from './search';
import { readRows, rowTotal } from './listing';
import { rowOfMessage } from './perspective';
import type { Perspective } from './perspective';

/** Longest page of rows that is sent, in bytes of JSON. */
const PAGE_BYTES = 200_000;

/** Most rows of a page. */
const PAGE_ROWS = 1000;

/** Says in the log that a person wrote it, as watchers and scripts name themselves. */
const BY_PERSON = { harn: { origin: 'person' } };

const NO_SESSION = 'No session is selected. Choose one in the Sessions view.';

export interface AnswerDeps {
  pause(): Promise<void>;
  readonly actions: Actions;
  readonly host: InspectionHost;
}

/** What is selected in the inspector: what the answers are about. */
export interface Selection {
  readonly session: InspectedSession | null;
  /** Null: no session, or one that has no transcript yet. */
  readonly perspective: Perspective | null;
  /** Of the view. */
  readonly revision: number;
  /** The person chose another policy, turn, branch or filter. */
  choiceChanged(): void;
}

type Handlers = { readonly [M in Method]: (params: Params<M>) => Result<M> | Promise<Result<M>> };

/** Directives as they are shown: secrets masked. */
function maskDirectives(directives: readonly Directive[]): readonly Directive[] {
  return directives.map((directive) => ({ ...directive, body: maskSecrets(directive.body) }));
}

/** Answers every request of the window. A refusal rejects with a message for people. */
export class Answers {
  private readonly search: Search;
  private readonly handlers: Handlers;

  constructor(
    private readonly selection: Selection,
    private readonly deps: AnswerDeps,
  ) {
    this.search = new Search(() => deps.pause());
    this.handlers = { ...this.reading(), ...this.choosing(), ...this.directing(), ...this.handingOn() };
  }

  async answer<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return this.handlers[method](params);
  }

  /** What is still being searched for is not wanted any more. */
  stop(): void {
    this.search.stop();
  }

  private get session(): InspectedSession {
    const { session } = this.selection;
    if (!session) throw new Error(NO_SESSION);
    return session;
  }

  private get perspective(): Perspective {
    const { perspective, session } = this.selection;
    if (perspective) return perspective;
    throw new Error(session ? 'This session has no transcript yet. Wait a moment.' : NO_SESSION);
  }

  private reading(): Pick<Handlers, 'rows' | 'body' | 'locate' | 'search' | 'directives' | 'lifecycle'> {
    return {
      rows: ({ start, count }) => this.rows(start, count),
      body: async ({ key, side, block, offset }) => {
        return pieceOfBlock(await contentsOf(this.perspective.filtered.listing, key), side, block, offset);
      },
      locate: ({ message }) => ({ row: this.locate(message) }),
      search: ({ text, from, backwards }) => this.search.find(this.perspective, text, from, backwards),
      directives: () => {
        const { revision } = this.selection;
        return { revision, directives: maskDirectives(this.session.session.directives()) };
      },
      lifecycle: ({ filter, start, count }) => {
        const { total, kinds, rows } = this.session.session.lifecycle(filter, start, Math.min(count, PAGE_ROWS));
        const masked = rows.map((row) => ({ ...row, text: maskSecrets(row.text) }));
        return { revision: this.selection.revision, total, kinds, start, rows: masked };
      },
    };
  }

  private choosing(): Pick<Handlers, 'set_policy' | 'apply_policy' | 'set_turn' | 'set_lane' | 'set_filter'> {
    const chosen = (): null => {
      this.selection.choiceChanged();
      return null;
    };
    return {
      set_policy: ({ policy, options }) => {
        this.perspective.setPolicy(policy, options);
        return chosen();
      },
      apply_policy: () => {
        this.perspective.apply();
        return chosen();
      },
      set_turn: ({ turn }) => {
        this.perspective.setTurn(turn);
        return chosen();
      },
      set_lane: ({ lane }) => {
        this.perspective.setLane(lane);
        return chosen();
      },
      set_filter: (filter) => {
        this.perspective.setFilter(filter);
        return chosen();
      },
    };
  }

  private directing(): Pick<Handlers, 'remind' | 'revoke' | 'fire_preview' | 'fire' | 'send' | 'stop' | 'permit'> {
    const { actions } = this.deps;
    return {
      remind: (form) => ({ reminder_id: this.session.session.remind({ ...form, _meta: BY_PERSON }).reminderId }),
      revoke: ({ reminder_id }) => ({ status: this.session.session.revoke(reminder_id).status }),
      fire_preview: ({ reminder_id }) => this.session.session.firePreview(reminder_id),
      fire: async ({ reminder_id }) => {
        const { turn, starts_turn, others } = await actions.fire(this.session, reminder_id);
        return { turn, starts_turn, others };
      },
      send: async ({ text }) => {
        if (text.trim() === '') throw new Error('There is nothing to send. Write a message first.');
        const { no_composer } = this.session.view;
        if (no_composer !== null) throw new Error(no_composer);
        await actions.send(this.session, text);
        return null;
      },
      stop: async () => {
        await actions.stop(this.session);
        return null;
      },
      permit: ({ id, allow }) => {
        actions.permit(id, allow);
        return null;
      },
    };
  }

  private handingOn(): Pick<Handlers, 'open' | 'copy' | 'link' | 'command'> {
    const { host } = this.deps;
    return {
      open: (params) => this.open(params),
      copy: async (params) => {
        if (params.what === 'row') {
          await host.copy(sideText(await contentsOf(this.perspective.filtered.listing, params.key), params.side));
          return null;
        }
        const hash = this.perspective.outcome?.prefix_hash;
        if (!hash) throw new Error('The prefix hash is still being computed. Try again in a moment.');
        await host.copy(hash);
        return null;
      },
      link: async ({ url }) => {
        if (!/^(?:https?|mailto):/i.test(url)) throw new Error('Only web and mail addresses can be opened from here.');
        await host.openLink(url);
        return null;
      },
      command: async ({ command }) => {
        await host.run(command);
        return null;
      },
    };
  }

  private async rows(start: number, count: number): Promise<Result<'rows'>> {
    const { filtered } = this.perspective;
    const { revision } = this.selection;
    const total = filtered.rows ? filtered.rows.length : rowTotal(filtered.listing);
    const numbers: number[] = [];
    for (let place = start; place < Math.min(total, start + Math.min(count, PAGE_ROWS)); place++) {
      numbers.push(filtered.rows ? (filtered.rows[place] ?? 0) : place);
    }
    const rows: Row[] = [];
    let bytes = 0;
    await readRows(filtered.listing, numbers, (row) => {
      const masked = row.directives.length === 0 ? row : { ...row, directives: maskDirectives(row.directives) };
      bytes += Buffer.byteLength(JSON.stringify(masked));
      if (bytes > PAGE_BYTES && rows.length > 0) return false;
      rows.push(masked);
      return bytes < PAGE_BYTES;
    });
    return { revision, start, rows };
  }

  private locate(message: number): number | null {
    const row = rowOfMessage(this.perspective, message);
    const { rows } = this.perspective.filtered;
    if (row === null || !rows) return row;
    let low = 0;
    for (let high = rows.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((rows[middle] ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return rows[low] === row ? low : null;
  }

  private async open(params: Params<'open'>): Promise<null> {
    const { host } = this.deps;
    if (params.what === 'issues') {
      const { total, first } = this.session.issues;
      const lines = first.map(
        (issue) => `${issue.line === null ? '' : `line ${issue.line}: `}${issue.kind}: ${issue.text}`,
      );
      const more = total > first.length ? [`… and ${total - first.length} more`] : [];
      await host.showText({ name: 'issues.txt', text: [...lines, ...more, ''].join('\n'), language: 'plaintext' });
      return null;
    }
    if (params.what === 'record') {
      const record = this.session.session.record(params.record_id);
      if (!record) throw new Error('There is no record of this id in the log of the session.');
      await host.showText({ name: `record-${record.id}.json`, text: jsonText(record), language: 'json' });
      return null;
    }
    const contents = await contentsOf(this.perspective.filtered.listing, params.key);
    const documentOf = (side: 'raw' | 'projected') =>
      ({ name: `${contents.name}.${side}.txt`, text: sideText(contents, side), language: 'plaintext' }) as const;
    if (params.what === 'side') await host.showText(documentOf(params.side));
    else await host.showDiff(`${contents.name}: raw and projected`, documentOf('raw'), documentOf('projected'));
    return null;
  }
}
