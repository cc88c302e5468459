// The app ends with one sentence when its data folder is not its own any more: deleted while it runs, or written by a newer
// version. It must not start again with an empty ledger, or everything would go up once more.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { canLaunch } from '../support/app.ts';
import { folderContent } from '../support/folder-content.ts';
import { setStage, untilStatus, watchFolder } from './stage.ts';

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
    await watchFolder(app, stage.folder);
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

test.skipIf(!canLaunch)(
  'written by a newer version: a box of the app says so, nothing is changed and nothing sent',
  async () => {
    await using stage = await setStage();
    const first = await stage.start({ apiKey: stage.service.key });
    await watchFolder(first, stage.folder);
    await untilStatus(first.window, ({ watch }) => watch === 'live');
    await first.quit();
    const ledger = await ledgerBelow(stage.home);
    const sqlite = new DatabaseSync(ledger);
    sqlite.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    sqlite.close();
    await stage.put('new.txt');
    const data = path.dirname(ledger);
    const before = [folderContent(data), stage.service.requests().length];

    const { code, stderr: said } = await stage.run([], { apiKey: stage.service.key });
    expect(code).toBe(1);
    expect(said).toMatch(/^Outtray: .*newer version of Outtray.*Update Outtray/m);
    expect(said).not.toMatch(/^\s+at /m);
    expect([folderContent(data), stage.service.requests().length]).toEqual(before);
  },
);
