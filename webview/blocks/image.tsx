import type { Block } from '../../extension/protocol';
import { Icon } from '../ui/icon';
import type { BlockProps } from './props';

/** A picture is named, never loaded. */
export function ImageBlock({ block }: BlockProps<Extract<Block, { kind: 'image' }>>) {
  return (
    <div className="placeholder-block">
      <Icon name="file-media" /> {block.text || 'Image'}, <span className="code">{block.media_type}</span>
    </div>
  );
}
