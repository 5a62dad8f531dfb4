import MiniSearch from 'minisearch';
import type { Rank } from '../engine/providers/projectFacts';

/** Ranks documents by BM25. The index of the last documents is kept: they seldom change between two evaluations. */
export function createRanker(): Rank {
  let indexed: readonly string[] = [];
  let index = indexOf(indexed);
  return (query, documents) => {
    if (documents.length !== indexed.length || documents.some((text, id) => text !== indexed[id])) {
      indexed = [...documents];
      index = indexOf(indexed);
    }
    const scores = new Array<number>(documents.length).fill(0);
    for (const { id, score } of index.search(query)) scores[Number(id)] = score;
    return scores;
  };
}

function indexOf(documents: readonly string[]): MiniSearch {
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(documents.map((text, id) => ({ id, text })));
  return index;
}
