import { isObject } from '../../engine/transcript/message';
import type { Draft, Ids } from './draft';
import { FLAG, TYPE, TYPES } from './draft';

/** Fills a draft from a parsed record: the slow twin of the byte scanner, for records that one is unsure about. */
export function classifyRecord(record: { readonly [key: string]: unknown }, ids: Ids, draft: Draft): void {
  draft.clear();
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const own = (key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);
  const type = own('type');
  draft.typed = typeof type === 'string';
  draft.type = (typeof type === 'string' ? TYPES.get(type) : undefined) ?? TYPE.unknown;
  const uuid = own('uuid');
  if (typeof uuid === 'string' && uuid !== '') draft.uuid = ids.records.internText(uuid);
  else if (uuid !== undefined) draft.uuidWrong = true;
  const parent = own('parentUuid');
  if (typeof parent === 'string' && parent !== '') {
    draft.flags |= FLAG.parentGiven;
    draft.parent = ids.records.internText(parent);
  } else if (parent === null) draft.flags |= FLAG.parentNull;
  else if (parent !== undefined) draft.parentWrong = true;
  if (own('isSidechain') === true) draft.flags |= FLAG.sidechain;
  if (own('isMeta') === true) draft.flags |= FLAG.meta;
  if (own('isCompactSummary') === true) draft.flags |= FLAG.compactSummary;
  if (own('isApiErrorMessage') === true) draft.flags |= FLAG.apiError;
  const agent = own('agentId');
  if (typeof agent === 'string') draft.agent = ids.agents.internText(agent);
  const subtype = own('subtype');
  draft.subtypeCode = subtype === 'compact_boundary' ? 1 : subtype === 'microcompact_boundary' ? 2 : 0;
  draft.sessionId = text(own('sessionId'));
  draft.version = text(own('version'));
  draft.cwd = text(own('cwd'));
  draft.gitBranch = text(own('gitBranch'));
  const logical = own('logicalParentUuid');
  if (typeof logical === 'string') draft.logicalParent = ids.records.internText(logical);
  const message = own('message');
  if (message === undefined) return;
  if (!isObject(message)) {
    draft.messageShape = 'other';
    return;
  }
  draft.messageShape = 'object';
  if (typeof message['id'] === 'string') draft.message = ids.messages.internText(message['id']);
  draft.model = text(message['model']);
  if (draft.model === '<synthetic>') draft.flags |= FLAG.synthetic;
  const usage = message['usage'];
  if (isObject(usage)) {
    draft.flags |= FLAG.usage;
    USAGE_KEYS.forEach((key, i) => {
      const value = usage[key];
      draft.usage[i] = typeof value === 'number' && Number.isFinite(value) ? value : 0;
    });
  }
  if (!Object.hasOwn(message, 'content')) return;
  const content: unknown = message['content'];
  if (typeof content === 'string') draft.contentShape = 'text';
  else if (Array.isArray(content)) {
    draft.contentShape = 'blocks';
    for (const block of content as unknown[]) classifyBlock(block, ids, draft);
  } else draft.contentShape = 'other';
}

/** The figures of a request's usage, in the order in which a draft holds them. */
export const USAGE_KEYS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

function classifyBlock(block: unknown, ids: Ids, draft: Draft): void {
  if (!isObject(block)) {
    draft.brokenBlocks++;
    return;
  }
  const type = block['type'];
  const id = type === 'tool_result' ? block['tool_use_id'] : block['id'];
  const signature = block['signature'];
  draft.addBlock(
    type === 'thinking' || type === 'tool_use' || type === 'tool_result' ? type : 'other',
    typeof id === 'string' && id !== '' ? ids.calls.internText(id) : -1,
    typeof signature === 'string' && signature !== '',
    block['is_error'] === true,
  );
}
