import type { Turn } from '../../transcript/turns';
import type { ProjectionOptions } from '../options';
import { settle } from '../settle';
import type { Grown, Growth } from './growth';

/** raw over a growing transcript. */
export class RawGrowth implements Growth {
  private length = 0;

  constructor(private readonly options: ProjectionOptions) {}

  add(): void {
    // Every message is shown as it is.
  }

  close(): void {
    // No turn matters.
  }

  settle(length: number, _open: Turn | null): Grown {
    const changed = this.length;
    this.length = length;
    const decision = settle(this.options, length, { reason: 'raw_passthrough', signed: null });
    return { decision, changed, dropped: 0, redacted: 0, chars: 0 };
  }

  nextShown(index: number): number {
    return index;
  }
}
