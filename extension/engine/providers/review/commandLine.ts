/** One program that a command line runs. */
export interface Command {
  /** The program and its arguments, quotes taken off. */
  readonly argv: readonly string[];
  /** What it prints goes into a file and not on. */
  readonly isRedirected: boolean;
  /** Its output is the input of the next one. */
  readonly isPiped: boolean;
}

const longest = 20_000;

/**
 * The programs that a shell command line runs, in order. Quoted text, comments, here-documents and substitutions are
 * no programs. Good enough to tell what is run from what is only mentioned; it is no shell.
 */
export function commandsOf(line: string): readonly Command[] {
  return new Splitter(line.slice(0, longest)).split();
}

const operator = /^(?:&&|\|\||\|&|;;|[;|&(){}\n])/;
const redirection = /^(\d*|&)(>>?\|?|<<<|<<-?|<>?)(&\d*-?)?/;

/** Takes a command line apart from left to right; every step moves on by at least one character. */
class Splitter {
  readonly #text: string;
  readonly #commands: Command[] = [];
  #place = 0;
  #argv: string[] = [];
  #isRedirected = false;
  #hereDocuments: string[] = [];

  constructor(text: string) {
    this.#text = text.replace(/\\\r?\n/g, ' ');
  }

  split(): readonly Command[] {
    while (this.#place < this.#text.length) {
      const rest = this.#text.slice(this.#place, this.#place + 16);
      const blanks = /^[ \t\r]+/.exec(rest)?.[0];
      if (blanks !== undefined) this.#place += blanks.length;
      else if (rest.startsWith('#')) this.#place = this.#endOfLine();
      else if (!this.#redirect(rest) && !this.#end(rest)) this.#argv.push(this.#word());
    }
    this.#push(false);
    return this.#commands;
  }

  #end(rest: string): boolean {
    const found = operator.exec(rest)?.[0];
    if (found === undefined || (/^[{}]/.test(found) && !/^[{}](?:[\s;&|)]|$)/.test(rest))) return false;
    this.#place += found.length;
    this.#push(found === '|' || found === '|&');
    if (found === '\n') this.#skipHereDocuments();
    return true;
  }

  #redirect(rest: string): boolean {
    const found = redirection.exec(rest);
    const [whole = '', from = '', arrow = '', to] = found ?? [];
    if (found === null) return false;
    this.#place += whole.length;
    if (to !== undefined) return true;
    this.#place += /^[ \t]*/.exec(this.#text.slice(this.#place, this.#place + 16))?.[0].length ?? 0;
    const target = this.#word();
    if (arrow.startsWith('<<') && arrow !== '<<<') this.#hereDocuments.push(target);
    const isOutput = arrow.startsWith('>') && (from === '' || from === '1' || from === '&');
    if (isOutput && !/^\/dev\/(?:stdout|stderr|tty)$/.test(target)) this.#isRedirected = true;
    return true;
  }

  /** One word up to a blank or an operator, its quotes taken off. */
  #word(): string {
    const start = this.#place;
    let word = '';
    while (this.#place < this.#text.length) {
      const char = this.#text.charAt(this.#place);
      if (/[\s;|&()<>]/.test(char)) break;
      if (char === '`') word += `\`${this.#quoted(char)}\``;
      else if (char === "'" || char === '"') word += this.#quoted(char);
      else if (char === '$' && this.#text.charAt(this.#place + 1) === '(') word += this.#substitution();
      else {
        const isEscape = char === '\\' && /[\s;|&()<>'"`$\\#]/.test(this.#text.charAt(this.#place + 1));
        word += isEscape ? this.#text.charAt(this.#place + 1) : char;
        this.#place += isEscape ? 2 : 1;
      }
    }
    if (this.#place === start) this.#place++;
    return word;
  }

  #quoted(quote: string): string {
    let text = '';
    for (this.#place++; this.#place < this.#text.length; this.#place++) {
      let char = this.#text.charAt(this.#place);
      if (char === quote) break;
      if (char === '\\' && quote !== "'" && /["\\$`]/.test(this.#text.charAt(this.#place + 1))) {
        char = this.#text.charAt(++this.#place);
      }
      text += char;
    }
    this.#place++;
    return text;
  }

  /** Past `$( … )`, which counts as a piece of a word. */
  #substitution(): string {
    const start = this.#place;
    let depth = 0;
    for (this.#place++; this.#place < this.#text.length;) {
      const char = this.#text.charAt(this.#place);
      if (char === "'" || char === '"') {
        this.#quoted(char);
        continue;
      }
      this.#place++;
      if (char === '(') depth++;
      if (char === ')' && --depth === 0) break;
    }
    return this.#text.slice(start, this.#place);
  }

  #skipHereDocuments(): void {
    for (const end of this.#hereDocuments) {
      while (this.#place < this.#text.length) {
        const stop = this.#endOfLine();
        const line = this.#text.slice(this.#place, stop).trim();
        this.#place = stop + 1;
        if (line === end) break;
      }
    }
    this.#hereDocuments = [];
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#place);
    return end === -1 ? this.#text.length : end;
  }

  #push(isPiped: boolean): void {
    if (this.#argv.length > 0) {
      this.#commands.push({ argv: this.#argv, isRedirected: this.#isRedirected, isPiped });
    }
    this.#argv = [];
    this.#isRedirected = false;
  }
}
