import { clearedParts } from '../engine/rows/build';
import { maskSecrets } from '../engine/rows/mask';
import type { Part } from '../engine/rows/parts';
import { partsOf } from '../engine/rows/parts';
import type { TextPiece } from '../engine/rows/preview';
import { bodyPiece, plainText } from '../engine/rows/preview';
import type { Json } from '../engine/transcript/message';
import { printJson } from '../engine/transcript/printed';
import type { Entry } from './inspected';
import type { Item, Listing } from './listing';
import { fateOf, namesBefore } from './listing';

/** Both sides of a row in full; null: nothing stands there. */
export interface RowContents {
  /** A name for its documents, such as `message-12`. */
  readonly name: string;
  readonly raw: readonly Part[] | null;
  readonly projected: readonly Part[] | null;
}

/** A row was asked for that is not there any more. */
const GONE = 'This row is not there any more. Look at the list again and choose it there.';

/** What a row's key stands for. */
function itemOfKey(listing: Listing, key: string): Item {
  const match = /^(\d+)\.(?:m(\d+)|e(\d+)|(synthetic|pending))$/.exec(key);
  if (!match || Number(match[1]) !== listing.epoch) throw new Error(GONE);
  const [, , message, entry, other] = match;
  if (other === 'synthetic' || other === 'pending') return { kind: other };
  const number = message === undefined ? Number(entry) : listing.reader.entryOf(Number(message));
  if (!(number < listing.entries)) throw new Error(GONE);
  return { kind: 'entry', entry: number };
}

function textPart(text: string): readonly Part[] {
  return [{ block: { kind: 'text', text: '', length: 0 }, text: () => text }];
}

function entryContents(listing: Listing, entry: Entry): RowContents {
  if (entry.kind !== 'message') {
    const raw = textPart(entry.text);
    return { name: entry.kind, raw, projected: entry.kind === 'boundary' ? raw : null };
  }
  const { value, message, cleared } = entry;
  const nameOf = namesBefore(listing.reader, message);
  const raw = partsOf(value, nameOf);
  const fate = fateOf(listing, message, () => value);
  const hidden = fate.kind === 'archived' || (fate.kind === 'decided' && fate.state === 'hidden');
  const changed = fate.kind === 'decided' && fate.projected ? partsOf(fate.projected, nameOf) : null;
  const projected = hidden ? null : (changed ?? clearedParts(raw, cleared) ?? raw);
  return { name: `message-${message}`, raw, projected };
}

/** What stands in a row. */
export async function contentsOf(listing: Listing, key: string): Promise<RowContents> {
  const item = itemOfKey(listing, key);
  if (item.kind === 'pending') {
    return { name: 'pending', raw: null, projected: textPart(listing.pending.map(({ body }) => body).join('\n\n')) };
  }
  if (item.kind === 'synthetic') {
    const synthetic = listing.decision?.synthetic;
    if (!synthetic) throw new Error(GONE);
    return { name: 'synthetic', raw: null, projected: partsOf(synthetic) };
  }
  const [entry] = await listing.reader.read(item.entry, item.entry + 1);
  if (!entry) throw new Error(GONE);
  return entryContents(listing, entry);
}

/** A piece of one block's full text. */
export function pieceOfBlock(
  contents: RowContents,
  side: 'raw' | 'projected',
  block: number,
  offset: number,
): TextPiece {
  const piece = bodyPiece(contents[side] ?? [], block, offset);
  if (!piece) throw new Error(GONE);
  return piece;
}

/** One side as plain text, secrets masked; empty where nothing stands there. */
export function sideText(contents: RowContents, side: 'raw' | 'projected'): string {
  return plainText(contents[side] ?? []);
}

/** A record or another value as JSON for people, secrets masked. */
export function jsonText(value: unknown): string {
  return `${maskSecrets(printJson(value as Json))}\n`;
}
