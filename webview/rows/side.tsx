import { useMemo } from 'react';
import type { Block, Row, RowCause, Side } from '../../extension/protocol';
import { BlockView } from '../blocks/block';
import { figure, SPEAKERS } from '../words';

interface SideProps {
  readonly row: Row;
  readonly side: Side;
  /** Which text is asked for when a block is opened. */
  readonly of: 'raw' | 'projected';
  readonly tokens: boolean;
  /** Only this side is on screen. */
  readonly alone: boolean;
  readonly query: string;
  readonly tabIndex: number;
  /** Why the policy kept it all the same, in the model's column. */
  readonly cause?: RowCause | null;
}

const namesOf = (blocks: readonly Block[], kind: 'call' | 'result'): string[] => [
  ...new Set(blocks.flatMap((block) => (block.kind === kind && block.name !== null ? [block.name] : []))),
];

interface WhoProps {
  readonly row: Row;
  readonly side: Side;
  readonly tokens: boolean;
  readonly cause: RowCause | null;
}

/** Who speaks and what kind of thing they say, in a line. */
function Who({ row, side, tokens, cause }: WhoProps) {
  const { blocks } = side;
  const thinking = blocks.filter((block) => block.kind === 'thinking');
  const calls = namesOf(blocks, 'call');
  const results = namesOf(blocks, 'result');
  const pointers = blocks.flatMap((block) => (block.kind === 'pointer' && block.name !== null ? [block.name] : []));
  const of = [...new Set([...results, ...pointers])];
  return (
    <div className="who">
      <b>{SPEAKERS[row.speaker]}</b>
      {thinking.length > 0 && <span>{thinking.some((block) => block.signed) ? 'thinking, signed' : 'thinking'}</span>}
      {calls.length > 0 && (
        <span>
          calls <span className="code">{calls.join(', ')}</span>
        </span>
      )}
      {of.length > 0 && (
        <span>
          of <span className="code">{of.join(', ')}</span>
        </span>
      )}
      {row.state === 'synthetic' && row.speaker !== 'engine' && <span>synthetic</span>}
      {blocks.some((block) => block.kind === 'result' && block.failed) && <span className="bad">failed</span>}
      {tokens && side.tokens !== null && (
        <span className="num" title="tokens, estimated">
          {figure(side.tokens)}
        </span>
      )}
      {cause !== null && <span className="note">{cause.text}</span>}
      {row.notes.map((note) => (
        <span className="note" key={note}>
          {note}
        </span>
      ))}
    </div>
  );
}

/** One side of a row: who speaks, then block by block. */
export function SideView({ row, side, of, tokens, alone, query, tabIndex, cause }: SideProps) {
  const places = useMemo(
    () => side.blocks.map((_, block) => ({ key: row.key, side: of, block })),
    [side.blocks, row.key, of],
  );
  const labelled = side.blocks.filter((block) => block.kind === 'call' || block.kind === 'result').length > 1;
  return (
    <>
      <Who row={row} side={side} tokens={tokens} cause={cause ?? null} />
      {side.blocks.map((block, index) => {
        const place = places[index];
        if (!place) return null;
        return (
          <div key={index}>
            {labelled && (block.kind === 'call' || block.kind === 'result') && block.name !== null && (
              <div className="block-name code">{block.name}</div>
            )}
            <BlockView
              block={block}
              place={place}
              reason={row.cause?.text ?? null}
              alone={alone}
              query={query}
              tabIndex={tabIndex}
            />
          </div>
        );
      })}
    </>
  );
}
