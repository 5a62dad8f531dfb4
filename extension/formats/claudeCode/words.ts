import { TYPES, type RecordType } from './draft';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** The record types by the length of their word. */
export const TYPES_BY_LENGTH: { readonly word: Uint8Array; readonly type: RecordType }[][] = [];
for (const [word, type] of TYPES) (TYPES_BY_LENGTH[word.length] ??= []).push({ word: ascii(word), type });

/** The keys that the index reads, as bytes. */
export const KEY = {
  type: ascii('type'),
  uuid: ascii('uuid'),
  cwd: ascii('cwd'),
  isMeta: ascii('isMeta'),
  agentId: ascii('agentId'),
  message: ascii('message'),
  subtype: ascii('subtype'),
  version: ascii('version'),
  gitBranch: ascii('gitBranch'),
  sessionId: ascii('sessionId'),
  parentUuid: ascii('parentUuid'),
  isSidechain: ascii('isSidechain'),
  isCompactSummary: ascii('isCompactSummary'),
  logicalParentUuid: ascii('logicalParentUuid'),
  isApiErrorMessage: ascii('isApiErrorMessage'),
  id: ascii('id'),
  role: ascii('role'),
  model: ascii('model'),
  usage: ascii('usage'),
  content: ascii('content'),
  is_error: ascii('is_error'),
  signature: ascii('signature'),
  tool_use_id: ascii('tool_use_id'),
  input_tokens: ascii('input_tokens'),
  output_tokens: ascii('output_tokens'),
  cache_read_input_tokens: ascii('cache_read_input_tokens'),
  cache_creation_input_tokens: ascii('cache_creation_input_tokens'),
};
/** The values that the index tells apart, as bytes. */
export const WORD = {
  synthetic: ascii('<synthetic>'),
  thinking: ascii('thinking'),
  tool_use: ascii('tool_use'),
  tool_result: ascii('tool_result'),
  compact_boundary: ascii('compact_boundary'),
  microcompact_boundary: ascii('microcompact_boundary'),
};
