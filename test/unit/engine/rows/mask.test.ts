import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MASK, MASK_MARGIN, maskPart, maskSecrets } from '../../../../extension/engine/rows/mask';

/** In `text` what stands between « and » must be hidden, and nothing else. */
function checkMask(text: string): void {
  const plain = text.replace(/[«»]/g, '');
  const expected = text.replace(/«([^»]*)»/g, (_all, secret: string) => secret.replace(/[^\r\n]/g, MASK));
  expect(maskSecrets(plain)).toBe(expected);
}

const letters = 'abcdefghijKLMNOPQRST0123456789';
const long = `${letters}ab9cd8`;

const masked: readonly string[] = [
  `key sk-ant-«api03-${long}» end`,
  `OPENAI_API_KEY=«sk-${long}»`,
  `"sk-proj-«${long}_-x»"`,
  `sk-«${long}»`,
  `ghp_«${long}»`,
  `github_pat_«${long}»`,
  `glpat-«${letters}»`,
  `npm_«${long}», next`,
  `hf_«${long}»`,
  `AKIA«ABCDEFGHIJ234567»`,
  `AIza«SyA${letters}bc»`,
  `xoxb-«1234567890-abcdef»`,
  `sk_live_«0123456789abcdefghij»`,
  `eyJ«hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U»`,
  `-----BEGIN RSA PRIVATE KEY-----«\nMIIEabc+/=\nxyz\n»-----END RSA PRIVATE KEY-----\nafter`,
  `-----BEGIN PRIVATE KEY-----«\nMIIEabc+/=\nxyz»`,
  `"-----BEGIN EC PRIVATE KEY-----«\\nMIIEabc\\n»-----END EC PRIVATE KEY-----"`,
  `Authorization: Bearer «abc.def-123»`,
  `authorization: Basic «dXNlcjpwYXNz»`,
  `{"Authorization":"token «abcdef123»"}`,
  `{\\"authorization\\": \\"Bearer «abcdef123»\\"}`,
  `x-api-key: «abcdef1234»`,
  `curl -H "X-Api-Key: «abcdef1234»" x`,
  `use bearer «abcdefgh12345678»`,
  `postgres://me:«hunter2»@localhost/db`,
  `password=«hunter2»`,
  `PASSWORD=«hunter2» next`,
  `https://x/?password=«hunter2»&user=me`,
  `DB_PASSWORD=«hunter2»`,
  'password=«pa$$word»',
  'password=«hun(ter)2»',
  `password: "«hunter2»"`,
  `"client_secret": "«abc»",`,
  `{\\"password\\":\\"«hunter2»\\"}`,
  `api_key = '«abc123»'`,
  `password: «hunter2x»\nuser: me`,
  `aws_secret_access_key=«wJalrXUtnFEMI/K7MDENG»`,
];

const unmasked: readonly string[] = [
  'plain text about passwords and secret keys',
  'const password = readPassword();',
  'password=readPassword(prompt)',
  'password: string;',
  'password=$PASSWORD',
  'password=${PASSWORD}',
  'sk-learn is scikit-learn',
  'risk-adjusted-return-on-capital-2024-report-of-the-bank',
  'a task-1234567890123456789012345',
  'tokens: 123456789',
  'max_tokens=4096',
  'https://example.com:8080/path@2x.png',
  'the authorization was refused',
  'bearer of bad news',
  '0123456789abcdef0123456789abcdef01234567',
  'AKIAabc',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'secretary: abc123def',
  'mypassword=hunter2',
];

describe('masking', () => {
  for (const text of masked) test(`hides ${text.slice(0, 40)}`, () => checkMask(text));
  for (const text of unmasked) test(`leaves ${text.slice(0, 40)}`, () => checkMask(text));

  test('keeps the length, and a part of a text is masked as the whole', () => {
    const piece = fc.oneof(
      fc.constantFrom(...masked.map((text) => text.replace(/[«»]/g, ''))),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(400), fc.nat(200), (pieces, start, length) => {
        const text = pieces.join(' \n');
        const whole = maskSecrets(text);
        expect(whole).toHaveLength(text.length);
        expect(maskPart(text, start, start + length)).toBe(whole.slice(start, start + length));
      }),
      { seed: 20, numRuns: 300 },
    );
  });

  test('a private key block that is longer than the margin stays hidden in its middle', () => {
    const body = 'MIIEvQIBADANBgkq\n'.repeat(10_000);
    const text = `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\nplain words after it`;
    const middle = maskPart(text, MASK_MARGIN * 5, MASK_MARGIN * 5 + 100);
    expect(middle.replaceAll(MASK, '').trim()).toBe('');
    expect(maskPart(text, text.length - 20, text.length)).toBe('plain words after it');
  });

  const hostile: readonly (readonly [string, string])[] = [
    ['password runs', 'password'.repeat(20_000)],
    ['underscores', 'a_'.repeat(80_000)],
    ['openers', '-----BEGIN PRIVATE KEY-----'.repeat(5_000)],
    ['schemes', 'a://'.repeat(40_000)],
    ['spaces', `authorization${' '.repeat(150_000)}x`],
    ['dots', `eyJ${'abcdefgh.'.repeat(16_000)}`],
    ['equals', 'api_key='.repeat(20_000)],
    ['equals and an opener', `${'pwd='.repeat(250_000)}(`],
    ['equals and openers', 'pwd=aaaaa{'.repeat(100_000)],
    ['equals and digits', `${'pwd=a1'.repeat(150_000)}(`],
    ['equals and commas', 'api_key=,'.repeat(20_000)],
  ];
  for (const [name, text] of hostile) {
    test(`${name} are masked without going over the text again and again`, () => {
      expect(maskSecrets(text)).toHaveLength(text.length);
    });
  }
});
