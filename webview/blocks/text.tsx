import type { Block } from '../../extension/protocol';
import type { BlockProps } from './props';
import { Long } from './long';

export function TextBlock({ block, ...rest }: BlockProps<Extract<Block, { kind: 'text' }>>) {
  return <Long text={block.text} length={block.length} {...rest} />;
}
