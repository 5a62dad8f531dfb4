let count = 0;

/** Ids in the form of a UUID v7, in rising order. */
export function newId(): string {
  count += 1;
  return `01930000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
}
