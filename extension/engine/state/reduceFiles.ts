import type { JsonObject } from '../transcript/message';
import { numberIn, textIn } from './payload';
import type { FileChange, SessionState } from './state';

const kinds: readonly FileChange['kind'][] = ['created', 'changed', 'deleted', 'renamed'];

/**
 * `file.seen` `{path, hash, size?, mtime_ms?}`: the agent has seen (or made) this content; a null hash: there is none.
 * `file.changed` `{path, kind, hash, to?, lines_changed?, reminder_id?}`: what is on disk now; kind null: as the agent last saw it.
 */
export function reduceFile(
  state: SessionState,
  record: 'file.seen' | 'file.changed',
  payload: JsonObject,
): SessionState {
  const path = textIn(payload, 'path');
  if (path === null) return state;
  if (record === 'file.seen') {
    const file = {
      path,
      seen: true,
      hash: textIn(payload, 'hash'),
      size: numberIn(payload, 'size'),
      mtime_ms: numberIn(payload, 'mtime_ms'),
      change: null,
    };
    return { ...state, files: state.files.set(path, file) };
  }
  const kind = kinds.find((known) => known === payload['kind']) ?? null;
  const change: FileChange | null =
    kind === null
      ? null
      : {
          kind,
          hash: textIn(payload, 'hash'),
          to: textIn(payload, 'to'),
          lines_changed: numberIn(payload, 'lines_changed'),
          reminder_id: textIn(payload, 'reminder_id'),
        };
  const known = state.files.get(path);
  if (known === undefined && change === null) return state;
  const file = known ?? { path, seen: false, hash: null, size: null, mtime_ms: null, change: null };
  return { ...state, files: state.files.set(path, { ...file, change }) };
}
