/** A fault that the model can do something about; its message becomes the tool's failed result. */
export class ToolFault extends Error {
  override readonly name: string = 'ToolFault';
}

/** There is no such file. */
export class MissingFile extends ToolFault {
  override readonly name = 'MissingFile';
}

/** What the operating system said, in words for the model; never an absolute path. */
export function systemFault(error: unknown, path: string): ToolFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const said = FAULTS[code];
  if (code === 'ENOENT') return new MissingFile(`${path} ${said}`);
  if (said !== undefined) return new ToolFault(`${path} ${said}`);
  return new ToolFault(`${path}: the system refused (${code === '' ? 'no reason given' : code}).`);
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Use list_files to see what is there.',
  ENOTDIR: 'does not exist: a part of the path is a file, not a folder.',
  EISDIR: 'is a folder. Use list_files to see what is in it.',
  EACCES: 'may not be accessed: permission denied.',
  EPERM: 'may not be changed: permission denied.',
  EROFS: 'is on a read-only file system.',
  ENOSPC: 'could not be written: the disk is full.',
  ENAMETOOLONG: 'is too long a name.',
  ELOOP: 'is a symbolic link that leads in a circle.',
  EMFILE: 'could not be opened: too many files are open. Try again.',
};
