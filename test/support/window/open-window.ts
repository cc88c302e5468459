// The built window in Debian's chromium, served on loopback under the app's own content security policy, with the
// fake transport behind it. The transport stays in this process; the page reaches it by a binding.
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { contentSecurityPolicy, readBundle } from '../../../src-main/shell/window/bundle.ts';
import { chromiumPath } from '../machine.ts';
import type { FakeTransport } from './fake-transport.ts';
import { NOW_MS } from './seed.ts';

/** OUTTRAY_BUILT_WINDOW: another build than the one in out/. */
export const builtWindow =
  process.env['OUTTRAY_BUILT_WINDOW'] ?? path.resolve(import.meta.dirname, '../../../out/window');
export const canOpenWindow = (): boolean =>
  chromiumPath !== null && existsSync(path.join(builtWindow, 'index.html'));

export type WindowServer = { origin: string; close(): Promise<void> };

export const serveWindow = async (): Promise<WindowServer> => {
  const bundle = readBundle(builtWindow);
  const server: Server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname;
    const known = bundle.get(name === '/' ? '/index.html' : name);
    if (known === undefined) {
      // Browsers ask for it by themselves; an answer keeps the console clean.
      response.writeHead(name === '/favicon.ico' ? 204 : 404);
      response.end();
      return;
    }
    response.writeHead(200, {
      'content-type': known.type,
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    });
    createReadStream(known.file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath === null ? {} : { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-default-browser-check',
      '--no-first-run',
      '--disable-gpu',
    ],
  });

export type OpenOptions = {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  reducedMotion?: boolean;
  /** Pixels of the picture per pixel of the window. */
  scale?: number;
  /** Freezes the page's clock at the seed's moment; timers still run. */
  fixedTime?: boolean;
};

export type OpenWindow = {
  page: Page;
  complaints: string[];
  /** Restarts the window as it was opened, with another transport behind it: far cheaper than a new page. */
  reopen(transport: FakeTransport): Promise<void>;
  close(): Promise<void>;
};

export const openWindow = async (
  browser: Browser,
  origin: string,
  transport: FakeTransport,
  options: OpenOptions = {},
): Promise<OpenWindow> => {
  const looks = {
    viewport: { width: options.width ?? 960, height: options.height ?? 640 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    forcedColors: 'none',
  } as const;
  const context = await browser.newContext({ ...looks, deviceScaleFactor: options.scale ?? 1 });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  if (options.fixedTime !== false) await page.clock.setFixedTime(NOW_MS);

  let behind = transport;
  let stop = (): void => undefined;
  let callsSeen = 0;
  /** Waits until the page has drawn the answers to its first calls, so that no test gets a half drawn window. */
  const settled = async (): Promise<void> => {
    for (let before = -1; before !== callsSeen;) {
      before = callsSeen;
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))',
      );
    }
  };
  const load = async (next: FakeTransport): Promise<void> => {
    stop();
    behind = next;
    stop = next.listen((change) => {
      page.evaluate(`globalThis.__hear(${JSON.stringify(change)})`).catch(() => undefined);
    });
    await page.goto(origin);
    await settled();
  };
  // As text: an object of this size would keep the page busy for 40 ms, which the real window's messages do not.
  await page.exposeFunction('__call', async (name: string, input: unknown) => {
    callsSeen += 1;
    return JSON.stringify(await behind.call(name, input));
  });
  await page.addInitScript(`{
    const hearers = new Set();
    globalThis.__hear = (change) => { for (const hear of hearers) hear(change); };
    globalThis.outtray = {
      platform: ${JSON.stringify(transport.seed.platform)},
      call: async (name, input) => JSON.parse(await globalThis.__call(name, input)),
      listen: (hear) => { hearers.add(hear); return () => hearers.delete(hear); },
      tokensOf: async (files) => files.map((file) => '/home/mara/Desktop/' + file.name),
    };
  }`);
  await load(transport);
  return {
    page,
    complaints,
    reopen: async (next) => {
      await page.goto('about:blank');
      await page.emulateMedia(looks);
      await page.setViewportSize(looks.viewport);
      await page.mouse.move(0, 0);
      complaints.length = 0;
      await load(next);
    },
    close: async () => {
      stop();
      await context.close();
    },
  };
};
