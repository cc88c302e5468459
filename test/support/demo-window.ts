// `npm run demo -- --double`: the app on the stand-in, in the demo's home. Reports what its window shows, one line of
// JSON whenever that changes, and ends when its input does. `node test/support/demo-window.ts FOLDER`: the folder is
// the home that the app sees; address, key and data folder come in the environment, as for the app itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { canLaunch, launchApp } from './app.ts';
import buildWhenStale from './build.ts';

const lookEveryMs = 200;

const [home] = process.argv.slice(2);
if (home === undefined || !canLaunch) {
  process.stderr.write('The stand-in needs chromium (Debian: apt-get install chromium).\n');
  process.exit(1);
}

const passedOn = ['OUTTRAY_HOME', 'OUTTRAY_API_KEY', 'OUTTRAY_BASE_URL', 'ELECTRON_DOUBLE_HEADED'];
const env: Record<string, string> = {};
for (const name of passedOn) if (process.env[name] !== undefined) env[name] = process.env[name];

const ending = new AbortController();
process.stdin
  .on('end', () => ending.abort())
  .on('error', () => ending.abort())
  .resume();

await buildWhenStale();
const app = await launchApp({ home, env });
void app.ended.then(() => ending.abort());
for (let told = ''; !ending.signal.aborted;) {
  const names = await app.window
    .locator('.row', { has: app.window.getByRole('button', { name: 'Copy link' }) })
    .locator('bdi')
    .all();
  const links = await Promise.all(names.map((name) => name.getAttribute('title')));
  const line = JSON.stringify({ links });
  if (line !== told) process.stdout.write(`${line}\n`);
  told = line;
  await sleep(lookEveryMs, null, { signal: ending.signal }).catch(() => undefined);
}
for (const complaint of app.complaints) process.stderr.write(`${complaint}\n`);
await app.quit();
