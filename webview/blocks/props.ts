import type { Block } from '../../extension/protocol';
import type { BlockPlace } from '../rows/opened';

/** What the component of a block is given. */
export interface BlockProps<B extends Block> {
  readonly block: B;
  readonly place: BlockPlace;
  /** Why the model's side differs, for a pointer to say. */
  readonly reason: string | null;
  /** Only this side is on screen. */
  readonly alone: boolean;
  readonly query: string;
  readonly tabIndex: number;
}
