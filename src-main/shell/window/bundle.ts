// The files of the window's own origin, outtray://app: a fixed map made once at start. No path of the disk is ever made
// from an address, so there is nothing to escape from (security.md, Electron).
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const appScheme = 'outtray';
export const appOrigin = 'outtray://app';
export const appUrl = `${appOrigin}/index.html`;
export const popoverUrl = `${appOrigin}/popover/index.html`;

/** As in security.md; loosen a directive only with a reason beside it. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export type PageFiles = ReadonlyMap<string, { file: string; type: string }>;

/** The files below `folder`, by the path of their requests. Files of other kinds (maps) are left out. */
export const readBundle = (folder: string): PageFiles => {
  const bundle = new Map<string, { file: string; type: string }>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[path.extname(name)];
    if (type !== undefined)
      bundle.set(`/${name.split(path.sep).join('/')}`, { file: path.join(folder, name), type });
  }
  return bundle;
};

/** The answer to one request: a bundled file, or 404 for anything else. */
export const answerFrom = (bundle: PageFiles, request: { url: string; method: string }): Response => {
  const url = URL.parse(request.url);
  const known =
    request.method === 'GET' && url?.protocol === `${appScheme}:` && url.host === 'app'
      ? bundle.get(url.pathname)
      : undefined;
  // Pages request this icon, and a missing one would be an error in their console.
  if (url?.pathname === '/favicon.ico') return new Response(null, { status: 204, headers: safety });
  if (known === undefined) return new Response(null, { status: 404, headers: safety });
  return new Response(readFileSync(known.file), { headers: { ...safety, 'content-type': known.type } });
};

const safety = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;
