import { ProjectionError } from '../engine/projection/error';
import { parseOptions } from '../engine/projection/options';
import type { JsonObject } from '../engine/transcript/message';
import type { InspectedSession } from './inspected';
import { projectionGiven, settingsOf } from './policies';
import type { PolicySettings, SignatureSetting } from './policies';

/** What was recorded about the projection of a turn. */
export interface RecordedProjection {
  readonly options: JsonObject;
  readonly prefix_hash: string | null;
}

/** Which policy a session is looked at with: what a person chose for a look, else what the session itself uses. */
export class PolicyChoice {
  /** Null: what the session itself uses, or what was recorded at the turn. */
  chosen: PolicySettings | null = null;
  /** The choice for the present, while a turn gone by is shown as it was sent. */
  private forPresent: PolicySettings | null = null;

  constructor(
    private readonly inspected: InspectedSession,
    private readonly policy: string,
    private readonly signatures: SignatureSetting,
  ) {}

  /** What is shown in the selector. */
  settings(turn: number | null): PolicySettings {
    return this.chosen ?? settingsOf(this.own(turn), this.signatures);
  }

  /** What the engine is given. */
  given(turn: number | null): JsonObject {
    return this.chosen ? projectionGiven(this.chosen, this.signatures) : this.own(turn);
  }

  /** Chooses; gives what is wrong with it (then the choice before stays), or null. */
  set(settings: PolicySettings, turn: number | null): string | null {
    const given = projectionGiven(settings, this.signatures);
    try {
      parseOptions(given);
    } catch (error) {
      if (error instanceof ProjectionError) return error.message;
      throw error;
    }
    const chosen = settingsOf(given, this.signatures);
    const own = settingsOf(this.own(turn), this.signatures);
    this.chosen = JSON.stringify(chosen) === JSON.stringify(own) ? null : chosen;
    return null;
  }

  clear(): void {
    this.chosen = null;
  }

  /** Takes a choice from before; one that does not fit any more is ignored. */
  recall(settings: PolicySettings, turn: number | null): void {
    this.set({ policy: settings.policy, options: settings.options }, turn);
  }

  /** In our own sessions a turn gone by is first shown as it was sent; back at the present the choice is there again. */
  turnChanged(from: number | null, to: number | null): void {
    if (!this.inspected.own) return;
    if (from === null && to !== null) this.forPresent = this.chosen;
    this.chosen = to === null && from !== null ? this.forPresent : to === null ? this.chosen : null;
  }

  /** What was recorded at a turn; null where nothing was, and for the present. */
  recorded(turn: number | null): RecordedProjection | null {
    const { session, own } = this.inspected;
    const request = own && turn !== null ? session.timeline.requests[turn - 1] : undefined;
    if (!request || request.projection === null) return null;
    const options = session.projectionOptions(request.projection);
    if (!options) return null;
    const hash = session.state.projections.at(request.projection)?.['prefix_hash'];
    return { options, prefix_hash: typeof hash === 'string' ? hash : null };
  }

  private own(turn: number | null): JsonObject {
    const { session, own } = this.inspected;
    if (!own) return { policy: this.policy, respect_provider_signatures: this.signatures };
    return this.recorded(turn)?.options ?? session.policy;
  }
}
