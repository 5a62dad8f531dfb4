import { randomBytes } from 'node:crypto';
import { Uri } from 'vscode';
import type { Webview } from 'vscode';

/** Where the webview's own files are, the only ones that it may load. */
export function webviewRoot(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/** The page of the inspector. It holds nothing of a transcript: everything comes by message and is shown as text. */
export function pageOf(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(18).toString('base64url');
  const address = (name: string): string => String(webview.asWebviewUri(Uri.joinPath(webviewRoot(extension), name)));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transcript Inspector</title>
<link rel="stylesheet" nonce="${nonce}" href="${address('main.css')}">
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${address('main.js')}"></script>
</body>
</html>
`;
}
