/** Splits '1h 30m' into [{ amount: 1, unit: 'h' }, { amount: 30, unit: 'm' }]. */
export function readTokens(text) {
  const tokens = [];
  const pattern = /\s*(\d+)\s*([a-z]+)\s*/gy;
  while (pattern.lastIndex < text.length) {
    const begin = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError(`Expected a number and a unit at "${text.slice(begin)}"`);
    tokens.push({ amount: Number(match[1]), unit: match[2] });
  }
  return tokens;
}
