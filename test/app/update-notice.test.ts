// A long update of an earlier version's ledger: a small window reports it before the main process is busy with it.
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { expect, test } from 'vitest';
import { takeEngineLock } from '../../src-main/adapters/system/lock.ts';
import { canLaunch } from '../support/app.ts';
import { writeShipped } from '../support/ledgers/shape.ts';
import { eventually, setStage } from './stage.ts';

const putLargeLedger = (data: string): void => {
  const file = path.join(data, 'ledger.sqlite');
  writeShipped(file, 22);
  const sqlite = new DatabaseSync(file);
  sqlite.exec('CREATE TABLE blobs (bytes); INSERT INTO blobs VALUES (zeroblob(41000000)); DROP TABLE blobs');
  sqlite.close();
};

test.skipIf(!canLaunch)(
  'a long update of the ledger is shown in a window of its own, which closes when the app is there',
  async () => {
    await using stage = await setStage({ language: 'de' });
    const data = path.join(stage.home, 'outtray');
    putLargeLedger(data);
    // The update waits for its turn, and the main process with it.
    const lock = takeEngineLock({ folder: data, who: 'a test' });
    const app = await stage.start({ expectWindow: false });
    const notice = await app.electron.firstWindow();
    await eventually(() => notice.getByRole('status').textContent()).toMatch(/^Outtray bringt seine Aufz/);
    const next = app.electron.waitForEvent('window');
    const gone = notice.waitForEvent('close');
    lock.release();
    await gone;
    await (await next).locator('h1').first().waitFor({ state: 'attached' });
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);
