import picomatch from 'picomatch';

/** Whether a path (relative, with forward slashes) matches any of these globs; names that begin with a dot count too. */
export function matchGlobs(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  return picomatch([...globs], { dot: true });
}
