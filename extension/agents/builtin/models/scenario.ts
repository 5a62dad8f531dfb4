import type { Scenario } from './scenarioSchema';

/** A scenario file that cannot be played. The message names the file, the place and what is allowed there. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

const SHOWN = 5;

/** Reads a scenario; `name` is what people call the file. Throws `ScenarioError`. */
export async function readScenario(text: string, name: string): Promise<Scenario> {
  const value = parse(text, name);
  // Loaded when first needed: the checking library costs more than the rest of the start.
  const { checkScenario } = await import('./scenarioSchema');
  const checked = checkScenario(value);
  if ('scenario' in checked) return checked.scenario;
  const more = checked.problems.length - SHOWN;
  const list = checked.problems.slice(0, SHOWN).join('; ');
  throw new ScenarioError(
    `${name} is no scenario that can be played. ${list}${more > 0 ? `; and ${more} more` : ''}. Correct the file, then start again.`,
  );
}

function parse(text: string, name: string): unknown {
  if (text.trim() === '')
    throw new ScenarioError(`${name} is empty. A scenario is a JSON object with \`name\` and \`turns\`.`);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ScenarioError(`${name} is no JSON${lineOf(text, said)}: ${said}. Correct the file, then start again.`);
  }
}

function lineOf(text: string, said: string): string {
  const position = /position (\d+)/.exec(said)?.[1];
  if (position !== undefined) return ` (line ${text.slice(0, Number(position)).split('\n').length})`;
  return said.includes('end of JSON') ? ` (line ${text.split('\n').length})` : '';
}
