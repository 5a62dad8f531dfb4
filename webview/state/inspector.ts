import {
  ChannelClosed,
  createChannel,
  type Directive,
  type InspectorView,
  type Method,
  type Params,
  type ReminderForm,
  type Result,
  type SavedState,
  type Tab,
  type ToWebview,
} from '../../extension/protocol';
import { createDirectives, type DirectivesStore } from '../directives/list';
import { draftOf, type FormDraft, formOf } from '../directives/draft';
import { createSearch, type Search } from '../rows/search';
import { createTranscript, type Transcript } from '../rows/transcript';
import { createAnnouncer, type Announcer } from './announcer';
import type { Ask } from './ask';
import { checkMessage, checkResult } from './check';
import type { Host } from './host';
import { EMPTY_FORM, readSaved } from './saved';
import { createStore, type Store } from './store';

export type FocusTarget = 'search' | 'composer' | 'policy' | 'form';

/** What the window shows beside the rows. */
export interface WindowState {
  readonly view: InspectorView | null;
  readonly tab: Tab;
  readonly side: SavedState['side'];
  /** What is written in the composer. */
  readonly draft: string;
  /** The directive being written; null: the form is closed. */
  readonly form: FormDraft | null;
  /** A quiet note about something that could not be understood. */
  readonly note: string | null;
  /** What the last action ran into, where no better place for it exists. */
  readonly fault: string | null;
  /** The standing error that the person has closed. */
  readonly closedError: string | null;
  /** Where the keyboard should go; a new number asks again. */
  readonly focus: { readonly target: FocusTarget; readonly ask: number } | null;
}

