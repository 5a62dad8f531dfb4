import type { Decision } from '../engine/projection/decision';
import { ProjectionError } from '../engine/projection/error';
import { parseOptions } from '../engine/projection/options';
import type { ProjectionOptions } from '../engine/projection/options';
import type { Directive } from '../engine/rows/row';
import type { CreateHash } from '../engine/transcript/hash';
import type { JsonObject } from '../engine/transcript/message';
import type { FilterView, OptionValue, Standing } from '../protocol/view';
import { Choice } from './choice';
import type { InspectedSession, LaneReader, SessionChange } from './inspected';
import { Job } from './job';
import type { PolicySettings, SignatureSetting } from './policies';
import { Projector } from './projector';
import type { Decided, Figures, Pause, Relation, Stretch } from './projector';
import { Scan, isOpen } from './scan';
import type { Shown } from './shown';
import { rowOfEntry, rowTotal } from './shown';

/** What a person chose to look at; kept while the window is reloaded. */
export interface Kept {
  readonly policy: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly lane: string | null;
  readonly turn: number | null;
  readonly filter: FilterView;
}

export interface ViewingDeps {
  readonly createHash: CreateHash;
  /** Lets other work go on. */
  readonly pause: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly respect_provider_signatures: SignatureSetting;
  readonly policy: string;
  /** Something that is shown changed. */
  readonly changed: () => void;
}

/** The rows at hand: what they show, and which of them the filter lets through (null: all). */
export interface Listed {
  readonly shown: Shown;
  readonly rows: Uint32Array | null;
}

/** What the last finished computation came to. */
export interface Outcome {
  readonly decided: Decided;
  readonly figures: Figures;
  readonly relation: Relation;
  readonly prefix_hash: string;
  readonly standing: Standing;
  /** For a turn gone by whose projection was recorded: does it hash to what was recorded? */
  readonly verified: boolean | null;
}

const NO_FILTER: FilterView = { speakers: [], states: [] };

/** Epochs are never used twice, so that no key means two things. */
let epochs = 0;

/** One session as it is looked at: lane, turn, policy and filter, and what follows from them, computed in slices. */
export class Viewing {
  lane: string;
  turn: number | null = null;
  filter: FilterView = NO_FILTER;
  /** What is wrong with the policy or its options. */
  error: string | null = null;
  outcome: Outcome | null = null;
  listed: Listed;
  private reader: LaneReader;
  private projector: Projector;
  private scan: Scan;
  private epoch = ++epochs;
  /** The latest decision about what is shown; the one before stays until there is a new one. */
  private decision: Decision | null = null;
  private computedPolicy: JsonObject | null = null;
  private readonly choice: Choice;
  private readonly computing: Job;
  private readonly filtering: Job;

  constructor(
    readonly inspected: InspectedSession,
    private readonly deps: ViewingDeps,
    kept: Kept | null,
  ) {
    this.computing = new Job(deps.pause, deps.onError, deps.changed);
    this.filtering = new Job(deps.pause, deps.onError, deps.changed);
    this.choice = new Choice(inspected, deps.policy, deps.respect_provider_signatures);
    if (kept) {
      this.filter = kept.filter;
      this.turn = kept.turn;
      this.choice.recall(kept, kept.turn);
    }
    const found = this.find(kept?.lane ?? null);
    this.lane = found.lane.id;
    this.reader = found;
    this.projector = new Projector(found, deps.createHash);
    this.scan = new Scan(found);
    if (this.turn !== null && this.turn > found.turns.length) this.turn = null;
    this.listed = { shown: this.show(), rows: isOpen(this.filter) ? null : new Uint32Array(0) };
    this.compute(true);
  }

  get isComputing(): boolean {
    return this.computing.isRunning || this.reader.provisional;
  }

  get laneReader(): LaneReader {
    return this.reader;
  }

  get rowScan(): Scan {
    return this.scan;
  }

  /** Settles when nothing is being computed. */
  async settled(): Promise<void> {
    while (this.computing.isRunning || this.filtering.isRunning) {
      await this.computing.settled();
      await this.filtering.settled();
    }
  }

