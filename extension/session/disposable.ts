/** Something that must be let go of; doing so twice does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Calls back until disposed. */
export type Listen<T> = (listener: (value: T) => void) => Disposable;

/** An event with listeners. One that throws is reported and does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private readonly onError: (error: unknown) => void) {}

  readonly event: Listen<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  };

  get size(): number {
    return this.listeners.size;
  }

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
