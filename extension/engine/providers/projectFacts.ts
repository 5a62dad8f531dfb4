import { isObject, type Json, type JsonObject } from '../transcript/message';
import { contextUse } from './contextUse';
import type { ProviderContext, ReminderProvider } from './provider';
import { clipLine, countOf, firstNumber, itemsIn, textIn } from './wording';

/**
 * How well each document answers a query, by BM25, in order of the documents; 0 for one that shares no word with it.
 * Pure: the same query and documents give the same scores.
 */
export type Rank = (query: string, documents: readonly string[]) => readonly number[];

/** A `harn.fact.v1` record, as far as it is used. */
interface Fact {
  readonly kind: string;
  readonly claim: string;
  readonly confidence: number;
  /** Where the evidence is, such as `src/a.ts:1`. */
  readonly refs: readonly string[];
  /** Milliseconds since the epoch; lowest when it says none. */
  readonly recorded_at: number;
}

const schema = 'harn.fact.v1';
const mostOfClaim = 400;
const mostRefs = 3;

/** Tells a model what is recorded about its project and fits its task. */
export function createProjectFacts(rank: Rank): ReminderProvider {
  return {
    id: 'project_facts',
    subscribes_to: ['session_start', 'on_budget_threshold'],
    evaluate: (context) => {
      if (context.event === 'on_budget_threshold' && !isRefreshDue(context)) return null;
      const most = Math.floor(firstNumber([context.config['max_facts']], (value) => value >= 0) ?? 5);
      const facts = unique(sortFacts(matchingFacts(context), queryOf(context), rank)).slice(0, most);
      if (facts.length === 0) return null;
      return {
        body: [
          `${countOf(facts.length, 'recorded fact')} about this project, to be checked before relied on:`,
          ...facts.map(lineOf),
        ].join('\n'),
        tags: ['project_facts'],
        dedupe_key: 'project_facts',
        ttl_turns: 1,
        propagate: 'session',
      };
    },
  };
}

function isRefreshDue(context: ProviderContext): boolean {
  const ratio = firstNumber([context.config['refresh_ratio']], (value) => value >= 0) ?? 0.7;
  const use = contextUse(context);
  return use !== null && use.share >= ratio;
}

function queryOf({ config, session }: ProviderContext): string {
  return (textIn(config['relevance_query']) ?? textIn(session['task']) ?? '').slice(0, 10_000);
}

/** The facts of the namespace that are sure enough, of a wanted kind, and not of another scope or root. */
function matchingFacts({ config, session }: ProviderContext): readonly Fact[] {
  const namespace = textIn(config['namespace']) ?? 'project/facts';
  const stores = session['facts'];
  const records = isObject(stores) && Object.hasOwn(stores, namespace) ? itemsIn(stores[namespace]) : [];
  const least = firstNumber([config['min_confidence']]) ?? 0.5;
  const filter = config['kind_filter'];
  const kinds = (typeof filter === 'string' ? [filter] : itemsIn(filter)).flatMap((kind) => textIn(kind) ?? []);
  const wanted = new Set(kinds.map((kind) => kind.toLowerCase()));
  return records
    .filter(isObject)
    .filter((record) => ['scope', 'root'].every((name) => isSamePlace(config[name], record[name])))
    .flatMap((record) => factOf(record) ?? [])
    .filter((fact) => fact.confidence >= least && (wanted.size === 0 || wanted.has(fact.kind.toLowerCase())));
}

/** False when both say something and it differs. */
function isSamePlace(wanted: Json | undefined, given: Json | undefined): boolean {
  const [a, b] = [textIn(wanted), textIn(given)];
  return a === null || b === null || a === b;
}

function factOf(record: JsonObject): Fact | null {
  const claim = textIn(record['claim']);
  if (record['schema'] !== schema || claim === null) return null;
  return {
    kind: textIn(record['kind']) ?? 'Fact',
    claim,
    confidence: firstNumber([record['confidence']]) ?? 0,
    refs: itemsIn(record['evidence'])
      .filter(isObject)
      .flatMap(({ ref }) => textIn(ref) ?? []),
    recorded_at: timeOf(record['recorded_at']),
  };
}

function timeOf(value: Json | undefined): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string') return -Infinity;
  const text = value.trim();
  const time = Date.parse(/[T ]\d\d:[\d:.]+$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(time) ? -Infinity : time;
}

/** Best score first; those without a score come last. Ties: the most recent first, then in order of recording. */
function sortFacts(facts: readonly Fact[], query: string, rank: Rank): readonly Fact[] {
  const documents = facts.map(({ kind, claim, refs }) => [kind, claim, ...refs].join('\n'));
  const scores = query === '' || facts.length === 0 ? [] : rank(query, documents);
  const scored = facts.map((fact, index) => ({ fact, score: positive(scores[index]) }));
  scored.sort((a, b) => b.score - a.score || compareTimes(b.fact.recorded_at, a.fact.recorded_at));
  return scored.map(({ fact }) => fact);
}

function positive(score: number | undefined): number {
  return score !== undefined && Number.isFinite(score) && score > 0 ? score : 0;
}

function compareTimes(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Each claim once, where it comes first. */
function unique(facts: readonly Fact[]): readonly Fact[] {
  const claims = new Set<string>();
  return facts.filter(({ claim }) => {
    const isNew = !claims.has(claim);
    claims.add(claim);
    return isNew;
  });
}

function lineOf({ kind, claim, confidence, refs }: Fact): string {
  const sources = refs.slice(0, mostRefs).map((ref) => clipLine(ref, 120));
  const detail = [`confidence ${String(Math.round(confidence * 100) / 100)}`, ...sources].join(', ');
  return `- ${clipLine(kind, 40)}: ${clipLine(claim, mostOfClaim)} (${detail})`;
}
