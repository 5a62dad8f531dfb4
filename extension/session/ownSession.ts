import type { Message } from '../engine/transcript/message';
import type { LaneView, SessionStatus, SessionView } from '../protocol/view';
import type { Disposable, Listen } from './disposable';
import { Emitter } from './disposable';
import type { Entry, InspectedSession, LaneReader, SessionChange } from './inspected';
import type { Session } from './session';
import type { Timeline } from './timeline';

/** What the agent loop says of itself. */
export interface OwnLoop {
  readonly status: SessionStatus;
  readonly model: string | null;
  /** Context window of the model in tokens. */
  readonly window: number | null;
  readonly no_composer: string | null;
  readonly onDidChange: Listen<unknown>;
}

const LANE = 'active';

class OwnLane implements LaneReader {
  readonly provisional = false;

  constructor(private readonly timeline: Timeline) {}

  get lane(): LaneView {
    return { id: LANE, label: 'Transcript', kind: 'active', messages: this.messages };
  }

  get length(): number {
    return this.timeline.moments.length;
  }

  get messages(): number {
    return this.timeline.messages.length;
  }

  get context_start(): number {
    return this.timeline.contextStart;
  }

  contextStartAt(message: number): number {
    return this.timeline.contextStartAt(message);
  }

  read(start: number, end: number): Promise<readonly Entry[]> {
    return Promise.resolve(this.timeline.moments.slice(start, end).map((moment) => this.entryOfMoment(moment)));
  }

  message(index: number): Message {
    return this.timeline.messages[index] ?? {};
  }

  entryOf(message: number): number {
    return this.timeline.momentOf(message);
  }

  usageAt(message: number): number | null {
    return this.timeline.usageAt(message);
  }

  get turns(): LaneReader['turns'] {
    const { requests, messages } = this.timeline;
    return { length: requests.length, at: (index) => requests[index]?.end ?? messages.length };
  }

  private entryOfMoment(moment: Timeline['moments'][number]): Entry {
    switch (moment.kind) {
      case 'message': {
        const { message, time_ms, model } = moment;
        return { kind: 'message', message, value: this.message(message), time_ms, cleared: [], model, notes: [] };
      }
      case 'boundary':
        return { kind: 'boundary', boundary: 'compaction', text: moment.text, time_ms: moment.time_ms, line: null };
      case 'record':
        return { kind: 'record', name: moment.name, text: moment.text, time_ms: moment.time_ms, line: null };
    }
  }
}

/** What the inspector shows of a session of our own loop. Disposing it leaves the session and the loop alone. */
export function inspectOwn(session: Session, loop: OwnLoop, onError: (error: unknown) => void): InspectedSession {
  const reader = new OwnLane(session.timeline);
  const changes = new Emitter<SessionChange>(onError);
  let entries = reader.length;
  const parts: Disposable[] = [
    session.onDidChange(() => {
      const grew = reader.length !== entries;
      entries = reader.length;
      changes.fire(grew ? { kind: 'grew', from: null } : { kind: 'about' });
    }),
    loop.onDidChange(() => changes.fire({ kind: 'about' })),
    changes,
  ];
  return {
    id: session.id,
    session,
    own: true,
    progress: null,
    onDidChange: changes.event,
    get lanes() {
      return [reader.lane];
    },
    reader: (lane) => (lane === LANE ? reader : undefined),
    get issues() {
      return session.issues;
    },
    get window() {
      return loop.window;
    },
    get view(): SessionView {
      const { title, about, readOnly } = session;
      return {
        id: session.id,
        title,
        agent: about.agent,
        status: loop.status,
        fidelity: 'Everything is exact: the requests are built here and recorded as they are sent.',
        live: true,
        no_route: readOnly,
        no_composer: readOnly ?? loop.no_composer,
        model: loop.model,
      };
    },
    dispose: () => {
      for (const part of parts) part.dispose();
    },
  };
}
