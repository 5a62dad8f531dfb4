/** UTF-16 place of the end of the first `characters` characters: never inside a surrogate pair. */
export function endOfCharacters(text: string, characters: number): number {
  let place = 0;
  for (let count = 0; count < characters && place < text.length; count++) place = nextCharacter(text, place);
  return place;
}

function nextCharacter(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  if (unit < 0xd800 || unit >= 0xdc00) return place + 1;
  const next = text.charCodeAt(place + 1);
  return next >= 0xdc00 && next < 0xe000 ? place + 2 : place + 1;
}

/** The place itself, or the one before it when it would cut a surrogate pair. */
export function wholeCharacter(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.max(0, Math.min(place, text.length));
  const before = text.charCodeAt(place - 1);
  const here = text.charCodeAt(place);
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000 ? place - 1 : place;
}

/** The start of a text on one line, for lists: blanks folded, at most so many characters, with an ellipsis when cut. */
export function shorten(text: string, characters: number): string {
  const line = text
    .slice(0, characters * 8)
    .replace(/\s+/g, ' ')
    .trim();
  const end = endOfCharacters(line, characters);
  return end < line.length || text.length > characters * 8 ? `${line.slice(0, Math.max(0, end)).trimEnd()}…` : line;
}

/** What cannot be seen and changes how the text around it reads: direction marks, controls, blanks without width. */
const UNSEEN = /[\p{Bidi_Control}\u2028\u2029\u200b\u2060\ufeff]|(?![\n\t])\p{Cc}/gu;

/** A text in which everything that is there can be seen, as a name or a command that a person judges must be. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
