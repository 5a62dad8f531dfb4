import type { Json, JsonObject } from '../transcript/message';

/** A member that is a text; null when it is anything else. */
export function textIn(payload: JsonObject, key: string): string | null {
  const value = payload[key];
  return typeof value === 'string' ? value : null;
}

/** A member that is a finite number; null when it is anything else. */
export function numberIn(payload: JsonObject, key: string): number | null {
  const value = payload[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A member that is a list; empty when it is anything else. */
export function listIn(payload: JsonObject, key: string): readonly Json[] {
  const value = payload[key];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The texts of a member that is a list. */
export function textsIn(payload: JsonObject, key: string): readonly string[] {
  return listIn(payload, key).filter((item) => typeof item === 'string');
}