  kept(): Kept {
    const { policy, options } = this.settings;
    return { policy, options, lane: this.lane, turn: this.turn, filter: this.filter };
  }

  /** The policy that is shown, with the options that differ from the defaults. */
  get settings(): PolicySettings {
    return this.choice.settings(this.turn);
  }

  /** Whether a person chose another policy than what the session itself uses. */
  get isChosen(): boolean {
    return this.choice.chosen !== null;
  }

  setPolicy(policy: string, options: Readonly<Record<string, OptionValue>>): void {
    this.error = this.choice.set({ policy, options }, this.turn);
    if (this.error === null) this.compute(true);
    this.deps.changed();
  }

  /** Makes the chosen policy the session's own. */
  apply(): void {
    const { own, session } = this.inspected;
    if (!own) throw new Error('The requests of this session are built by its own agent, so a policy stays a preview.');
    if (this.turn !== null) throw new Error('Go back to the present first: a turn gone by was sent already.');
    if (!this.choice.chosen) return;
    session.setPolicy(this.choice.given(null));
    this.choice.clear();
    this.compute(true);
    this.deps.changed();
  }

  setTurn(turn: number | null): void {
    if (turn !== null && turn > this.reader.turns.length) {
      throw new Error(`There is no turn ${turn} yet; the last one is ${this.reader.turns.length}.`);
    }
    this.choice.turnChanged(this.turn, turn);
    this.turn = turn;
    this.error = null;
    this.restart();
  }

  setLane(lane: string): void {
    const reader = this.inspected.reader(lane);
    if (!reader) throw new Error('This branch of the transcript is not there any more. Choose another one.');
    this.turn = null;
    this.open(reader);
  }

  setFilter(filter: FilterView): void {
    this.filter = filter;
    this.relist(this.listed.shown, true);
    this.deps.changed();
  }

  sessionChanged(change: SessionChange): void {
    if (change.kind === 'reset' && (change.lane === null || change.lane === this.lane)) this.open(this.find(this.lane));
    else {
      if (change.kind === 'grew' && change.from?.lane === this.lane) {
        this.projector.forget(change.from.message);
        this.scan.forget(change.from.entry);
      }
      this.relist(this.show(), false);
      if (change.kind === 'grew' || this.pendingPolicyChange()) this.compute(false);
    }
    this.deps.changed();
  }

  dispose(): void {
    this.computing.dispose();
    this.filtering.dispose();
  }

  private find(lane: string | null): LaneReader {
    const wanted = lane === null ? undefined : this.inspected.reader(lane);
    const reader = wanted ?? this.inspected.lanes.map(({ id }) => this.inspected.reader(id)).find((each) => each);
    if (!reader) throw new Error('This session has no transcript yet.');
    return reader;
  }

  private open(reader: LaneReader): void {
    this.lane = reader.lane.id;
    this.reader = reader;
    this.projector = new Projector(reader, this.deps.createHash);
    this.scan = new Scan(reader);
    if (this.turn !== null && this.turn > reader.turns.length) this.turn = null;
    this.restart();
  }

  private restart(): void {
    this.epoch = ++epochs;
    this.outcome = null;
    this.decision = null;
    this.relist(this.show(), true);
    this.compute(true);
    this.deps.changed();
  }

  /** The messages that the request of a turn was built from; null: the next request. */
  private stretchOf(turn: number | null): Stretch {
    const end = turn === null ? this.reader.messages : Math.min(this.reader.turns.at(turn - 1), this.reader.messages);
    const offset = turn === null ? this.reader.context_start : this.reader.contextStartAt(end);
    return { offset: Math.min(offset, end), end };
  }

