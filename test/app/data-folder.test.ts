// The app ends with one sentence when its data folder is no longer its own: deleted while it runs, or written by a newer
// version. It must not start again with an empty ledger, or everything would be uploaded once more. On a read-only one the
// window opens and reports it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { canLaunch } from '../support/app.ts';
import { folderContent } from '../support/folder-content.ts';
import { agreed, call, setStage, type Stage, untilStatus, watchFolder } from './stage.ts';

const ledgerBelow = async (folder: string): Promise<string> => {
  const found = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('ledger.sqlite'));
  if (found === undefined) throw new Error('There is no ledger.');
  return path.join(folder, found);
};

test.skipIf(!canLaunch)(
  'deleted while it runs: the app reports it in one sentence, ends, and makes no new one',
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
  'written by a newer version: a dialog of the app reports it, nothing is changed and nothing sent',
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

test.skipIf(!canLaunch)(
  'a profile is an app of its own beside the default one, with its name in the tray and its own records',
  async () => {
    await using stage = await setStage();
    const [own, work] = [
      await stage.start({ apiKey: stage.service.key }),
      await stage.start({ apiKey: stage.service.key, args: ['--profile', 'work'] }),
    ];
    const toolTips = async () => [(await own.tray())?.toolTip, (await work.tray())?.toolTip];
    await expect
      .poll(toolTips)
      .toEqual([expect.stringMatching(/^outtray: /i), expect.stringMatching(/^outtray \(work\): /i)]);
    await watchFolder(work, stage.folder);
    const data = path.join(stage.home, 'outtray');
    const watchedIn = async (folder: string): Promise<string> =>
      await readFile(path.join(folder, 'settings.json'), 'utf8');
    expect(await watchedIn(path.join(data, 'profiles/work'))).toContain(stage.folder);
    expect(await watchedIn(data)).not.toContain(stage.folder);
  },
);

test.skipIf(!canLaunch)(
  'another account is opened by this program with its profile alone, and without the key of this one',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const started = path.join(stage.home, 'started');
    const program = path.join(stage.home, 'program');
    await writeFile(
      program,
      `#!/bin/sh\n{ echo "$@"; env; } > '${started}.new'; mv '${started}.new' '${started}'\n`,
    );
    await chmod(program, 0o755);
    await app.electron.evaluate(({ app: electron }, exe) => {
      const real = electron.getPath.bind(electron);
      electron.getPath = (name) => (name === 'exe' ? exe : real(name));
    }, program);
    for (const name of ['../work', 'a b', '--home=x', 'con', 'ü', 'a\nb'])
      await expect(agreed(app, 'window.openAccount', { name })).rejects.toThrow();
    expect(existsSync(started)).toBe(false);
    await agreed(app, 'window.openAccount', { name: 'Work' });
    await expect.poll(() => existsSync(started)).toBe(true);
    const [line = '', ...environment] = (await readFile(started, 'utf8')).split('\n');
    expect(line).toMatch(/--profile=Work$/);
    expect(environment.join('\n')).not.toContain(stage.service.key);
  },
);

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;
const unmount = (folder: string): boolean => spawnSync('umount', ['-l', folder]).status === 0;

const canMount = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-mount-'));
  const can = mount('--bind', folder, folder) && unmount(folder);
  rmSync(folder, { recursive: true });
  return can;
})();

/** Writes until the disk is full. */
const fill = (data: string): (() => void) => {
  const filling = path.join(data, 'log', 'filling');
  spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=4096']);
  return () => rmSync(filling);
};

/** Makes the data folder unwritable; the undo of each leaves it mounted. */
const ways = {
  'read-only': (data: string) => {
    mount('--bind', data, data);
    mount('-o', 'remount,ro,bind', data);
    return () => mount('-o', 'remount,rw,bind', data);
  },
  full: (data: string) => {
    const kept = `${data}.kept`;
    cpSync(data, kept, { recursive: true });
    mount('-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', data);
    cpSync(kept, data, { recursive: true });
    return fill(data);
  },
} as const;

/** One file was uploaded, and the app has ended. Returns the folder of the records. */
const recorded = async (stage: Stage): Promise<string> => {
  const app = await stage.start({ apiKey: stage.service.key });
  await watchFolder(app, stage.folder);
  await stage.put('sent.txt');
  await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
  await app.quit();
  return path.dirname(await ledgerBelow(stage.home));
};

test.skipIf(!canLaunch || !canMount).each(['read-only', 'full'] as const)(
  'on a disk that is %s: the window opens with the recorded state, reports the fault, sends nothing, and restarts by itself',
  async (storage) => {
    await using stage = await setStage();
    const data = await recorded(stage);
    const pasted = path.join(data, 'pasted');
    await mkdir(pasted, { recursive: true });
    await writeFile(path.join(pasted, 'left.txt'), '');
    const undo = ways[storage](data);
    try {
      const before = stage.service.requests().length;
      const second = await stage.start({ apiKey: stage.service.key });
      await second.window.getByText(`The disk with Outtray’s records is ${storage}.`).first().waitFor();
      await stage.put('new.txt');
      await second.window.getByText('sent.txt').first().waitFor();
      const status = await call(second.window, 'app.status', {});
      expect(status).toMatchObject({ storage, sending: 0, gate: { kind: 'closed', reason: 'disk' } });
      await call(second.window, 'window.compactRows', { on: true });
      expect(stage.service.requests()).toHaveLength(before);

      undo();
      expect((await second.ended).code).toBe(0);
      expect(second.complaints).toEqual([]);
      const third = await stage.start({ apiKey: stage.service.key });
      await untilStatus(third.window, ({ counts }) => counts.uploaded === 2);
      expect(stage.service.files()).toHaveLength(2);
      await third.quit();
    } finally {
      unmount(data);
    }
  },
);

test.skipIf(!canLaunch || !canMount)(
  'files that are dropped while the disk is full have lines, and their links once it has room, without a press',
  async () => {
    // One at a time, so that the service stores them in the order of the queue.
    await using stage = await setStage({ concurrentUploads: 1 });
    const data = await recorded(stage);
    ways.full(data)();
    try {
      const app = await stage.start({ apiKey: stage.service.key });
      await untilStatus(app.window, ({ watch }) => watch === 'live');
      const undo = fill(data);
      const names = ['one.txt', 'two.txt', 'three.txt'];
      const paths = await Promise.all(names.map((name) => stage.put(path.join(stage.home, name), name)));
      await app.dropFiles('main', paths);
      const ticket = app.window.getByRole('region', { name: 'Files you added' });
      await ticket.getByText('the disk with Outtray’s records cannot be written').waitFor();
      await ticket.getByRole('button', { name: 'Retry' }).waitFor();
      expect(stage.service.files()).toHaveLength(1);

      undo();
      await ticket.getByText('3 links copied').waitFor();
      expect(stage.service.files().map(({ filename }) => filename)).toEqual(['sent.txt', ...names]);
      await app.quit();
    } finally {
      unmount(data);
    }
  },
);
