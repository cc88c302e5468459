// The end of the program for an update, in the order in which macOS does it: windows first, questions afterwards.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch, onRealElectron } from '../support/app.ts';
import { setStage, untilStatus, type Stage, watchFolder } from './stage.ts';

const recorded = (stage: Stage): Record<string, unknown>[] => {
  const file = path.join(stage.home, 'record');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};
const start = (stage: Stage, mode: string) =>
  stage.start({
    apiKey: stage.service.key,
    env: { ELECTRON_DOUBLE_MODES: mode, ELECTRON_DOUBLE_RECORD: path.join(stage.home, 'record') },
  });

test.skipIf(!canLaunch || onRealElectron)(
  'an update that is installed now ends uploads in order, closes the window and lets the installer continue',
  async () => {
    await using stage = await setStage();
    const app = await start(stage, 'squirrel=ready');
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    stage.service.faults.add({
      match: { path: '/files/upload' },
      times: null,
      fault: { kind: 'drip-read', bytesPerSecond: 400_000 },
    });
    await writeFile(path.join(stage.folder, 'large.bin'), randomBytes(600_000));
    await untilStatus(app.window, ({ sending }) => sending > 0);

    await app.electron.evaluate(({ autoUpdater }) => autoUpdater.quitAndInstall());
    expect((await app.ended).code).toBe(0);
    expect(recorded(stage)).toEqual([{ installed: true }]);

    stage.service.faults.clear();
    const again = await start(stage, '');
    await untilStatus(again.window, ({ counts }) => counts.uploaded === 1, 60_000);
    expect(stage.service.files()).toHaveLength(1);
    await again.quit();
  },
  120_000,
);

test.skipIf(!canLaunch || onRealElectron)(
  'an update that cannot be installed after all starts the program again',
  async () => {
    await using stage = await setStage();
    const app = await start(stage, 'squirrel=empty');
    await app.electron.evaluate(({ autoUpdater }) => autoUpdater.quitAndInstall());
    expect((await app.ended).code).toBe(0);
    expect(recorded(stage)).toHaveLength(1);
    const args: unknown = expect.arrayContaining([]);
    // The new process has the key of this start, which the app had taken out of its environment.
    expect(recorded(stage)[0]).toMatchObject({ relaunch: { args }, key: stage.service.key });
  },
);
