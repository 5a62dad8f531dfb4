/** The identity of the extension in VS Code: `publisher.name`. */
export const extensionId: string;

/** Builds the extension and packs it. Gives the path of the VSIX. */
export function packageExtension(file?: string): Promise<string>;
