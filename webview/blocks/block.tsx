import type { Block } from '../../extension/protocol';
import { CallBlock } from './call';
import { ImageBlock } from './image';
import { OtherBlock } from './other';
import { PointerBlock } from './pointer';
import type { BlockProps } from './props';
import { ResultBlock } from './result';
import { TextBlock } from './text';
import { ThinkingBlock } from './thinking';

/** One component a kind. */
export function BlockView(props: BlockProps<Block>) {
  const { block } = props;
  switch (block.kind) {
    case 'text':
      return <TextBlock {...props} block={block} />;
    case 'thinking':
      return <ThinkingBlock {...props} block={block} />;
    case 'call':
      return <CallBlock {...props} block={block} />;
    case 'result':
      return <ResultBlock {...props} block={block} />;
    case 'image':
      return <ImageBlock {...props} block={block} />;
    case 'pointer':
      return <PointerBlock {...props} block={block} />;
    case 'other':
      return <OtherBlock {...props} block={block} />;
    default:
      return <div className="long quiet">a part of an unknown kind</div>;
  }
}
