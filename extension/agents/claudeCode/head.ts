import { OpenFile } from '../../io/readFile';
import { shortened, typedText } from './title';
import { parseLine } from './parseLine';

const HEAD_BYTES = 1 << 16;
const MOST_BYTES = 1 << 20;

/** What the first records of a session file say. */
export interface Head {
  /** Every working folder that is named, the first one first. */
  readonly folders: readonly string[];
  readonly session_id: string | null;
  readonly version: string | null;
  readonly title: string | null;
  /** True when the first messages are those of a sub-agent. */
  readonly sidechain: boolean;
}

/** Reads the head of a session file, as far as needed to know its folder and first prompt. Throws a `FileError`. */
export function readHead(file: string): Head {
  const open = OpenFile.open(file);
  try {
    for (let bytes = HEAD_BYTES; ; bytes *= 4) {
      const text = open.read(0, bytes).toString('utf8');
      const head = headOf(text.replace(/^\uFEFF/u, '').split('\n'));
      const isAll = Buffer.byteLength(text) < bytes;
      if ((head.folders.length > 0 && head.title !== null) || isAll || bytes >= MOST_BYTES) return head;
    }
  } finally {
    open.close();
  }
}

function headOf(lines: readonly string[]): Head {
  const folders = new Set<string>();
  let session_id: string | null = null;
  let version: string | null = null;
  let title: string | null = null;
  let sidechain: boolean | null = null;
  for (const line of lines) {
    const record = parseLine(line);
    if (!record) continue;
    const { cwd, sessionId, version: wrote, type, isSidechain, isMeta } = record;
    if (typeof cwd === 'string' && cwd !== '') folders.add(cwd);
    if (typeof sessionId === 'string') session_id ??= sessionId;
    if (typeof wrote === 'string') version ??= wrote;
    if (type !== 'user' && type !== 'assistant') continue;
    sidechain ??= isSidechain === true;
    if (isSidechain === true && !sidechain) continue;
    if (type !== 'user' || isMeta === true || title !== null) continue;
    const text = typedText(record);
    if (text !== null) title = shortened(text);
  }
  return { folders: [...folders], session_id, version, title, sidechain: sidechain === true };
}
