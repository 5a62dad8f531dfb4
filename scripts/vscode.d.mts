/** Where the installed VS Code and the Node that it runs on are. */
export interface VSCodePlace {
  readonly node: string;
  readonly entry: string;
}

/** What keeps this machine from running VS Code from npm, in words for its owner. */
export function missingForVSCode(): string | undefined;

/** Installs VS Code when it is missing or when the pins have changed. */
export function ensureVSCode(): Promise<VSCodePlace>;