export interface Inspector {
  readonly state: Store<WindowState>;
  readonly transcript: Transcript;
  readonly search: Search;
  readonly directives: DirectivesStore;
  readonly announcer: Announcer;
  readonly ask: Ask;
  /** Asks the host and shows a failure at the head of the window. */
  readonly act: <M extends Method>(method: M, params: Params<M>) => void;
  readonly showTab: (tab: Tab) => void;
  readonly setSide: (side: SavedState['side']) => void;
  readonly setDraft: (draft: string) => void;
  readonly setForm: (form: FormDraft | null) => void;
  /** Opens the form with a corrective directive about one that was delivered. */
  readonly correct: (directive: Directive) => void;
  readonly focus: (target: FocusTarget) => void;
  readonly closeNote: () => void;
  readonly closeFault: () => void;
  readonly closeError: () => void;
  /** Tells the host what broke in here. */
  readonly report: (message: string) => void;
  readonly dispose: () => void;
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const CORRECTION_START = 120;

function correctionOf(directive: Directive): ReminderForm {
  const flat = directive.body.replace(/\s+/g, ' ').trim();
  const start = flat.length > CORRECTION_START ? `${flat.slice(0, CORRECTION_START)}…` : flat;
  return {
    ...EMPTY_FORM,
    body: `This corrects the earlier directive “${start}”: `,
    dedupe_key: directive.dedupe_key,
    tags: directive.tags,
    authority: 'corrective',
  };
}

export function createInspector(host: Host): Inspector {
  const saved = readSaved(host.saved());
  const state = createStore<WindowState>({
    view: null,
    tab: saved.tab,
    side: saved.side,
    draft: saved.draft,
    form: saved.form && draftOf(saved.form),
    note: null,
    fault: null,
    closedError: null,
    focus: null,
  });
  const channel = createChannel((message) => host.post(message));
  const announcer = createAnnouncer();
  let asked = 0;
  let saving: ReturnType<typeof setTimeout> | null = null;

  const ask = async <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> => {
    const result = await channel.request(method, params);
    const fault = checkResult(method, result);
    if (fault === null) return result;
    noteMalformed(`${method}: ${fault}`);
    throw new Error('The answer could not be understood. Reload the window; if it stays, look at the extension’s log.');
  };

  const saveNow = (): void => {
    if (saving !== null) clearTimeout(saving);
    saving = null;
    const { tab, side, draft, form } = state.get();
    const at = transcript.place();
    host.save({ tab, side, draft, form: form && formOf(form), top_row: at.row, follow: at.follow });
  };
  /** For what changes many times in a row: scrolling and typing. */
  const save = (): void => {
    saving ??= setTimeout(saveNow, 200);
  };

  /** What is being written is meant for one session; it waits there while another one is shown. */
  const aside = new Map<string, Pick<WindowState, 'draft' | 'form'>>();
  const putAside = (from: string | null, to: string | null): void => {
    if (from === to) return;
    if (from !== null) {
      const { draft, form } = state.get();
      aside.set(from, { draft, form });
      state.set({ draft: '', form: null });
    }
    const kept = to === null ? undefined : aside.get(to);
    if (kept) state.set(kept);
  };

  const noteMalformed = (what: string): void => {
    state.set({ note: `A message from the extension could not be understood and was left out (${what}).` });
    host.post({ type: 'failed', message: `malformed message: ${what}` });
  };

  const transcript = createTranscript({
    ask,
    announce: announcer.rows,
    onMove: save,
    from: { row: saved.top_row, follow: saved.follow },
  });
  const search = createSearch({ ask, transcript });
  const directives = createDirectives({ ask, announce: announcer.say });

  const receive = (message: ToWebview): void => {
    switch (message.type) {
      case 'view': {
        const last = state.get().view;
        putAside(last?.session?.id ?? null, message.view.session?.id ?? null);
        if (last && message.view.revision < last.revision && last.session?.id === message.view.session?.id) return;
        if (message.view.error === null) state.set({ view: message.view, closedError: null });
        else state.set({ view: message.view });
        transcript.show(message.view);
        directives.show(message.view);
        return;
      }
      case 'answer':
        channel.settle(message.id, { result: message.result });
        return;
      case 'failure':
        channel.settle(message.id, { error: message.error });
        return;
      case 'reveal':
        inspector.showTab('transcript');
        transcript.jump(message.row);
        return;
      case 'tab':
        inspector.showTab(message.tab);
        return;
      case 'focus':
        inspector.focus(message.target);
        return;
    }
  };

  const stop = host.listen((message) => {
    const checked = checkMessage(message);
    if ('value' in checked) receive(checked.value);
    else noteMalformed(checked.fault);
  });

  const inspector: Inspector = {
    state,
    transcript,
    search,
    directives,
    announcer,
    ask,
    act(method, params) {
      ask(method, params).then(
        () => {
          if (state.get().fault !== null) state.set({ fault: null });
        },
        (error: unknown) => {
          if (!(error instanceof ChannelClosed)) state.set({ fault: words(error) });
        },
      );
    },
    showTab(tab) {
      state.set({ tab });
      saveNow();
    },
    setSide(side) {
      state.set({ side });
      saveNow();
    },
    setDraft(draft) {
      state.set({ draft });
      save();
    },
    setForm(form) {
      state.set({ form });
      save();
    },
    correct(directive) {
      state.set({ tab: 'directives', form: { ...draftOf(correctionOf(directive)), corrects: directive.authority } });
      inspector.focus('form');
      save();
    },
    focus(target) {
      if (target === 'search') state.set({ tab: 'transcript' });
      if (target === 'form') state.set({ tab: 'directives', form: state.get().form ?? draftOf(EMPTY_FORM) });
      state.set({ focus: { target, ask: ++asked } });
    },
    closeNote: () => state.set({ note: null }),
    closeFault: () => state.set({ fault: null }),
    closeError: () => state.set({ closedError: state.get().view?.error ?? null }),
    report: (message) => host.post({ type: 'failed', message }),
    dispose() {
      stop();
      if (saving !== null) clearTimeout(saving);
      channel.close();
      announcer.dispose();
      transcript.dispose();
    },
  };
  host.post({ type: 'ready' });
  return inspector;
}
