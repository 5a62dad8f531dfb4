import { createServer } from 'node:http';
import { build } from 'esbuild';

const PAGE = new URL('./page.ts', import.meta.url);
const TYPES = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** The same rules as the real panel has. */
const html = (nonce) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self'">
<meta property="csp-nonce" content="${nonce}">
<link rel="stylesheet" href="page.css"><title>Inspector</title></head>
<body><div id="root"></div><script nonce="${nonce}" src="page.js"></script></body></html>`;

/** Bundles the webview with the fake host and serves it on loopback. */
export async function servePreview() {
  const { outputFiles } = await build({
    entryPoints: [PAGE.pathname],
    bundle: true,
    write: false,
    outdir: '/preview',
    format: 'iife',
    jsx: 'automatic',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf('/')), contents]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = files.get(pathname);
    if (!file && pathname !== '/') {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[pathname.slice(pathname.lastIndexOf('.') + 1)] ?? 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type }).end(file ?? html('preview'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** How the browser is started, without its place. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
