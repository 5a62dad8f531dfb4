import { StringDecoder } from 'node:string_decoder';
import { FileError } from './fileError';
import { OpenFile } from './readFile';
import { followFile, type Follower, type FollowOptions, type TailEvent } from './tail';

const CHUNK = 1 << 18;

/** What comes out of a file of lines that is followed. */
export interface LineTailEvents {
  /** Whole lines without their ends, in order. */
  readonly onLines: (lines: readonly string[]) => void;
  /** The file was cut or replaced: lines that came before are void, and come again where they are still there. */
  readonly onReset: () => void;
  readonly onGone: () => void;
  readonly onError: (error: FileError) => void;
}

/** Follows a file of lines from its first one. A last line without an end is held back until its end comes. */
export class LineTail {
  private readonly follower: Follower;
  private offset = 0;
  private decoder = new StringDecoder('utf8');
  private held: string[] = [];

  constructor(
    private readonly file: string,
    private readonly events: LineTailEvents,
    options: FollowOptions = {},
  ) {
    this.follower = followFile(file, null, (event) => this.take(event), options);
  }

  /** Reads what there is now; settles once it has been reported. */
  check(): Promise<void> {
    return this.follower.check();
  }

  dispose(): void {
    this.follower.dispose();
  }

  private take(event: TailEvent): void {
    switch (event.kind) {
      case 'grew':
        this.read();
        break;
      case 'reset':
        this.restart();
        if (event.reason !== 'created') this.events.onReset();
        this.read();
        break;
      case 'gone':
        this.restart();
        this.events.onGone();
        break;
      case 'error':
        this.events.onError(event.error);
        break;
    }
  }

  private restart(): void {
    this.offset = 0;
    this.decoder = new StringDecoder('utf8');
    this.held = [];
  }

  private read(): void {
    let open: OpenFile | null = null;
    try {
      open = OpenFile.open(this.file);
      const buffer = Buffer.allocUnsafeSlow(CHUNK);
      for (;;) {
        const count = open.readInto(buffer, this.offset);
        if (count === 0) break;
        this.offset += count;
        this.split(this.decoder.write(buffer.subarray(0, count)));
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.events.onError(error);
    } finally {
      open?.close();
    }
  }

  private split(text: string): void {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.held.join('') + lines[0];
      this.held = [];
      this.events.onLines(lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
    }
    if (rest !== '') this.held.push(rest);
  }
}
