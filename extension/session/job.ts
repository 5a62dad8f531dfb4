import type { Pause } from './projector';

/** Thrown out of a pause when the work is no longer wanted. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

type Work = (pause: Pause) => Promise<void>;

/** Work in slices of which only the latest is wanted. */
export class Job {
  private running: { stopped: boolean; next: Work | null; readonly done: Promise<void> } | null = null;

  constructor(
    private readonly pause: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    /** Nothing more is being done. */
    private readonly onDone: () => void,
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  /**
   * Starts work. `afresh`: what still runs is stopped; else it is finished first, and of those that wait for it only the
   * latest is done, so that growth without end does not keep it from ever finishing.
   */
  start(afresh: boolean, work: Work): void {
    if (this.running && !afresh) {
      this.running.next = work;
      return;
    }
    this.stop();
    const run = { stopped: false, next: null as Work | null, done: Promise.resolve() };
    this.running = run;
    run.done = this.goOn(run, work);
  }

  stop(): void {
    if (this.running) this.running.stopped = true;
    this.running = null;
  }

  settled(): Promise<void> {
    return this.running?.done ?? Promise.resolve();
  }

  dispose(): void {
    this.stop();
  }

  private async goOn(run: { stopped: boolean; next: Work | null }, first: Work): Promise<void> {
    const pause: Pause = async () => {
      await this.pause();
      if (run.stopped) throw new Stopped('The work is no longer wanted.');
    };
    for (let work: Work | null = first; work; work = run.next) {
      run.next = null;
      try {
        await pause();
        await work(pause);
      } catch (error) {
        if (run.stopped) return;
        this.onError(error);
      }
      if (run.stopped) return;
      if (!run.next) break;
    }
    this.running = null;
    this.onDone();
  }
}
