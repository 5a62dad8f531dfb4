/** How many of the increasing values are below `limit`. */
export function lowerBound(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
