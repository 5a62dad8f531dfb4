import type { Decision } from '../engine/projection/decision';
import { ProjectionError } from '../engine/projection/error';
import type { CreateHash } from '../engine/transcript/hash';
import type { JsonObject } from '../engine/transcript/message';
import type { FilterView, OptionValue } from '../protocol/view';
import { PolicyChoice } from './policyChoice';
import type { InspectedSession, LaneReader, SessionChange } from './inspected';
import { Job } from './job';
import { computeOutcome, listingOf } from './outcome';
import type { Outcome } from './outcome';
import type { PolicySettings, SignatureSetting } from './policies';
import { Projector } from './projector';
import type { Pause } from './projector';
import { Scan, isOpen } from './scan';
import type { Listing } from './listing';
import { rowOfEntry, rowTotal } from './listing';

/** What a person chose to look at; kept while the window is reloaded. */
export interface KeptPerspective {
  readonly policy: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly lane: string | null;
  readonly turn: number | null;
  readonly filter: FilterView;
}

export interface PerspectiveDeps {
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
export interface FilteredListing {
  readonly listing: Listing;
  readonly rows: Uint32Array | null;
}

const NO_FILTER: FilterView = { speakers: [], states: [] };

/** Epochs are never used twice, so that no key means two things. */
let epochs = 0;

/** How one session is looked at: lane, turn, policy and filter, and what follows from them, computed in slices. */
export class Perspective {
  lane: string;
  turn: number | null = null;
  filter: FilterView = NO_FILTER;
  /** What is wrong with the policy or its options. */
  error: string | null = null;
  outcome: Outcome | null = null;
  filtered: FilteredListing;
  reader: LaneReader;
  private projector: Projector;
  private scan: Scan;
  private epoch = ++epochs;
  /** The latest decision about what is shown; the one before stays until there is a new one. */
  private decision: Decision | null = null;
  private computedPolicy: JsonObject | null = null;
  /** What was looked at before, until enough of the session is known to look at it again. */
  private wanted: KeptPerspective | null = null;
  private readonly choice: PolicyChoice;
  private readonly computing: Job;
  private readonly filtering: Job;

  constructor(
    readonly inspected: InspectedSession,
    private readonly deps: PerspectiveDeps,
    kept: KeptPerspective | null,
  ) {
    this.computing = new Job(deps.pause, deps.onError, deps.changed);
    this.filtering = new Job(deps.pause, deps.onError, deps.changed);
    this.choice = new PolicyChoice(inspected, deps.policy, deps.respect_provider_signatures);
    this.wanted = kept;
    this.reader = this.find(kept?.lane ?? null);
    this.lane = this.reader.lane.id;
    this.projector = new Projector(this.reader, deps.createHash);
    this.scan = new Scan(this.reader);
    this.takeWanted();
    if (kept) {
      this.filter = kept.filter;
      this.choice.recall(kept, this.turn);
    }
    this.filtered = { listing: this.list(), rows: isOpen(this.filter) ? null : new Uint32Array(0) };
    this.compute(true);
  }

  get isComputing(): boolean {
    return this.computing.isRunning || this.reader.provisional;
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

  kept(): KeptPerspective {
    const { policy, options } = this.settings;
    const { lane, turn } = this.wanted ?? this;
    return { policy, options, lane, turn, filter: this.filter };
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
    this.wanted = null;
    this.choice.turnChanged(this.turn, turn);
    this.turn = turn;
    this.error = null;
    this.restart();
  }

  setLane(lane: string): void {
    const reader = this.inspected.reader(lane);
    if (!reader) throw new Error('This branch of the transcript is not there any more. Choose another one.');
    this.wanted = null;
    this.turn = null;
    this.open(reader);
  }

  setFilter(filter: FilterView): void {
    this.filter = filter;
    this.relist(this.filtered.listing, true);
    this.deps.changed();
  }

  sessionChanged(change: SessionChange): void {
    if (change.kind === 'reset' && (change.lane === null || change.lane === this.lane))
      this.open(this.find(this.wanted?.lane ?? this.lane));
    else {
      if (change.kind === 'grew' && change.from?.lane === this.lane) {
        this.projector.forget(change.from.message);
        this.scan.forget(change.from.entry);
      }
      this.relist(this.list(), false);
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
    this.takeWanted();
    if (this.turn !== null && this.turn > reader.turns.length) this.turn = null;
    this.restart();
  }

  /** The turn from before is shown again once the lane is known; one that is not there any more is forgotten. */
  private takeWanted(): void {
    if (!this.wanted || this.reader.provisional) return;
    const { turn } = this.wanted;
    this.wanted = null;
    if (turn !== null && turn <= this.reader.turns.length) this.turn = turn;
  }

  private restart(): void {
    this.epoch = ++epochs;
    this.outcome = null;
    this.decision = null;
    this.relist(this.list(), true);
    this.compute(true);
    this.deps.changed();
  }

  private list(): Listing {
    return listingOf(this, this.epoch, this.decision);
  }

  /** Takes the rows there are now, with the rows that the filter lets through. */
  private relist(listing: Listing, afresh: boolean): void {
    if (isOpen(this.filter)) {
      this.filtering.stop();
      this.filtered = { listing, rows: null };
      return;
    }
    if (afresh && this.filtered.listing.epoch !== listing.epoch) this.filtered = { listing, rows: new Uint32Array(0) };
    const { filter, scan } = this;
    this.filtering.start(afresh, async (pause) => {
      const latest = this.list();
      const rows = await scan.filter(latest, filter, pause);
      this.filtered = { listing: latest, rows };
      this.deps.changed();
    });
  }

  private pendingPolicyChange(): boolean {
    const { own, session } = this.inspected;
    return own && !this.isChosen && this.turn === null && this.computedPolicy !== session.state.policy;
  }

  private compute(afresh: boolean): void {
    if (this.reader.provisional) this.computing.stop();
    else this.computing.start(afresh, (pause) => this.computeOnce(pause));
  }

  private async computeOnce(pause: Pause): Promise<void> {
    const { inspected, reader, projector, choice, turn } = this;
    this.computedPolicy = inspected.session.state.policy;
    const onDecided = (decision: Decision): void => {
      this.decision = decision;
      this.relist(this.list(), false);
      this.deps.changed();
    };
    try {
      this.outcome = await computeOutcome({ inspected, reader, projector, choice, turn }, onDecided, pause);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      this.error = error.message;
    }
    this.deps.changed();
  }

  /** Rows after filtering. */
  get count(): number {
    return this.filtered.rows ? this.filtered.rows.length : rowTotal(this.filtered.listing);
  }
}

/** Row, before any filter, of a message; null when it is not shown. */
export function rowOfMessage(perspective: Perspective, message: number): number | null {
  const { listing } = perspective.filtered;
  return message < listing.messages ? rowOfEntry(listing, listing.reader.entryOf(message)) : null;
}
