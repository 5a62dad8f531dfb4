import type { Block } from '../../extension/protocol';
import type { BlockProps } from './props';
import { Long } from './long';

export function CallBlock({ block, ...rest }: BlockProps<Extract<Block, { kind: 'call' }>>) {
  return <Long code text={block.text} length={block.length} {...rest} />;
}
