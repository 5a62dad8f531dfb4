/**
 * What is taken for a secret, on screen and in exports. The stored log is never changed. Each rule is bounded by what
 * may not be part of a word, so that ordinary text and code stay readable; a rule hides too little rather than whole
 * sentences. Covered: keys of model providers, code hosts, clouds, chat and payment services; JSON Web Tokens; private
 * key blocks; `Authorization` and API-key headers; credentials in addresses; and `password=…` with its kin. The first
 * group of a rule is what stays readable, the second what is hidden.
 */
const NOT_BEFORE = '(?<![A-Za-z0-9_-])';

const TOKENS = [
  '(sk-(?:ant-|proj-|svcacct-|admin-|or-)?)((?=[\\w-]*\\d)[\\w-]{20,})',
  '(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|gsk_|xai-|pplx-|r8_|dop_v1_|shpat_)([\\w-]{20,})',
  '(AKIA|ASIA)([A-Z0-9]{16})',
  '(AIza)([\\w-]{35})',
  '(ya29\\.)([\\w-]{20,})',
  '(xox[abeoprs]-|xapp-)([A-Za-z0-9-]{10,})',
  '((?:sk|rk|pk)_(?:live|test)_)([A-Za-z0-9]{16,})',
  '(eyJ)([\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,})',
];

const NAMES =
  'pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|api[_-]?key|(?:access|auth|refresh|id|session|bearer)[_-]?token|' +
  'client[_-]?secret|private[_-]?key|aws_secret_access_key|account[_-]?key|(?:db|database|redis|pg)[_-]?pass(?:word)?';

const RULES: readonly RegExp[] = [
  /(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)((?:[A-Za-z0-9+/=\s\\:,]|-(?!----))*)/g,
  ...TOKENS.map((token) => new RegExp(NOT_BEFORE + token + '(?![A-Za-z0-9])', 'g')),
  /((?<![A-Za-z0-9])(?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token|digest|apikey)\s+)?)([^\s"'\\,;]{6,})/gi,
  /((?<![A-Za-z0-9])bearer\s+)((?=[\w.~+/-]*\d)[\w.~+/-]{16,}=*)/gi,
  /((?<![A-Za-z0-9])(?:x-)?(?:api-key|goog-api-key|auth-token|access-token)\\?["']?\s*:\s*\\?["']?)([^\s"'\\,;]{6,})/gi,
  /((?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s:/@"'<>]*:)([^\s/@"'<>]{1,256})(?=@)/gi,
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})\\\\?["']?\\s*[:=]\\s*\\\\?["'])([^\\s"'\`\\\\]{3,})(?=\\\\?["'])`, 'gi'),
  new RegExp(`((?<![A-Za-z0-9])(?:${NAMES}):[ \\t]+)((?=[^\\s]*\\d)[^\\s"'\`\\\\,;<>(){}$[\\]]{6,})(?=\\s|$)`, 'gi'),
];

/**
 * `password=…` without quotes, up to where a word of a command line ends. The whole word is taken at once, so that no
 * text makes it be looked at again and again; `hideUnquoted` judges it.
 */
const UNQUOTED = new RegExp(`((?<![A-Za-z0-9])(?:${NAMES})=(?!\\$))([^\\s"'\`\\\\&;,<>]{3,})`, 'gi');
const UNQUOTED_NAME = new RegExp(`(?<![A-Za-z0-9])(?:${NAMES})=(?!\\$)`, 'i');

/** What a hidden character is replaced by. */
export const MASK = '\u2022';

/** No secret but a private key block is longer than this (UTF-16 units); see `maskPart`. */
export const MASK_MARGIN = 16_384;

function hide(text: string): string {
  return text.replace(/[^\r\n]/g, MASK);
}

/** What looks like a call or a variable is code and stays, unless it holds a digit. Names within it are looked at too. */
function hideUnquoted(word: string): string {
  if (word.length >= 6 && /\d/.test(word)) return hide(word);
  const pieces = word.split(/(?<=[(){}[\]])/);
  return pieces
    .map((piece, index) => {
      const name = index === 0 ? null : UNQUOTED_NAME.exec(piece);
      if (index > 0 && name === null) return piece;
      const start = name === null ? 0 : name.index + name[0].length;
      const end = /[(){}[\]]$/.test(piece) ? piece.length - 1 : piece.length;
      const isCode = /[({[]$/.test(piece);
      return isCode || end - start < 3
        ? piece
        : piece.slice(0, start) + hide(piece.slice(start, end)) + piece.slice(end);
    })
    .join('');
}

/**
 * The text with secrets hidden. Its length in UTF-16 units stays the same, so that places in it are those of the text
 * as stored; line breaks stay too.
 */
export function maskSecrets(text: string): string {
  let masked = text.replace(UNQUOTED, (_all, lead: string, word: string) => lead + hideUnquoted(word));
  for (const rule of RULES) {
    masked = masked.replace(rule, (_all, lead: string, secret: string) => lead + hide(secret));
  }
  return masked;
}

/** The opening line of a private key block that begins before `place` and goes on there; empty when there is none. */
function openPrivateKey(text: string, place: number): string {
  const begin = text.lastIndexOf('-----BEGIN ', place - 1);
  if (begin < 0 || text.lastIndexOf('-----END ', place) > begin) return '';
  return /^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(begin, begin + 80))?.[0] ?? '';
}

/**
 * `maskSecrets(text).slice(start, end)` without looking at the whole of a long text: only a margin around the part is
 * looked at, and whether it lies in a private key block, which may be longer.
 */
export function maskPart(text: string, start: number, end: number): string {
  const from = Math.max(0, start - MASK_MARGIN);
  const window = text.slice(from, Math.min(text.length, end + MASK_MARGIN));
  const lead = from === 0 ? '' : openPrivateKey(text, from);
  return maskSecrets(lead + window).slice(lead.length + start - from, lead.length + end - from);
}
