import type { JsonObject } from '../../engine/transcript/message';
import { isObject } from '../../engine/transcript/message';

/** A line as a record; null for one that is not one JSON object. */
export function parseLine(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
