// `npm run screenshots`: pictures of the window, light and dark, at three sizes, into `screenshots/` (git-ignored). The
// states of running-states.ts come from the running app; those of screens.ts are seeded for the layout only, and their
// names say so. Parts of names choose some; `-- --readme` writes the README's and the guide's instead.
import { execFile } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import buildWhenStale from '../../support/build.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../../support/window/open-window.ts';
import { reach, runningStates, type RunningState } from './running-states.ts';
import { screens, type Screen } from '../../support/window/screens.ts';

type Look = { theme: 'light' | 'dark'; width: number; height: number };
const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) => [
  { theme, width: 640, height: 480 },
  { theme, width: 960, height: 640 },
  { theme, width: 1280, height: 800 },
]);

/** The README's: small enough that the page opens at once. */
const chosen: Record<string, { picture: string; look: Look }> = {
  'copied-card': { picture: 'links-copied', look: { theme: 'light', width: 960, height: 640 } },
  everyday: { picture: 'files', look: { theme: 'light', width: 1280, height: 800 } },
  'queue-mid-upload': { picture: 'queue', look: { theme: 'dark', width: 640, height: 480 } },
  'first-run': { picture: 'welcome', look: { theme: 'light', width: 960, height: 640 } },
  'everyday-settings': { picture: 'settings', look: { theme: 'light', width: 960, height: 640 } },
  'statistics-thirty-days': { picture: 'statistics', look: { theme: 'dark', width: 960, height: 640 } },
  'statistics-one-reading': {
    picture: 'statistics-one-reading',
    look: { theme: 'light', width: 960, height: 640 },
  },
};

const root = path.resolve(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, readme: { type: 'boolean', default: false } },
});
const folder = values.out ?? path.join(root, values.readme ? 'resources/docs/pictures' : 'screenshots');

if (process.env['OUTTRAY_BUILT_WINDOW'] === undefined) await buildWhenStale();
if (!canOpenWindow()) {
  process.stderr.write('Pictures need chromium and a built window (npm run build).\n');
  process.exit(2);
}

await mkdir(folder, { recursive: true });
let complaints = 0;

const fileOf = (name: string, { theme, width, height }: Look): string =>
  path.join(folder, `${name}-${theme}-${String(width)}x${String(height)}.png`);

const putOn = async (page: Page, { theme, width, height }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(150);
};

/** To 256 colours, which a picture of a window hardly has: half the size. Needs ffmpeg. */
const shrink = async (file: string): Promise<void> => {
  const small = `${file}.small.png`;
  const colours = 'split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none';
  await promisify(execFile)('ffmpeg', ['-y', '-loglevel', 'error', '-i', file, '-vf', colours, small]);
  await rename(small, file);
};

const complain = (name: string, heard: readonly string[]): void => {
  for (const complaint of heard) process.stderr.write(`${name}: ${complaint}\n`);
  complaints += heard.length;
};

const takeRunning = async (state: RunningState): Promise<void> => {
  const { app, end } = await reach(state);
  try {
    const readme = chosen[state.name];
    const { window } = app;
    if (values.readme && readme !== undefined) {
      await putOn(window, readme.look);
      const file = path.join(folder, `${readme.picture}.png`);
      await window.screenshot({ path: file, scale: 'css' });
      await shrink(file);
      return;
    }
    if (state.page === undefined) {
      for (const look of looks) {
        await putOn(window, look);
        await window.screenshot({ path: fileOf(state.name, look) });
      }
    } else {
      const page = await state.page(app);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: path.join(folder, `${state.name}-${colorScheme}.png`) });
      }
    }
    complain(state.name, app.complaints);
  } finally {
    await end();
  }
};

/** One page for all looks of a screen: the window follows theme and size while it is open, as it has to. */
const takeSeeded = async (browser: Browser, origin: string, screen: Screen): Promise<void> => {
  const [first] = looks;
  const opened = await openWindow(browser, origin, createFakeTransport(screen.seed()), {
    ...first,
    reducedMotion: true,
  });
  const { page } = opened;
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await screen.steps?.(page);
  for (const look of looks) {
    await putOn(page, look);
    await page.screenshot({ path: fileOf(`seeded-${screen.name}`, look) });
  }
  complain(screen.name, opened.complaints);
  await opened.close();
};

const isWanted = (name: string): boolean =>
  (!values.readme || name in chosen) &&
  (positionals.length === 0 || positionals.some((part) => name.includes(part)));

for (const state of runningStates.filter(({ name }) => isWanted(name))) {
  // One state that is not reached does not keep the others from their pictures.
  await takeRunning(state).catch((error: unknown) => complain(state.name, [String(error)]));
}
const seeded = values.readme ? [] : screens.filter(({ name }) => isWanted(`seeded-${name}`));
if (seeded.length > 0) {
  const server = await serveWindow();
  const browser = await launchBrowser();
  for (const screen of seeded) await takeSeeded(browser, server.origin, screen);
  await browser.close();
  await server.close();
}
process.exitCode = complaints === 0 ? 0 : 1;
