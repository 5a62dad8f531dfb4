/** Bundles the webview with the fake host and serves it on loopback. */
export function servePreview(): Promise<{ readonly address: string; close(): Promise<void> }>;

/** How the browser is started, without its place. */
export const FLAGS: readonly string[];
