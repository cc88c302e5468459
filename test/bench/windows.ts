// Against each way in which a service may count its minute: no 429, and at least 95 % of the allowance after the first
// minute, also with a kill -9 and a restart in the middle. Real time: about four minutes.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './frame.ts';
import { makePlace, startOuttray, startServiceProcess } from './outtray.ts';

const files = 170;
const perMinute = 50;
const killAfterMs = 75_000;
const mostMs = 330_000;

type Seen = { atMs: number; method: string; status: number | null; fileId: FileId | null };

const one = async (window: string, withKill: boolean) => {
  const place = makePlace();
  const service = await startServiceProcess(['--plan', 'Pro', '--window', window, '--store', 'hash-only']);
  const home = path.join(place.folder, 'home');
  const folder = path.join(place.folder, 'folder');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(folder);
  try {
    const args = ['--json', 'watch', folder, '--existing', 'upload', '--once'];
    for (let i = 0; i < files; i += 1) writeFileSync(path.join(folder, `file ${i}.txt`), `content ${i}\n`);
    const startMs = Date.now();
    let run = startOuttray(args, { home, service });
    if (withKill) {
      await sleep(killAfterMs);
      await run.kill('SIGKILL');
      run = startOuttray(args, { home, service });
    }
    const limit = AbortSignal.timeout(mostMs);
    await Promise.race([run.done, sleep(mostMs, null, { signal: limit }).catch(() => null)]);
    await run.kill('SIGTERM');
    const requests = await service.get<Seen[]>('requests');
    const refused = requests.filter(({ status }) => status === 429).length;
    const uploads = requests.filter(({ fileId }) => fileId !== null);
    const lastMs = Math.max(...uploads.map(({ atMs }) => atMs));
    // After the first minute, until the last whole ten seconds before the end: while there was work.
    const fromMs = startMs + 60_000;
    const counted = requests.filter(({ atMs }) => atMs >= fromMs && atMs <= lastMs).length;
    const share = counted / ((perMinute * (lastMs - fromMs)) / 60_000);
    return { window, withKill, refused, uploads: uploads.length, share: Number(share.toFixed(3)) };
  } finally {
    await service.stop();
    place.remove();
  }
};

export const bench: Bench = {
  name: 'windows',
  extra: true,
  goal: `${files} files on a Pro account: no 429 and at least 95 % of the allowance after the first minute`,
  async run() {
    const cases = ['fixed', 'sliding', 'bucket'].flatMap((window) => [one(window, false), one(window, true)]);
    const results = await Promise.all(cases);
    const ok = results.every(
      ({ refused, uploads, share }) => refused === 0 && uploads === files && share >= 0.95,
    );
    return { ok, results };
  },
};
