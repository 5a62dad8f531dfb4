import type { Block } from '../../extension/protocol';
import type { BlockProps } from './props';
import { Long } from './long';

export function ThinkingBlock({ block, ...rest }: BlockProps<Extract<Block, { kind: 'thinking' }>>) {
  if (block.text === '') return <div className="long quiet">encrypted, not readable here</div>;
  return (
    <div className="thinking">
      <Long text={block.text} length={block.length} {...rest} />
    </div>
  );
}
