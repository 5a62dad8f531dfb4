import { codePoints } from '../transcript/estimate';
import type { Message } from '../transcript/message';
import { maskPart, maskSecrets } from './mask';
import type { NameOf, Part } from './parts';
import { partsOf } from './parts';
import { PREVIEW_CHARACTERS } from './row';
import type { Block } from './row';
import { endOfCharacters, wholeCharacter } from './text';

/** Most blocks of one side of a row that are sent with it. */
export const MAX_BLOCKS = 50;

/** Characters of text that one side of a row may send before its further blocks are only begun. */
const SIDE_CHARACTERS = 24_000;

/** What a block beyond that still shows. */
const BEGINNING = 80;

function lengthOf(text: string, shown: number, preview: string): number {
  return shown >= text.length ? codePoints(preview) : codePoints(text);
}

function previewPart(part: Part, characters: number): Block {
  const text = part.text();
  const shown = endOfCharacters(text, characters);
  const preview = maskPart(text, 0, shown);
  return { ...part.block, text: preview, length: lengthOf(text, shown, preview) };
}

/** The parts as blocks with the beginnings of their texts, secrets masked. */
export function previewParts(parts: readonly Part[]): readonly Block[] {
  let left = SIDE_CHARACTERS;
  const blocks = parts.slice(0, parts.length > MAX_BLOCKS ? MAX_BLOCKS - 1 : MAX_BLOCKS).map((part) => {
    const block = previewPart(part, left > 0 ? PREVIEW_CHARACTERS : BEGINNING);
    left -= block.text.length;
    return block;
  });
  const more = parts.length - blocks.length;
  if (more === 0) return blocks;
  const text = `${more} more parts. Open the row to read them all.`;
  return [...blocks, { kind: 'other', name: 'more', text, length: text.length }];
}

/** The blocks of a message as a row shows them. */
export function previewMessage(message: Message, nameOf?: NameOf): readonly Block[] {
  return previewParts(partsOf(message, nameOf));
}

/** A piece of the full text of one block, secrets masked. */
export interface TextPiece {
  readonly text: string;
  /** Where the next piece begins, in UTF-16 units; null at the end. */
  readonly next: number | null;
}

/** Longest piece of a text that is given at once, in UTF-16 units. */
const PIECE_LENGTH = 60_000;

/** The piece of a text from `offset` on (UTF-16 units), never cut inside a character. */
function pieceOf(text: string, offset: number): TextPiece {
  const start = wholeCharacter(text, offset);
  let end = wholeCharacter(text, start + PIECE_LENGTH);
  if (end <= start) end = text.length;
  return { text: maskPart(text, start, end), next: end < text.length ? end : null };
}

/** A piece of the full text of a message's block; null when it has no such block. */
export function bodyPiece(parts: readonly Part[], block: number, offset: number): TextPiece | null {
  const part = parts[block];
  return part === undefined ? null : pieceOf(part.text(), offset);
}

function labelOf(block: Block): string | null {
  switch (block.kind) {
    case 'text':
      return null;
    case 'thinking':
      return block.signed ? 'Thinking (signed)' : 'Thinking';
    case 'call':
      return `Call ${block.name}${block.call_id === null ? '' : ` (${block.call_id})`}`;
    case 'result':
      return `Result${block.name === null ? '' : ` of ${block.name}`}${block.failed ? ', failed' : ''}`;
    case 'image':
      return `Image ${block.media_type}`;
    case 'pointer':
      return `Replaced result${block.name === null ? '' : ` of ${block.name}`}`;
    case 'other':
      return block.name;
  }
}

/** The whole of a message as plain text, to copy and to compare: every part under its label, secrets masked. */
export function plainText(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      const label = labelOf(part.block);
      const text = maskSecrets(part.laidOut?.() ?? part.text());
      if (label === null) return text;
      return text === '' ? `[${label}]` : `[${label}]\n${text}`;
    })
    .join('\n\n');
}
