// The built window for the tests of one file: one browser, and a page of its own for each seed.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Seed } from './fake-seed.ts';
import { createFakeTransport, type FakeTransport } from './fake-transport.ts';
import { launchBrowser, openWindow, serveWindow, type WindowServer } from './open-window.ts';

type InWindow = (
  seed: Partial<Seed>,
  work: (page: Page, transport: FakeTransport) => Promise<void>,
) => Promise<void>;

/** Called in a `describe`. A console error or warning fails the test. */
export const useWindow = (): InWindow => {
  let browser: Browser;
  let server: WindowServer;
  beforeAll(async () => {
    server = await serveWindow();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return async (seed, work) => {
    const transport = createFakeTransport(seed);
    const opened = await openWindow(browser, server.origin, transport, { reducedMotion: true });
    try {
      await work(opened.page, transport);
      expect(opened.complaints).toEqual([]);
    } finally {
      await opened.close();
    }
  };
};

/** What a command was asked for, each time. */
export const callsOf = (transport: FakeTransport, name: string): unknown[] =>
  transport.calls.filter((call) => call.name === name).map((call) => call.input);
