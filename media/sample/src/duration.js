import { readTokens } from './tokens.js';

const SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** The seconds in a duration such as '1h 30m'. */
export function parseDuration(text) {
  const tokens = readTokens(text);
  if (tokens.length === 0) throw new SyntaxError('A duration cannot be empty');
  return tokens.reduce((sum, { amount, unit }) => {
    if (!Object.hasOwn(SECONDS, unit)) throw new SyntaxError(`Unknown unit "${unit}"`);
    return sum + amount * SECONDS[unit];
  }, 0);
}

/** The shortest way to write a number of seconds, such as '1h 30m'. */
export function formatDuration(seconds) {
  const parts = [];
  let rest = seconds;
  for (const [unit, size] of Object.entries(SECONDS)) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount}${unit}`);
  }
  return parts.join(' ') || '0s';
}
