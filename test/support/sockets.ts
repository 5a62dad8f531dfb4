import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** `address:port` of every TCP socket on which one of these processes listens, from /proc. */
export function listeningAddresses(pids: readonly number[]): string[] {
  const own = new Set(pids.flatMap(socketsOf));
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inode !== undefined && own.has(inode))
      .map(([, local = '']) => readAddress(local)),
  );
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    const target = linkOf(`${folder}/${name}`);
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/** Empty when the file was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The kernel writes addresses as little-endian words in hexadecimal. */
function readAddress(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].reverse());
  const number = parseInt(port, 16);
  if (bytes.length === 4) return `${bytes.join('.')}:${number}`;
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return `[::1]:${number}`;
  return `[${Buffer.from(bytes).toString('hex')}]:${number}`;
}
