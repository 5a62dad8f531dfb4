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

/** A session's title: given by a person, else by the agent, else its summary, else its first prompt. */
export function titleOf(index: SessionIndex, reader: RecordReader): string | null {
  const { records, ids } = index;
  let given: string | null = null;
  let guessed: string | null = null;
  let summary: string | null = null;
  for (let i = records.size - 1; i >= 0 && given === null; i--) {
    if (records.type[i] === TYPE.title) {
      const record = reader.read(i);
      given = textOf(record['customTitle']);
      guessed ??= textOf(record['aiTitle']) ?? textOf(record['title']);
    } else if (records.type[i] === TYPE.summary && summary === null) {
      const record = reader.read(i);
      const leaf = textOf(record['leafUuid']);
      // Summaries of other sessions stand in a file too.
      if (leaf !== null && records.find(ids.records.internText(leaf)) >= 0) summary = textOf(record['summary']);
    }
  }
  const title = given ?? guessed ?? summary ?? firstPrompt(index, reader);
  return title === null ? null : shortened(title);
}

/** The first typed prompt of the main chain; of a sub-agent's own file, that of the sub-agent. */
function firstPrompt(index: SessionIndex, reader: RecordReader): string | null {
  return typedPrompt(index, reader, 0) ?? typedPrompt(index, reader, FLAG.sidechain);
}

function typedPrompt({ records }: SessionIndex, reader: RecordReader, sidechain: number): string | null {
  let tried = 0;
  for (let i = 0; i < records.size && tried < MOST_PROMPTS; i++) {
    if ((records.flags[i]! & FLAG.sidechain) !== sidechain) continue;
    if (!records.has(i, FLAG.prompt) || records.has(i, FLAG.meta) || records.has(i, FLAG.compactSummary)) continue;
    tried++;
    const text = typedText(reader.read(i));
    if (text !== null) return text;
  }
  return null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
