import { createHash } from 'node:crypto';
import { createProjection } from '../../extension/engine/projection/growing/projection';
import { projectTranscript } from '../../extension/engine/projection/project';
import type { Message } from '../../extension/engine/transcript/message';
import { createSha256 } from '../../extension/io/hash';
import type { Bench } from './bench';
import { median, ratioOf, timeOf } from './bench';

const WORDS = 'the value of this line is read, and then "quoted" again: step 12 of the plan, as before'.split(' ');
const TOOLS = ['read_file', 'run_command', 'search', 'edit_file'];
const deps = { createHash: createSha256, newId: () => 'id' };

/** Whole numbers below a limit; the same seed gives the same numbers. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % limit;
  };
}

/** A text of about so many characters. */
function textOf(chars: number, random: (limit: number) => number): string {
  let text = '';
  while (text.length < chars) {
    text += `${WORDS[random(WORDS.length)]} `;
  }
  return text;
}

/** Message `index` of a session of calls and results, a third of which fail; the same index gives the same message. */
function messageAt(index: number, chars: number): Message {
  const turn = index >> 1;
  const random = seeded(turn * 2 + (index & 1) + 1);
  random(1);
  const name = TOOLS[turn % TOOLS.length] ?? '';
  const id = `call_${turn}`;
  return index % 2 === 0
    ? {
        role: 'assistant',
        content: [
          { type: 'text', text: textOf(chars / 8, random) },
          { type: 'tool_use', id, name, input: { path: pathAt(turn), limit: random(2000) } },
        ],
      }
    : {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: `${pathAt(turn)}\n${textOf(chars * 2, random)}`,
            is_error: random(3) === 0,
          },
        ],
      };
}

/** A file is in hand for a few turns, then another. */
function pathAt(turn: number): string {
  return `src/file${turn >> 3}.ts`;
}

function messagesOf(count: number, chars: number): readonly Message[] {
  return Array.from({ length: count }, (_, index) => messageAt(index, chars));
}

async function measureProjection(): Promise<number> {
  const messages = messagesOf(100_000, 900);
  return ratioOf(
    () => projectTranscript({ id: 't', messages, events: [], metadata: {} }, 'clean_tool_repair', deps).prefix_hash,
    () => createHash('sha256').update(JSON.stringify(messages)).digest('hex'),
  );
}

/** One more turn on a long transcript over one more on a short one: the cost must not follow the length. */
async function measureGrowth(options: Readonly<Record<string, unknown>>): Promise<number> {
  const message = (index: number): Message => messageAt(index, 60);
  const grown = (length: number) => {
    const projection = createProjection(options, { ...deps, message });
    const step = 10_000;
    for (let start = 0; start < length; start += step) {
      const size = Math.min(step, length - start);
      projection.append(Array.from({ length: size }, (_, index) => message(start + index)));
    }
    return projection;
  };
  const long = grown(1_000_000);
  const short = grown(1_000);
  const turn = (projection: typeof long) => {
    const { length } = projection;
    const messages = [message(length), message(length + 1)];
    return timeOf(() => projection.append(messages));
  };
  const times: { long: number[]; short: number[] } = { long: [], short: [] };
  for (let round = 0; round < 400; round++) {
    times.short.push(await turn(short));
    times.long.push(await turn(long));
  }
  return median(times.long.slice(100)) / median(times.short.slice(100));
}

/** How long projections take. */
export const benches: readonly Bench[] = [
  {
    name: 'clean_tool_repair of 100,000 messages, hash included, over JSON.stringify and SHA-256 of them',
    limit: 2,
    run: measureProjection,
  },
  {
    name: 'one more turn at 1,000,000 messages over one at 1,000: clean_tool_repair',
    limit: 2,
    run: () => measureGrowth({ policy: 'clean_tool_repair' }),
  },
  {
    name: 'one more turn at 1,000,000 messages over one at 1,000: reachability_gc',
    limit: 2,
    run: () => measureGrowth({ policy: 'reachability_gc', min_chars: 100 }),
  },
  {
    name: 'one more turn at 1,000,000 messages over one at 1,000: summary_prefix',
    limit: 2,
    run: () => measureGrowth({ policy: 'summary_prefix', keep_last: 40, summary: 'What was done before.' }),
  },
];
