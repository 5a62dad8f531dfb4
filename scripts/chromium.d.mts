/** What must be installed by hand before end-to-end tests can run, in words for the machine's owner. */
export function missingForChromium(): string | undefined;

/** The path of a Chromium, installed from Debian's packages when it is missing and we are root. */
export function ensureChromium(): Promise<string>;
