// The built window for the tests of one file: one browser and one page, from its start again for each seed.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Seed } from './fake-seed.ts';
import { createFakeTransport, type FakeTransport } from './fake-transport.ts';
import {
  launchBrowser,
  openWindow,
  serveWindow,
  type OpenOptions,
  type OpenWindow,
  type WindowServer,
} from './open-window.ts';

type InWindow = ((
  seed: Partial<Seed>,
  work: (page: Page, transport: FakeTransport) => Promise<void>,
) => Promise<void>) & {
  browser(): Browser;
  /** A page beside the shared one. Its caller closes it. */
  open(transport: FakeTransport): Promise<OpenWindow>;
};

/** Called in a `describe`. A console error or warning fails the test. */
export const useWindow = (size: Pick<OpenOptions, 'width' | 'height'> = {}): InWindow => {
  let browser: Browser;
  let server: WindowServer;
  /** Null where the next test needs a new page. */
  let shared: OpenWindow | null = null;
  beforeAll(async () => {
    server = await serveWindow();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  const open = (transport: FakeTransport): Promise<OpenWindow> =>
    openWindow(browser, server.origin, transport, { reducedMotion: true, ...size });
  const inWindow = async (
    seed: Partial<Seed>,
    work: (page: Page, transport: FakeTransport) => Promise<void>,
  ): Promise<void> => {
    const transport = createFakeTransport(seed);
    const opened = shared;
    shared = null;
    await opened?.reopen(transport);
    const here = opened ?? (await open(transport));
    try {
      await work(here.page, transport);
      expect(here.complaints).toEqual([]);
      shared = here;
    } finally {
      if (shared === null) await here.close();
    }
  };
  return Object.assign(inWindow, { browser: () => browser, open });
};

/** The inputs of all calls of a command. */
export const callsOf = (transport: FakeTransport, name: string): unknown[] =>
  transport.calls.filter((call) => call.name === name).map((call) => call.input);
