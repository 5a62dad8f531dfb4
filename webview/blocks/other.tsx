import type { Block } from '../../extension/protocol';
import type { BlockProps } from './props';
import { Long } from './long';

/** What is not understood is shown as it is. */
export function OtherBlock({ block, ...rest }: BlockProps<Extract<Block, { kind: 'other' }>>) {
  return <Long code text={block.text} length={block.length} {...rest} />;
}
