// The app's data folder is deleted while it runs: it says so and ends. It must not start again with an empty ledger,
// or everything would go up once more.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, setStage, untilStatus } from './stage.ts';

const ledgerBelow = async (folder: string): Promise<string> => {
  const found = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('ledger.sqlite'));
  if (found === undefined) throw new Error('There is no ledger.');
  return path.join(folder, found);
};

test.skipIf(!canLaunch)(
  'deleted while it runs: the app says so in one sentence, ends, and makes no new one',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    await call(app.window, 'folder.choose', { folder: stage.folder, existing: 'skip' });
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    const ledger = await ledgerBelow(stage.home);
    // The app may write a file meanwhile.
    await rm(path.dirname(ledger), { recursive: true, maxRetries: 10 });
    const startMs = performance.now();
    expect((await app.ended).code).toBe(1);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    const said = app.complaints.join('\n');
    expect(said).toMatch(/deleted or replaced/);
    expect(said).not.toMatch(/^\s+at /m);
    expect(existsSync(ledger)).toBe(false);
  },
);
