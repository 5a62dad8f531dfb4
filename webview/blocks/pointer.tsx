import { useMemo } from 'react';
import type { Block } from '../../extension/protocol';
import { useInspector } from '../state/context';
import { Link } from '../ui/link';
import { figure } from '../words';
import type { BlockProps } from './props';
import { Long, useOpened } from './long';

/** What stands in the place of a body that the policy took out; the raw body is one click away. */
export function PointerBlock({ block, reason, alone, ...rest }: BlockProps<Extract<Block, { kind: 'pointer' }>>) {
  const { transcript } = useInspector();
  const { key, block: number } = rest.place;
  const raw = useMemo(() => ({ key, side: 'raw' as const, block: number }), [key, number]);
  const shown = useOpened(raw) !== undefined;
  return (
    <div className="pointer-block">
      <div className="pointer" title={block.text}>
        <span className="pointer-why">Body replaced{reason ? `: ${reason}` : ''}</span>
        <span className="num">about {figure(block.reclaimed_tokens)} tokens</span>
        <Link
          tabIndex={rest.tabIndex}
          onClick={() => (shown ? transcript.opened.close(raw) : transcript.opened.open(raw, '', true))}
        >
          {shown ? 'Hide raw' : 'Show raw'}
        </Link>
      </div>
      {shown && alone && <Long code {...rest} place={raw} text="" length={0} />}
    </div>
  );
}
