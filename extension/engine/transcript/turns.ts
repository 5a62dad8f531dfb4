import type { CallFacts, MessageFacts, ResultFacts } from './facts';

/** A result with the message that holds it and the call that it answers. */
export interface PairedResult {
  /** The message's index. */
  readonly at: number;
  readonly result: ResultFacts;
  /** The call's index in the turn; null when no call of the turn is answered by it. */
  readonly call: number | null;
}

/** What became of a call: no result, all its results failed, or at least one is good. */
export type Outcome = 'unanswered' | 'failed' | 'good';

/** An assistant message with everything up to the next one. Before the first assistant message stands a turn without. */
export interface Turn {
  /** Index of the assistant message; null for what stands before the first one. */
  readonly at: number | null;
  readonly calls: readonly CallFacts[];
  /** One for each call. */
  readonly outcomes: readonly Outcome[];
  /** The results up to the next assistant message, in order. */
  readonly results: readonly PairedResult[];
}

/** The turn of an assistant message `at` (null: none) with the messages that follow it up to `end`, exclusive. */
export function turnOf(facts: (index: number) => MessageFacts, at: number | null, start: number, end: number): Turn {
  const calls = at === null ? NO_CALLS : facts(at).calls;
  const places: number[] = [];
  const found: ResultFacts[] = [];
  for (let index = start; index < end; index++) {
    for (const result of facts(index).results) {
      places.push(index);
      found.push(result);
    }
  }
  const pairs = pairResults(calls, found);
  const results = found.map((result, index) => ({ at: places[index] ?? start, result, call: pairs[index] ?? null }));
  return { at, calls, outcomes: outcomesOf(calls, results), results };
}

const NO_CALLS: readonly CallFacts[] = [];

/**
 * For every result the index of the call it answers, or null. By id first, then by name in order where either side
 * lacks an id. Calls that share an id (or name) are answered one by one, what is left over goes to the last of them.
 */
export function pairResults(
  calls: readonly CallFacts[],
  results: readonly Pick<ResultFacts, 'id' | 'name'>[],
): readonly (number | null)[] {
  const pairs: (number | null)[] = results.map(() => null);
  if (calls.length === 0) {
    return pairs;
  }
  const [call] = calls;
  if (call !== undefined && calls.length === 1) {
    return results.map((result) => (isPair(call, result) ? 0 : null));
  }
  const byId = new Map<string, Queue>();
  const byName = new Map<string, Queue>();
  const byNameOnly = new Map<string, Queue>();
  calls.forEach(({ id, name }, call) => {
    enqueue(byId, id, call);
    enqueue(byName, name, call);
    enqueue(byNameOnly, id === null ? name : null, call);
  });
  const answered = new Set<number>();
  results.forEach(({ id }, index) => {
    pairs[index] = id === null ? null : dequeue(byId.get(id), answered);
  });
  results.forEach(({ id, name }, index) => {
    if (pairs[index] === null && name !== null) {
      pairs[index] = dequeue((id === null ? byName : byNameOnly).get(name), answered);
    }
  });
  return pairs;
}

function isPair(call: CallFacts, { id, name }: Pick<ResultFacts, 'id' | 'name'>): boolean {
  return call.id !== null && id !== null ? call.id === id : call.name !== null && call.name === name;
}

/** Calls that one key stands for, in order. */
interface Queue {
  readonly calls: number[];
  next: number;
}

function enqueue(queues: Map<string, Queue>, key: string | null, call: number): void {
  if (key === null) {
    return;
  }
  const queue = queues.get(key);
  if (queue === undefined) {
    queues.set(key, { calls: [call], next: 0 });
  } else {
    queue.calls.push(call);
  }
}

/** The first call that is not answered yet, else the last one. */
function dequeue(queue: Queue | undefined, answered: Set<number>): number | null {
  if (queue === undefined) {
    return null;
  }
  const { calls } = queue;
  while (queue.next < calls.length - 1 && answered.has(calls[queue.next] ?? 0)) {
    queue.next++;
  }
  const call = calls[queue.next] ?? null;
  if (call !== null) {
    answered.add(call);
  }
  return call;
}

/** Calls `visit` with every turn in order. */
export function eachTurn(length: number, facts: (index: number) => MessageFacts, visit: (turn: Turn) => void): void {
  let at: number | null = null;
  let start = 0;
  for (let index = 0; index <= length; index++) {
    if (index < length && !facts(index).assistant) {
      continue;
    }
    if (at !== null || index > start) {
      visit(turnOf(facts, at, start, index));
    }
    at = index;
    start = index + 1;
  }
}

function outcomesOf(calls: readonly CallFacts[], results: readonly PairedResult[]): readonly Outcome[] {
  const outcomes: Outcome[] = calls.map(() => 'unanswered');
  for (const { call, result } of results) {
    if (call !== null && outcomes[call] !== 'good') {
      outcomes[call] = result.failed ? 'failed' : 'good';
    }
  }
  return outcomes;
}

/** The tool that a result is of: that of its call, else the one it names itself. */
export function toolOf(turn: Turn, { call, result }: PairedResult): string | null {
  return (call === null ? undefined : turn.calls[call]?.name) ?? result.name;
}

/** The assistant message of a turn and the messages that hold its results, in order. */
export function membersOf({ at, results }: Turn): readonly number[] {
  const members = at === null ? [] : [at];
  for (const { at: index, call } of results) {
    if (call !== null && members.at(-1) !== index) {
      members.push(index);
    }
  }
  return members;
}
