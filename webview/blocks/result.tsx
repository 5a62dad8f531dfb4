import type { Block } from '../../extension/protocol';
import type { BlockProps } from './props';
import { Long } from './long';

export function ResultBlock({ block, ...rest }: BlockProps<Extract<Block, { kind: 'result' }>>) {
  if (block.text === '') return <div className="long quiet">empty result</div>;
  return <Long code failed={block.failed} text={block.text} length={block.length} {...rest} />;
}
