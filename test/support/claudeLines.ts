/** A record of a Claude Code session file, as a test writes it. */
export interface TestRecord {
  readonly [key: string]: unknown;
}

const COMMON = {
  userType: 'external',
  cwd: '/home/someone/garden',
  sessionId: '0d6d2a3c-6c55-4a0e-9a4e-0a5a7a4d1111',
  version: '2.1.20',
  gitBranch: 'main',
};

let clock = Date.UTC(2026, 4, 1);

function record(type: string, uuid: string, parentUuid: string | null, fields: TestRecord): TestRecord {
  const timestamp = new Date((clock += 1000)).toISOString();
  return { parentUuid, isSidechain: false, ...COMMON, type, uuid, timestamp, ...fields };
}

/** What a person typed. */
export function prompt(uuid: string, parent: string | null, text: unknown, fields: TestRecord = {}): TestRecord {
  return record('user', uuid, parent, { message: { role: 'user', content: text }, ...fields });
}

/** One record of an answer: each has one block, those of one answer share the id. */
export function answer(
  uuid: string,
  parent: string | null,
  id: string,
  block: TestRecord,
  fields: TestRecord = {},
): TestRecord {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 500, output_tokens: 7 };
  const message = { model: 'model-of-the-test', id, type: 'message', role: 'assistant', content: [block], usage };
  return record('assistant', uuid, parent, { message, requestId: `req_${id}`, ...fields });
}

/** A tool's result. */
export function result(
  uuid: string,
  parent: string | null,
  call: string,
  content: unknown,
  fields: TestRecord = {},
): TestRecord {
  const { is_error, ...rest } = fields;
  const block = { tool_use_id: call, type: 'tool_result', content, ...(is_error === undefined ? {} : { is_error }) };
  return record('user', uuid, parent, { message: { role: 'user', content: [block] }, ...rest });
}

export function system(uuid: string, parent: string | null, subtype: string, fields: TestRecord = {}): TestRecord {
  return record('system', uuid, parent, { subtype, ...fields });
}

export function progress(uuid: string, parent: string | null, fields: TestRecord = {}): TestRecord {
  return record('progress', uuid, parent, { data: { type: 'hook_progress', hookName: 'Stop' }, ...fields });
}

export const text = (words: string): TestRecord => ({ type: 'text', text: words });
export const call = (
  id: string,
  name = 'Read',
  input: unknown = { file_path: '/home/someone/garden/a.ts' },
): TestRecord => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const thinking = (words: string, signature = 'c2lnbmVk'): TestRecord => ({
  type: 'thinking',
  thinking: words,
  signature,
});

/** Records, and lines as they are, as the text of a file. */
export function fileOf(...lines: readonly (TestRecord | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
}
