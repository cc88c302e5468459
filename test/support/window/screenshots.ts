// `npm run screenshots`: pictures of every screen of the built window, light and dark, at two sizes, into
// `screenshots/` (git-ignored). Parts of names choose some; `-- --readme` writes the README's four instead.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import buildWhenStale from '../build.ts';
import { createFakeTransport } from './fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from './open-window.ts';
import { screens, type Screen } from './screens.ts';

type Look = { theme: 'light' | 'dark'; width: number; height: number };
const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) => [
  { theme, width: 640, height: 480 },
  { theme, width: 1280, height: 800 },
]);

/** The README's: small enough that the page opens at once. */
const chosen: Record<string, Look> = {
  files: { theme: 'light', width: 1280, height: 800 },
  queue: { theme: 'dark', width: 640, height: 480 },
  'welcome-4-existing': { theme: 'light', width: 960, height: 640 },
  statistics: { theme: 'dark', width: 960, height: 640 },
};
const readmeScale = 0.6;

const root = path.resolve(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, readme: { type: 'boolean', default: false } },
});
const folder = values.out ?? path.join(root, values.readme ? 'resources/docs/pictures' : 'screenshots');

if (process.env['OUTTRAY_BUILT_WINDOW'] === undefined) await buildWhenStale();
if (!canOpenWindow()) {
  process.stderr.write('Pictures need /usr/bin/chromium and a built window (npm run build).\n');
  process.exit(2);
}

await mkdir(folder, { recursive: true });
const server = await serveWindow();
const browser = await launchBrowser();
let complaints = 0;

/** One page for all looks of a screen: the window follows theme and size while it is open, as it has to. */
const picture = async (screen: Screen, wanted: readonly Look[], nameOf: (look: Look) => string) => {
  const [first] = wanted;
  if (first === undefined) return;
  const opened = await openWindow(browser, server.origin, createFakeTransport(screen.seed()), {
    ...first,
    reducedMotion: true,
    scale: values.readme ? readmeScale : 1,
  });
  const { page } = opened;
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await screen.steps?.(page);
  for (const look of wanted) {
    await putOn(page, look);
    await page.screenshot({ path: path.join(folder, `${nameOf(look)}.png`) });
  }
  for (const complaint of opened.complaints) process.stderr.write(`${screen.name}: ${complaint}\n`);
  complaints += opened.complaints.length;
  await opened.close();
};

const putOn = async (page: Page, { theme, width, height }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(150);
};

try {
  for (const screen of screens) {
    if (values.readme) {
      const look = chosen[screen.name];
      if (look !== undefined) await picture(screen, [look], () => screen.name.replace(/-.*/, ''));
    } else if (positionals.every((part) => screen.name.includes(part))) {
      await picture(
        screen,
        looks,
        ({ theme, width, height }) => `${screen.name}-${theme}-${String(width)}x${String(height)}`,
      );
    }
  }
} finally {
  await browser.close();
  await server.close();
}
process.exitCode = complaints === 0 ? 0 : 1;