  private show(): Shown {
    const { reader, turn, inspected } = this;
    const { offset, end } = this.stretchOf(turn);
    const entries = turn === null ? reader.length : end < reader.messages ? reader.entryOf(end) : reader.length;
    const { session, own } = inspected;
    let byId: ReadonlyMap<string, Directive> | null = null;
    const pending =
      turn === null ? session.directives().filter(({ state, mode }) => isWaiting(state) && mode !== 'audit_only') : [];
    return {
      reader,
      epoch: this.epoch,
      entries,
      messages: end,
      offset,
      decision: this.decision,
      pending,
      envelopeOf: (message) => {
        const ids = own ? session.envelopeAt(message) : null;
        if (!ids) return null;
        byId ??= new Map(session.directives().map((directive) => [directive.reminder_id, directive]));
        return ids.flatMap((id) => byId?.get(id) ?? []);
      },
    };
  }

  /** Takes what is shown now, with the rows that the filter lets through. */
  private relist(shown: Shown, afresh: boolean): void {
    if (isOpen(this.filter)) {
      this.filtering.stop();
      this.listed = { shown, rows: null };
      return;
    }
    if (afresh && this.listed.shown.epoch !== shown.epoch) this.listed = { shown, rows: new Uint32Array(0) };
    const { filter, scan } = this;
    this.filtering.start(afresh, async (pause) => {
      const latest = this.show();
      const rows = await scan.filter(latest, filter, pause);
      this.listed = { shown: latest, rows };
      this.deps.changed();
    });
  }

  private pendingPolicyChange(): boolean {
    const { own, session } = this.inspected;
    return own && !this.isChosen && this.turn === null && this.computedPolicy !== session.state.policy;
  }

  private compute(afresh: boolean): void {
    if (this.reader.provisional) return;
    this.computing.start(afresh, async (pause) => {
      try {
        await this.computeOnce(pause);
      } catch (error) {
        if (!(error instanceof ProjectionError)) throw error;
        this.error = error.message;
      }
    });
  }

  private async computeOnce(pause: Pause): Promise<void> {
    const { projector, inspected, turn, choice, reader } = this;
    const { session, own } = inspected;
    const recorded = choice.recorded(turn);
    const { chosen } = choice;
    this.computedPolicy = session.state.policy;
    const options = parseOptions(choice.given(turn));
    const summary = own ? (session.state.compactions.last?.summary ?? null) : null;
    const stretch = this.stretchOf(turn);
    await projector.load(stretch, pause);
    const decided = projector.decide(stretch, options, summary);
    const figures = projector.figures(decided);
    const previous = await this.previousOf(turn ?? reader.turns.length + 1, options, pause);
    const relation = projector.relate(previous, decided);
    this.decision = decided.decision;
    this.relist(this.show(), false);
    this.deps.changed();
    const prefix_hash = await projector.hash(decided, pause);
    const asRecorded = recorded !== null && chosen === null;
    this.outcome = {
      decided,
      figures,
      relation,
      prefix_hash,
      standing: asRecorded ? 'as_sent' : own && chosen === null && turn === null ? 'applied' : 'preview',
      verified: asRecorded && typeof recorded.prefix_hash === 'string' ? recorded.prefix_hash === prefix_hash : null,
    };
    this.deps.changed();
  }

  /** What the request before that of a turn sent; null when there was none. */
  private async previousOf(turn: number, options: ProjectionOptions, pause: Pause): Promise<Decided | null> {
    if (turn <= 1) return null;
    const stretch = this.stretchOf(turn - 1);
    await this.projector.load(stretch, pause);
    const recorded = this.choice.recorded(turn - 1);
    return this.projector.decide(stretch, recorded ? parseOptions(recorded.options) : options, null);
  }

  /** Rows after filtering. */
  get count(): number {
    return this.listed.rows ? this.listed.rows.length : rowTotal(this.listed.shown);
  }
}

/** Row, before any filter, of a message; null when it is not shown. */
export function rowOfMessage(viewing: Viewing, message: number): number | null {
  const { shown } = viewing.listed;
  return message < shown.messages ? rowOfEntry(shown, shown.reader.entryOf(message)) : null;
}

function isWaiting(state: Directive['state']): boolean {
  return state === 'queued' || state === 'pending';
}
