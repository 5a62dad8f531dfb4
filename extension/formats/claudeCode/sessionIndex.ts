import { isObject } from '../../engine/transcript/message';
import type { Facts } from '../facts';
import type { Issue } from '../issue';
import { MAX_ISSUES } from '../issue';
import type { Lent } from '../reader';
import { BYTE_ORDER_MARK, isUtf8 } from '../utf8';
import { classifyRecord } from './classify';
import { CALL, createIds, Draft, TYPE } from './draft';
import { explainLine, explainNotAnObject, explainUtf8 } from '../explain';
import { endsAt, isBlankLine } from './lineEnd';
import { issuesOfRecord } from './parse';
import { RecordTable } from './recordTable';
import { RecordScanner } from './scan';
import { Shapes } from './shapes';
import { Tally } from './tally';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN_BRACE = 0x7b;

/**
 * The index of one Claude Code session file: where each record is and what holds the records together, built from
 * the file's bytes as they come, in pieces cut anywhere. The text of the session is not kept.
 */
export class SessionIndex {
  readonly ids = createIds();
  readonly records = new RecordTable();
  /** Bytes taken in so far. */
  bytes = 0;
  private readonly draft = new Draft();
  private readonly scanner: RecordScanner;
  private readonly tally = new Tally();
  private readonly shapes = new Shapes();
  private readonly issueList: Issue[] = [];
  private issueTotal = 0;
  private lineCount = 0;
  private malformed = 0;
  /** The bytes of the last line, while its end has not come. */
  private rest = new Uint8Array(0);
  private restLength = 0;
  /** The last line was taken although its line end has not come yet. */
  private open = false;

  constructor(private readonly host: Lent) {
    this.scanner = new RecordScanner(this.ids, this.draft, host.decode);
  }

