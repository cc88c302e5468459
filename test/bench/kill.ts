// kill -9 at 50 random moments of a 40-file run, started again each time: in the end every file is on the service
// exactly once and every link serves its bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './frame.ts';
import { makePlace, startOuttray, startServiceProcess } from './outtray.ts';

const files = 40;
const kills = 50;
/** Looking is due 2 s after the tail and again a little later; the default waits 15 min for slow lists. */
const reconcileAfterMs = 2000;
const mostRestarts = 60;

type Stored = { filename: string; sha256: string; link: string };

export const bench: Bench = {
  name: 'kill',
  extra: true,
  goal: `${kills} times kill -9 in a ${files}-file run: every file exactly once, every link right`,
  async run() {
    const place = makePlace();
    const service = await startServiceProcess([
      '--requests-per-minute',
      'none',
      '--requests-per-day',
      'none',
    ]);
    const home = path.join(place.folder, 'home');
    const folder = path.join(place.folder, 'folder');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(folder);
    const settings = {
      requestsPerMinute: 100_000,
      requestsPerDay: 1_000_000,
      reconcileAfterMs,
      concurrentUploads: 2,
    };
    writeFileSync(path.join(home, 'settings.json'), JSON.stringify(settings));
    const wanted = new Map<string, string>();
    try {
      const args = ['--json', 'watch', folder, '--existing', 'upload', '--once'];
      let done = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        // New files arrive while others are being uploaded, so that every kill has something to interrupt.
        while (done < Math.ceil((files * (kill + 1)) / kills)) {
          const name = `file ${done}.bin`;
          const content = Buffer.alloc(20_000 + done * 37_000, `content of ${name} `);
          writeFileSync(path.join(folder, name), content);
          wanted.set(name, createHash('sha256').update(content).digest('hex'));
          done += 1;
        }
        const run = startOuttray(args, { home, service });
        // From before the first line of code to well into the uploads.
        await Promise.race([sleep(150 + Math.random() * 1200), run.done]);
        await run.kill('SIGKILL');
      }
      let restarts = 0;
      let counts: Record<string, number> = {};
      for (; restarts < mostRestarts; restarts += 1) {
        const run = startOuttray(args, { home, service });
        await run.done;
        const idle = run.lines
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .findLast((line) => line['event'] === 'idle');
        counts = Object.fromEntries(
          Object.entries(idle ?? {}).filter(([, value]) => typeof value === 'number'),
        ) as Record<string, number>;
        if (counts['uploaded'] === files) break;
        await sleep(500);
      }
      const stored = await service.get<Stored[]>('files');
      const twice = stored.length - new Set(stored.map(({ filename }) => filename)).size;
      const wrong = stored.filter(({ filename, sha256 }) => wanted.get(filename) !== sha256).length;
      const missing = [...wanted.keys()].filter(
        (name) => !stored.some(({ filename }) => filename === name),
      ).length;
      const links = await checkLinks(home, service, folder, wanted);
      const ok = twice === 0 && wrong === 0 && missing === 0 && links === 0 && stored.length === files;
      return { ok, kills, stored: stored.length, twice, wrong, missing, wrongLinks: links, restarts, counts };
    } finally {
      await service.stop();
      place.remove();
    }
  },
};

/** Links, as the command reports them, that do not serve the bytes of their file. */
const checkLinks = async (
  home: string,
  service: Parameters<typeof startOuttray>[1]['service'],
  folder: string,
  wanted: ReadonlyMap<string, string>,
): Promise<number> => {
  let wrong = 0;
  const names = [...wanted.keys()];
  const run = startOuttray(['upload', ...names.map((name) => path.join(folder, name))], { home, service });
  await run.done;
  for (const [index, name] of names.entries()) {
    const link = run.lines[index];
    if (link === undefined) wrong += 1;
    else {
      const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
      if (createHash('sha256').update(bytes).digest('hex') !== wanted.get(name)) wrong += 1;
    }
  }
  return wrong;
};
