import type { JsonObject } from '../engine/transcript/message';
import { isObject } from '../engine/transcript/message';
import { explainLine, explainNotAnObject, explainUtf8 } from './explain';
import type { Issue, IssueKind } from './issue';
import { MAX_ISSUES } from './issue';
import { JsonScanner } from './jsonScanner';
import type { Lent } from './reader';
import { isUtf8 } from './utf8';

const NEWLINE = 0x0a;

/** Splits bytes into lines and parses each; what is no JSON object becomes an issue. */
export class JsonLines {
  lines = 0;
  malformed = 0;
  issueCount = 0;
  private readonly issueList: Issue[] = [];
  private held: Uint8Array[] = [];
  private start = true;

  constructor(
    private readonly lent: Lent,
    private readonly take: (record: JsonObject, line: number) => void,
  ) {}

  push(bytes: Uint8Array): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.read(this.joined(bytes.subarray(from, end)), false);
      from = end + 1;
    }
    if (from < bytes.length) this.held.push(bytes.slice(from));
  }

  /** Takes the last line, which has no end. */
  settle(): void {
    if (this.held.length > 0) this.read(this.joined(new Uint8Array(0)), true);
  }

  issues(): readonly Issue[] {
    return this.issueList;
  }

  report(line: number, kind: IssueKind, text: string): void {
    this.issueCount++;
    if (this.issueList.length < MAX_ISSUES) this.issueList.push({ line, kind, text });
  }

  private joined(last: Uint8Array): Uint8Array {
    if (this.held.length === 0) return last;
    const parts = [...this.held, last];
    this.held = [];
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  private read(bytes: Uint8Array, last: boolean): void {
    const line = ++this.lines;
    const skip = this.start && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.start = false;
    const content = bytes.subarray(skip);
    const isText = this.lent.isUtf8 ? this.lent.isUtf8(content) : isUtf8(content, 0, content.length);
    const text = this.lent.decode(content);
    if (text.trim() === '') return;
    const value = isText ? parse(text) : undefined;
    if (isObject(value)) {
      this.take(value, line);
      return;
    }
    this.malformed++;
    const issue = value === undefined ? explain(content, line, last, isText) : explainNotAnObject(line);
    this.report(issue.line, issue.kind, issue.text);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(bytes: Uint8Array, line: number, last: boolean, isText: boolean): Issue {
  if (!isText && !last) return explainUtf8(line);
  const scanner = new JsonScanner();
  scanner.load(bytes);
  const start = scanner.skipBlanks(0);
  const end = scanner.skipValue(start);
  return explainLine(line, bytes, start, bytes.length, end >= 0 ? scanner.skipBlanks(end) : scanner.errorAt, last);
}
