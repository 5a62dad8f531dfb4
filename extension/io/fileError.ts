/** Why a file could not be read or written. */
export type FileErrorCode = 'missing' | 'folder' | 'not_a_folder' | 'no_permission' | 'no_space' | 'loop' | 'failed';

const WORDS: Readonly<Record<FileErrorCode, { readonly what: string; readonly advice: string }>> = {
  missing: { what: 'There is no such file', advice: 'Check the path; the file may have been moved or deleted.' },
  folder: { what: 'This is a folder, not a file', advice: 'Choose one of the files in it.' },
  not_a_folder: { what: 'This is not a folder', advice: 'Choose the folder that it is in.' },
  no_permission: {
    what: 'There is no permission for this',
    advice: 'Ask its owner for access, or run as a user who has it.',
  },
  no_space: { what: 'The disk is full', advice: 'Free some space and try again.' },
  loop: { what: 'Its links lead round in a circle', advice: 'Choose the file itself, or mend the links.' },
  failed: { what: 'The system refused it', advice: 'Try again; if it stays, look at the disk.' },
};

const CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: 'missing',
  EISDIR: 'folder',
  ENOTDIR: 'not_a_folder',
  EACCES: 'no_permission',
  EPERM: 'no_permission',
  EROFS: 'no_permission',
  ELOOP: 'loop',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
};

/** The world's fault, not ours: a file that could not be read or written. The message says what, which file, and what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
  constructor(
    readonly code: FileErrorCode,
    readonly file: string,
    readonly advice: string = WORDS[code].advice,
    what: string = WORDS[code].what,
  ) {
    super(`${what}: ${file}. ${advice}`);
  }
}

/** Sorts what Node throws for a file; anything else is ours and is thrown on. */
export function fileError(error: unknown, file: string): FileError {
  if (error instanceof FileError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') throw error;
  const known = CODES[code];
  if (known) return new FileError(known, file);
  return new FileError('failed', file, WORDS.failed.advice, `${WORDS.failed.what} (${code})`);
}

/** For a failure that changes nothing here: only throws on what is no fault of the file's. */
export function assertFileError(error: unknown, file: string): void {
  fileError(error, file);
}