  /**
   * Takes the next bytes of the file. False: a line that `settle` took as complete went on; the index is to be built
   * anew. The bytes are not kept: their memory may be used again.
   */
  push(chunk: Uint8Array): boolean {
    let from = 0;
    if (this.open && chunk.length > 0) {
      if (chunk[0] === RETURN && chunk.length === 1) {
        this.bytes++;
        return true;
      }
      if (chunk[0] === NEWLINE) from = 1;
      else if (chunk[0] === RETURN && chunk[1] === NEWLINE) from = 2;
      else return false;
      this.open = false;
    }
    const base = this.bytes;
    this.bytes += chunk.length;
    if (this.restLength > 0) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end < 0) {
        this.keep(chunk, from);
        return true;
      }
      this.keep(chunk, from, end + 1);
      const { rest, restLength } = this;
      this.restLength = 0;
      if (rest.length > 1 << 22) this.rest = new Uint8Array(0);
      this.readLines(rest, 0, restLength, base + end + 1 - restLength);
      from = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= from) {
      this.readLines(chunk, from, last + 1, base);
      from = last + 1;
    }
    this.keep(chunk, from);
    return true;
  }

  /**
   * Says that the file ends here for now: a last line without a line end is taken if it is a whole record. What is cut
   * stays waiting for its rest; `facts` and `issues` count it as truncated.
   */
  settle(): void {
    if (this.restLength === 0) return;
    const { rest, restLength } = this;
    if (isBlankLine(rest, 0, restLength)) return;
    this.scanner.load(rest, restLength);
    if (!this.isRecord(restLength)) return;
    this.restLength = 0;
    this.readLines(rest, 0, restLength, this.bytes - restLength);
    this.open = true;
  }

  /** True while the last line is cut. */
  get torn(): boolean {
    return this.restLength > 0 && !isBlankLine(this.rest, 0, this.restLength);
  }

  get issueCount(): number {
    return this.issueTotal + (this.torn ? 1 : 0);
  }

  /** At most the first 10,000 issues, in order of lines. */
  issues(): readonly Issue[] {
    if (!this.torn) return this.issueList;
    return [...this.issueList, explainLine(this.lineCount + 1, this.rest, 0, this.restLength, this.restLength, true)];
  }

  facts(): Facts {
    const { versions, ...figures } = this.tally.facts();
    return {
      format: 'claude-code',
      versions,
      lines: this.lineCount + (this.restLength > 0 ? 1 : 0),
      malformed: this.malformed + (this.torn ? 1 : 0),
      ...figures,
    };
  }

  /** What the records say about the session as a whole; the latest word counts, for `cwd` and the id the first. */
  get about(): Tally['about'] {
    return this.tally.about;
  }

  /** True when a result of this call was marked as failed. */
  hasFailed(callId: string): boolean {
    return this.tally.hasFailed(this.ids.calls.internText(callId));
  }

  /** True when a result of this call was seen. */
  isAnswered(callId: string): boolean {
    return this.tally.isAnswered(this.ids.calls.internText(callId));
  }

  /** Goes up when a call that had a result before is marked as failed. */
  get relapses(): number {
    return this.tally.relapses;
  }

  /** True when a call of this record has no result yet. */
  hasOpenCalls(record: number): boolean {
    const { callId, callKind, firstCall } = this.records;
    for (let i = firstCall[record]!; i < this.records.endOfCalls(record); i++) {
      if (callKind[i] === CALL.call && !this.tally.isAnswered(callId[i]!)) return true;
    }
    return false;
  }

  private isRecord(end: number): boolean {
    const { scanner } = this;
    const start = scanner.skipBlanks(0);
    if (scanner.bytes[start] !== OPEN_BRACE) return false;
    const after = scanner.scanRecord(start);
    return after >= 0 && scanner.skipBlanks(after) === end && this.isUtf8(scanner.bytes, 0, end);
  }

  private isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
    return this.host.isUtf8 ? this.host.isUtf8(bytes.subarray(start, end)) : isUtf8(bytes, start, end);
  }

  private keep(chunk: Uint8Array, from: number, to = chunk.length): void {
    const length = to - from;
    if (length <= 0) return;
    if (this.restLength + length > this.rest.length) {
      const grown = new Uint8Array(Math.max(1 << 16, (this.restLength + length) * 2));
      grown.set(this.rest.subarray(0, this.restLength));
      this.rest = grown;
    }
    this.rest.set(chunk.subarray(from, to), this.restLength);
    this.restLength += length;
  }

  /** Reads whole lines; `base` is the place in the file of the first of the bytes. */
  private readLines(bytes: Uint8Array, from: number, to: number, base: number): void {
    const { scanner } = this;
    scanner.load(bytes, to);
    const loaded = scanner.bytes;
    const clean = this.isUtf8(loaded, from, to);
    let at = from;
    if (base + at === 0 && BYTE_ORDER_MARK.every((byte, i) => loaded[at + i] === byte)) at += 3;
    while (at < to) {
      const start = scanner.skipBlanks(at);
      const line = ++this.lineCount;
      if (start >= to) return;
      const first = loaded[start]!;
      if (first === NEWLINE) {
        at = start + 1;
        continue;
      }
      const known = first === OPEN_BRACE ? this.shapes.match(scanner, start) : null;
      if (known !== null) {
        at = this.shapes.endAt;
        const end = loaded[at - 2] === RETURN ? at - 2 : at - 1;
        if (!clean && !this.isUtf8(loaded, start, end)) this.lose(explainUtf8(line));
        else {
          this.shapes.fill(known, scanner, this.ids);
          this.add(known, base + start, end - start, line);
        }
        continue;
      }
      let end = first === OPEN_BRACE ? scanner.scanRecord(start) : -1;
      if (end >= 0) {
        const after = scanner.skipBlanks(end);
        if (after < to && loaded[after] !== NEWLINE) {
          scanner.errorAt = after;
          end = -1;
        } else at = after + 1;
      }
      if (end >= 0) {
        if (!clean && !this.isUtf8(loaded, start, end)) this.lose(explainUtf8(line));
        else {
          if (scanner.unsure) this.classify(loaded, start, end);
          this.draft.finish();
          this.add(this.draft, base + start, end - start, line);
          if (!scanner.unsure && this.draft.wrong === null && endsAt(loaded, end, at)) {
            this.shapes.learn(loaded, start, at, scanner.places, this.draft.copy());
          }
        }
        continue;
      }
      const newline = loaded.indexOf(NEWLINE, start);
      const stop = newline < 0 || newline > to ? to : newline;
      this.readOddLine(loaded, start, stop, line, base);
      at = stop + 1;
      scanner.load(loaded, to);
    }
  }

  /** A line that the scanner refuses: parsed to be sure, else lost with an issue that says why. */
  private readOddLine(bytes: Uint8Array, start: number, end: number, line: number, base: number): void {
    const errorAt = Math.min(this.scanner.errorAt, end);
    if (!this.isUtf8(bytes, start, end)) {
      this.lose(explainUtf8(line));
      return;
    }
    const value = this.parse(bytes, start, end);
    if (value === undefined) this.lose(explainLine(line, bytes, start, end, errorAt, false));
    else if (!isObject(value)) this.lose(explainNotAnObject(line));
    else {
      classifyRecord(value, this.ids, this.draft);
      this.draft.finish();
      this.add(this.draft, base + start, end - start, line);
    }
  }

  private parse(bytes: Uint8Array, start: number, end: number): unknown {
    try {
      return JSON.parse(this.host.decode(bytes.subarray(start, end)));
    } catch {
      return undefined;
    }
  }

  private classify(bytes: Uint8Array, start: number, end: number): void {
    const value = this.parse(bytes, start, end);
    if (isObject(value)) classifyRecord(value, this.ids, this.draft);
  }

  private lose(issue: Issue): void {
    this.malformed++;
    this.report(issue);
  }

  private report(issue: Issue): void {
    this.issueTotal++;
    if (this.issueList.length < MAX_ISSUES) this.issueList.push(issue);
  }

  private add(draft: Draft, start: number, length: number, line: number): void {
    const { records } = this;
    if (draft.uuid >= 0 && records.find(draft.uuid) >= 0) {
      const first = records.line[records.find(draft.uuid)]!;
      this.report({
        line,
        kind: 'duplicate',
        text: `This record was there before, in line ${first} (same uuid); only the first one counts.`,
      });
      this.tally.takeDuplicate(draft);
      return;
    }
    if (draft.wrong !== null || draft.type === TYPE.unknown) {
      for (const issue of issuesOfRecord(draft, line)) this.report(issue);
    }
    this.tally.take(draft, records.size);
    if (draft.type === TYPE.queue || draft.type === TYPE.snapshot) return;
    records.push(draft, start, length, line);
  }
}
