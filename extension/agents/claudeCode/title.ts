import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';
import { FLAG, TYPE } from '../../formats/claudeCode/draft';
import type { SessionIndex } from '../../formats/claudeCode/sessionIndex';
import type { RecordReader } from './recordReader';

const TITLE_LENGTH = 80;
const MOST_PROMPTS = 20;

/** The texts of a record's message: its content, or those of its text blocks. */
function textsOf(record: JsonObject): string[] {
  const message = record['message'];
  const content = isObject(message) ? message['content'] : undefined;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).flatMap((block) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
}

/** What a person typed in a record, as far as it can be told; null where that is nothing. */
export function typedText(record: JsonObject): string | null {
  return textsOf(record).find(isTyped) ?? null;
}

/** The first text of a record's message; empty where it has none. */
export function firstText(record: JsonObject): string {
  const texts = textsOf(record);
  return texts.find(isTyped) ?? texts[0] ?? '';
}

/** True when the record's message has a text. */
export function hasText(record: JsonObject): boolean {
  return textsOf(record).length > 0;
}

/** The first words of a text on one line. */
export function shortened(text: string, length = TITLE_LENGTH): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line.slice(0, length * 2 + 2));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}

/** No command's output, no caveat, no interruption. */
function isTyped(text: string): boolean {
  const start = text.trimStart();
  return (
    start !== '' && !/^(<(command-|local-command|system-reminder|bash-)|\[Request interrupted|Caveat: )/u.test(start)
  );
}

/** Finds a session's title: given by a person, else by the agent, else its summary, else its first prompt. */
export class TitleFinder {
  private given: string | null = null;
  private guessed: string | null = null;
  /** Those of other sessions stand in a file too: `leaf` is the id of a record of the session that it is about. */
  private readonly summaries: { readonly leaf: number; readonly text: string }[] = [];
  private looked = 0;
  private readonly ofMain = new PromptFinder(0);
  /** For a sub-agent's own file. */
  private readonly ofSidechain = new PromptFinder(FLAG.sidechain);

  constructor(
    private readonly index: SessionIndex,
    private readonly reader: RecordReader,
  ) {}

  /** Looks at the records that came since. */
  find(): string | null {
    const { index, reader } = this;
    const { records } = index;
    for (; this.looked < records.size; this.looked++) this.look(this.looked, records.type[this.looked]!);
    const title =
      this.given ??
      this.guessed ??
      this.summaries.findLast(({ leaf }) => records.find(leaf) >= 0)?.text ??
      this.ofMain.find(index, reader) ??
      this.ofSidechain.find(index, reader);
    return title === null ? null : shortened(title);
  }

  private look(number: number, type: number): void {
    if (type !== TYPE.title && type !== TYPE.summary) return;
    const record = this.reader.read(number);
    if (type === TYPE.title) {
      this.given = textOf(record['customTitle']) ?? this.given;
      this.guessed = textOf(record['aiTitle']) ?? textOf(record['title']) ?? this.guessed;
      return;
    }
    const leaf = textOf(record['leafUuid']);
    const text = textOf(record['summary']);
    if (leaf !== null && text !== null) this.summaries.push({ leaf: this.index.ids.records.internText(leaf), text });
  }
}

/** Finds the first typed prompt among the records that are on a sidechain, or not. */
class PromptFinder {
  private looked = 0;
  private tried = 0;
  private found: string | null = null;

  constructor(private readonly sidechain: number) {}

  find({ records }: SessionIndex, reader: RecordReader): string | null {
    for (; this.found === null && this.looked < records.size && this.tried < MOST_PROMPTS; this.looked++) {
      const i = this.looked;
      if ((records.flags[i]! & FLAG.sidechain) !== this.sidechain) continue;
      if (!records.has(i, FLAG.prompt) || records.has(i, FLAG.meta) || records.has(i, FLAG.compactSummary)) continue;
      this.tried++;
      this.found = typedText(reader.read(i));
    }
    return this.found;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
