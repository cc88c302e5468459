// Electron's `protocol` and `net`: the app's own scheme, and files fetched for it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemeHandler, setScheme, type SchemeHandler } from './addresses.ts';
import { loud } from './loud.ts';
import { world } from './world.ts';

type CustomScheme = { scheme: string; privileges?: Record<string, boolean> };

const privileged = new Set<string>();

export const protocol = loud('protocol', {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (world.browser)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges } of schemes) {
      // In chromium the origin is always a secure https one, so reject privileges that would differ from that.
      if (!privileges?.['standard'] || !privileges['secure'])
        throw new Error(
          `The stand-in for Electron serves standard and secure schemes only, '${scheme}' is not.`,
        );
      privileged.add(scheme);
    }
  },
  handle(scheme: string, handler: SchemeHandler): void {
    if (!world.browser) throw new Error('protocol can only be used after app is ready');
    if (!privileged.has(scheme))
      throw new Error(`The stand-in for Electron needs '${scheme}' registered as privileged first.`);
    if (schemeHandler(scheme)) throw new Error('The scheme has been registered');
    setScheme(scheme, handler);
  },
});

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export const net = loud('net', {
  online: true,
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    const address = typeof input === 'string' ? input : input.url;
    const own = schemeHandler(address.split(':')[0] ?? '');
    if (own) return own(new Request(address, init));
    if (!address.startsWith('file:')) return fetch(input, init);
    const file = fileURLToPath(address);
    try {
      const type = types[path.extname(file)] ?? 'application/octet-stream';
      return new Response(readFileSync(file), { headers: { 'content-type': type } });
    } catch (cause) {
      throw new Error('net::ERR_FILE_NOT_FOUND', { cause });
    }
  },
});
