// Pictures of every screen of the built window, light and dark, at two sizes, into `screenshots/` (git-ignored).
// `node test/support/window/screenshots.ts [part of a name] [--language de]`
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createFakeTransport } from './fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from './open-window.ts';
import { screens } from './screens.ts';

const sizes = [
  { width: 640, height: 480 },
  { width: 1280, height: 800 },
] as const;
const themes = ['light', 'dark'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: path.resolve(import.meta.dirname, '../../../screenshots') } },
});

if (!canOpenWindow()) {
  process.stderr.write('Pictures need /usr/bin/chromium and a built window (npm run build).\n');
  process.exit(2);
}

await mkdir(values.out, { recursive: true });
const server = await serveWindow();
const browser = await launchBrowser();
let complaints = 0;
try {
  for (const screen of screens.filter((one) => positionals.every((part) => one.name.includes(part)))) {
    for (const theme of themes) {
      for (const size of sizes) {
        const opened = await openWindow(browser, server.origin, createFakeTransport(screen.seed()), {
          theme,
          ...size,
          reducedMotion: true,
        });
        const name = `${screen.name}-${theme}-${String(size.width)}x${String(size.height)}`;
        await opened.page.locator('h1').first().waitFor({ state: 'attached' });
        await screen.steps?.(opened.page);
        await opened.page.waitForTimeout(150);
        await opened.page.screenshot({ path: path.join(values.out, `${name}.png`) });
        for (const complaint of opened.complaints) process.stderr.write(`${name}: ${complaint}\n`);
        complaints += opened.complaints.length;
        await opened.close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
process.exitCode = complaints === 0 ? 0 : 1;
