import { join } from 'node:path';

const ENDING = '.jsonl';

/** The file of a session's log: its id with every character that a file system may mind as `%XX`. */
export function fileNameOf(folder: string, id: string): string {
  const safe = encodeURIComponent(id).replace(/[!'()*~]|^\./g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return join(folder, safe + ENDING);
}

/** The session that a file of the folder belongs to; null when it is no log. */
export function idOfFileName(name: string): string | null {
  if (!name.endsWith(ENDING)) return null;
  try {
    return decodeURIComponent(name.slice(0, -ENDING.length));
  } catch {
    return null;
  }
}
