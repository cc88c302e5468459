// States of the window that the running app reaches by itself: the built app on the stand-in, its engine, a folder on
// disk, and the service with its faults. Nothing is seeded into the window.
import { copyFile, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineStatus } from '../../../src-main/contract/model.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { call, desktopPath, openPopover, reload, setStage, type Stage, watchFolder } from '../stage.ts';
import type { RunningApp } from '../../support/app.ts';
import type { Page } from 'playwright-core';
import { addressOf, missingForKeyring, startBus } from '../../support/keyring.ts';
import { writeManyUploads } from '../../support/window/many-uploads.ts';

export type RunningState = {
  name: string;
  settings?: Partial<Settings>;
  /** The window begins with the first run: no key, no folder. */
  isNew?: boolean;
  /** The list of the account was never read. */
  isUnread?: boolean;
  /** What is on the service and on disk before the app starts. */
  before?: (stage: Stage) => Promise<void> | void;
  /** What a user does, or what happens to the user. */
  act?: (stage: Stage, app: RunningApp) => Promise<void>;
  /** As on this system: only it has the popover of the tray. */
  system?: 'win32';
  /** What the picture is of; left out: the window. Its size is its own. */
  page?: (app: RunningApp) => Promise<Page>;
};

const root = path.resolve(import.meta.dirname, '../../..');
const mega = 1_000_000;
const hourMs = 3_600_000;
/** A state is reached within this time, or there is no picture of it. */
const reachMs = 60_000;

const until = async (app: RunningApp, wanted: (status: EngineStatus) => boolean): Promise<void> => {
  const endMs = Date.now() + reachMs;
  for (;;) {
    const status = await call(app.window, 'app.status', {});
    if (wanted(status)) return;
    if (Date.now() > endMs) throw new Error(`The status stayed ${JSON.stringify(status)}`);
    await sleep(50);
  }
};

const openView = (name: string) => async (app: RunningApp) => {
  await app.window.getByRole('navigation').getByRole('button', { name }).click();
  await app.window.getByRole('heading', { level: 1, name }).waitFor();
};
const openQueue = openView('Queue');

/** A file of this size that takes no room on the disk. */
const putSized = async (stage: Stage, name: string, bytes: number): Promise<string> => {
  const file = await stage.put(name, name);
  const handle = await open(file, 'r+');
  await handle.truncate(bytes);
  await handle.close();
  return file;
};

const putPicture = async (stage: Stage, name: string): Promise<void> =>
  copyFile(path.join(root, 'resources/icons/icon.png'), path.join(stage.folder, name));

/** Files of other machines of the same account. */
const addElsewhere = async (stage: Stage, count: number): Promise<void> => {
  const names = [
    'Price list 2026.xlsx',
    'brand assets.zip',
    'launch film.mov',
    'dataset 2026.parquet',
    'Zugänge.csv',
  ];
  for (let at = 0; at < count; at += 1) {
    const name = names[at] ?? `render ${String(at).padStart(3, '0')}.png`;
    const storedAtMs = Date.now() - (at + 1) * 7 * hourMs;
    await stage.service.addFile({ filename: name, content: name.repeat(1 + ((at * 37) % 900)), storedAtMs });
  }
};

const everydayFiles = async (stage: Stage): Promise<void> => {
  await putSized(stage, 'Outtray-Setup-2.0.0-x64.exe', 84 * mega);
  await putSized(
    stage,
    'quarterly report Q3 with all appendices and the tables of the regions.pdf',
    2.4 * mega,
  );
  await putSized(stage, 'minutes.docx', 48_000);
  await putSized(stage, 'חשבונית 331.pdf', 182_000);
  await putSized(stage, 'Ünïcödé – списък.txt', 5);
  await putPicture(stage, 'holiday at the sea.png');
};

const everyday = async (stage: Stage, app: RunningApp): Promise<void> => {
  await everydayFiles(stage);
  await until(app, ({ counts }) => counts.uploaded === 6);
  // The marks of new rows go by themselves.
  await sleep(3_000);
  while ((await app.window.locator('.row.arrived').count()) > 0) await sleep(200);
};

/** Uploads begin and do not end: the service reads slowly. */
const slowly = (stage: Stage, bytesPerSecond: number): void =>
  stage.service.faults.add({
    match: { method: 'POST' },
    times: null,
    fault: { kind: 'drip-read', bytesPerSecond },
  });

const refuse = (stage: Stage, status: number, headers: Record<string, string> = {}): void =>
  stage.service.faults.add({ times: null, fault: { kind: 'answer', status, headers } });

/** Drops files onto the window, and waits until the first upload of them begins. */
const drop = async (stage: Stage, app: RunningApp, files: string[]): Promise<void> => {
  const posts = (): number => stage.service.requests().filter(({ method }) => method === 'POST').length;
  const before = posts();
  await app.dropFiles('main', files);
  // The stand-in's page must not be asked for anything while it finds out the paths of dropped files.
  const endMs = Date.now() + reachMs;
  while (posts() === before && Date.now() < endMs) await sleep(50);
};

const putMany = async (stage: Stage, count: number, into = stage.folder): Promise<void> => {
  for (let at = 1; at <= count; at += 1)
    await stage.put(path.join(into, `render ${String(at).padStart(3, '0')}.png`));
};

const dropped = async (stage: Stage, count: number, bytes: number): Promise<string[]> => {
  const files: string[] = [];
  for (let at = 1; at <= count; at += 1)
    files.push(await putSized(stage, path.join(stage.home, 'Desktop', `scan ${String(at)}.pdf`), bytes));
  return files;
};

const fetched = ['minutes', 'holiday', 'Price list', 'brand assets', 'Zugänge', 'launch film'];

const download = async (stage: Stage, name: string, times: number): Promise<void> => {
  const file = stage.service.files().find(({ filename }) => filename.startsWith(name));
  // Links name another host here: none of their downloads leaves this computer.
  const link = new URL(new URL(file?.link ?? '').pathname, stage.service.baseUrl).href;
  for (let time = 0; time < times; time += 1) await (await fetch(link)).bytes();
};

/** A month does not pass here: what the engine counted at each reading is moved to its day. */
const readForDays = async (stage: Stage, app: RunningApp, days: number): Promise<void> => {
  const ledger = new DatabaseSync(path.join(stage.home, 'outtray/ledger.sqlite'), { timeout: 5_000 });
  const dayMs = 24 * hourMs;
  for (let day = days; day >= 0; day -= 1) {
    for (const [at, name] of fetched.entries()) {
      const weekend = (days - day) % 7 > 4 ? 3 : 1;
      await download(stage, name, Math.floor(((day * 7 + at * 5) % 11) / (weekend + (at % 2))));
    }
    const beganMs = Date.now();
    await call(app.window, 'files.refresh', {});
    ledger.prepare('UPDATE downloads SET at_ms = at_ms - ? WHERE at_ms >= ?').run(day * dayMs, beganMs);
    ledger
      .prepare(
        `UPDATE facts SET value = json_set(value, '$[#-1].atMs', value ->> '$[#-1].atMs' - ?) WHERE name = 'readings'`,
      )
      .run(day * dayMs);
  }
  ledger.close();
};

export const runningStates: readonly RunningState[] = [
  {
    name: 'first-run',
    isNew: true,
    act: (_stage, app) => app.window.getByLabel('API key').waitFor(),
  },
  {
    name: 'popover',
    system: 'win32',
    async act(stage, app) {
      await everyday(stage, app);
      slowly(stage, 2 * mega);
      await putSized(stage, 'keynote recording.mp4', 60 * mega);
      await until(app, ({ sending }) => sending === 1);
      await sleep(3_000);
    },
    async page(app) {
      const page = await openPopover(app);
      await page.getByRole('listitem').first().waitFor();
      return page;
    },
  },
  { name: 'account-of-300', before: (stage) => addElsewhere(stage, 300) },
  { name: 'account-of-300-unread', isUnread: true, before: (stage) => addElsewhere(stage, 300) },
  { name: 'everyday', before: (stage) => addElsewhere(stage, 5), act: everyday },
  {
    name: 'statistics-one-reading',
    isUnread: true,
    before: (stage) => addElsewhere(stage, 5),
    async act(stage, app) {
      await everyday(stage, app);
      for (const [at, name] of fetched.entries()) await download(stage, name, 18 - at * 3);
      await openView('Statistics')(app);
      await app.window.getByRole('button', { name: /^Read / }).click();
      await app.window.getByText('downloads so far').waitFor();
      // The notice about the reading goes by itself.
      await sleep(6_000);
    },
  },
  {
    name: 'statistics-thirty-days',
    before: (stage) => addElsewhere(stage, 5),
    async act(stage, app) {
      await everyday(stage, app);
      await readForDays(stage, app, 29);
      await openView('Statistics')(app);
      await app.window.getByText('downloads so far').waitFor();
      await sleep(1_000);
    },
  },
  {
    name: 'everyday-settings',
    async act(_stage, app) {
      await openView('Settings')(app);
      await app.window.getByRole('tab', { name: 'Folder' }).click();
    },
  },
  {
    name: 'followed',
    before: (stage) => addElsewhere(stage, 3),
    async act(stage, app) {
      await everyday(stage, app);
      const followed = async (name: string): Promise<string> => {
        const file = stage.service.files().find(({ filename }) => filename.startsWith(name));
        await call(app.window, 'files.follow', { files: [{ fileId: file?.id ?? 0 }] });
        // Links name another host here: none of their downloads leaves this computer.
        return new URL(new URL(file?.link ?? '').pathname, stage.service.baseUrl).href;
      };
      await followed('minutes');
      const link = await followed('Outtray-Setup');
      for (const times of [2, 1, 4]) {
        for (let time = 0; time < times; time += 1) await (await fetch(link)).bytes();
        await call(app.window, 'files.refresh', {});
        await sleep(500);
      }
      await app.window.keyboard.press('Control+r');
      await app.window.locator('.row', { hasText: 'Setup' }).click();
      await app.window.keyboard.press('i');
      await app.window.getByText('4 more, 7 in all').waitFor();
    },
  },
  { name: 'nothing-yet' },
  {
    name: 'drag-over',
    before: (stage) => addElsewhere(stage, 5),
    async act(stage, app) {
      const files = await dropped(stage, 15, 26 * mega);
      const cdp = await app.window.context().newCDPSession(app.window);
      const data = { items: [], files, dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver'] as const)
        await cdp.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
    },
  },
  {
    name: 'mid-upload',
    before: (stage) => addElsewhere(stage, 5),
    async act(stage, app) {
      slowly(stage, 2 * mega);
      await drop(stage, app, await dropped(stage, 15, 60 * mega));
      await sleep(6_000);
    },
  },
  {
    name: 'copied-card',
    before: (stage) => addElsewhere(stage, 5),
    async act(stage, app) {
      await drop(stage, app, await dropped(stage, 15, 40_000));
      await until(app, ({ outside }) => outside.waiting === 0 && outside.uploaded === 15);
      await sleep(2_500);
    },
  },
  {
    name: 'deleted-row',
    settings: { reconcileAfterMs: 60_000 },
    before: (stage) => addElsewhere(stage, 2),
    async act(stage, app) {
      await everyday(stage, app);
      const [first] = stage.service.files().toReversed();
      if (first !== undefined) await stage.service.removeFile(first.id);
      // A file that is newer than this may be missing because the list is slow: it is not called gone.
      await sleep(61_000);
      // As a person does: the page reads its list again.
      await app.window.keyboard.press('Control+r');
      await app.window.getByText('Link no longer works').waitFor();
    },
  },
  {
    name: '100000-rows',
    // They are in the ledger only: a list of the service would not have them.
    isUnread: true,
    before(stage) {
      writeManyUploads(path.join(stage.home, 'outtray/ledger.sqlite'), 100_000);
    },
  },
  {
    name: 'queue-mid-upload',
    async act(stage, app) {
      slowly(stage, 2 * mega);
      for (let at = 1; at <= 12; at += 1) await putSized(stage, `renders/frame ${String(at)}.exr`, 40 * mega);
      await putSized(stage, 'keynote recording.mp4', 300 * mega);
      await stage.put('id_rsa.pem', 'not really a key');
      await stage.put('empty.txt', '');
      await stage.put('~$minutes.docx', 'lock');
      await until(app, ({ sending }) => sending > 2);
      await sleep(4_000);
      await openQueue(app);
    },
  },
  {
    name: 'paused',
    async act(stage, app) {
      await call(app.window, 'queue.pause', { untilMs: Date.now() + hourMs });
      await everydayFiles(stage);
      await until(app, ({ counts }) => counts.waiting === 6);
      await sleep(2_000);
      await openQueue(app);
    },
  },
  {
    name: 'offline',
    async act(stage, app) {
      stage.service.refuseConnections();
      await everydayFiles(stage);
      await until(app, ({ gate }) => gate.kind === 'closed');
      await openQueue(app);
    },
  },
  {
    name: 'rate-429',
    async act(stage, app) {
      refuse(stage, 429, { 'retry-after': '540' });
      await everydayFiles(stage);
      await until(app, ({ counts }) => counts.waiting > 3);
      await sleep(4_000);
      await openQueue(app);
    },
  },
  {
    name: 'day-budget-used-up',
    settings: { requestsPerDay: 8 },
    async act(stage, app) {
      await putMany(stage, 20);
      await until(app, ({ limit, sending }) => limit !== null && sending === 0);
      await openQueue(app);
    },
  },
  {
    name: 'daily-uploads-used-up',
    async act(stage, app) {
      stage.service.changeAccount({ dailyUploads: 3 });
      await putMany(stage, 12);
      await until(app, ({ counts, sending }) => counts.uploaded === 3 && sending === 0);
      await openQueue(app);
    },
  },
  {
    name: 'key-refused',
    async act(stage, app) {
      stage.service.revokeKey();
      await stage.put('one.txt');
      await until(app, ({ gate }) => gate.kind === 'closed');
    },
  },
  {
    name: 'plan-refused',
    async act(stage, app) {
      stage.service.changeAccount({ plan: 'Free' });
      await stage.put('one.txt');
      await until(app, ({ gate }) => gate.kind === 'closed');
    },
  },
  {
    name: 'folder-gone',
    async act(stage, app) {
      await everyday(stage, app);
      await rename(stage.folder, `${stage.folder} moved`);
      await until(app, ({ folderAvailable }) => !folderAvailable);
    },
  },
  {
    name: 'held-burst-260',
    async act(stage, app) {
      const scans = path.join(stage.home, 'scans 2019');
      await putMany(stage, 260, scans);
      // One move: on a slow machine the first of many writes would go up before there are too many.
      await rename(scans, path.join(stage.folder, 'scans 2019'));
      await until(app, ({ counts }) => counts.held === 260);
      await openQueue(app);
    },
  },
  {
    name: 'uncertain',
    settings: { reconcileAfterMs: 60_000 },
    async act(stage, app) {
      stage.service.faults.add({
        match: { method: 'POST', path: '/files/upload' },
        fault: { kind: 'reset', at: 'done' },
      });
      await stage.put('invoice-331.pdf');
      await until(app, ({ counts }) => counts.held === 1);
      await openQueue(app);
    },
  },
  {
    name: 'failed-alike',
    async act(stage, app) {
      stage.service.faults.add({
        match: { method: 'POST', path: '/files/upload' },
        times: 3,
        fault: { kind: 'answer', status: 415, body: { success: false, message: 'Type not accepted' } },
      });
      for (const name of ['clip one.mkv', 'clip two.mkv', 'clip three.mkv'])
        await putSized(stage, name, 3 * mega);
      await until(app, ({ counts }) => counts.failed === 3);
      await openQueue(app);
    },
  },
];

/** The app in this state. `end` ends it and removes what it left. */
export const reach = async (state: RunningState): Promise<{ app: RunningApp; end: () => Promise<void> }> => {
  const stage = await setStage({
    linkHosts: ['files.example.com'],
    requestsPerMinute: 50,
    requestsPerDay: 5_000,
    ...state.settings,
  });
  // A new user's desktop has a keychain. The other states are given their key.
  const bus =
    state.isNew === true && missingForKeyring() === null ? await startBus({ keyring: 'unlocked' }) : null;
  const end = async (): Promise<void> => {
    await stage[Symbol.asyncDispose]();
    await bus?.[Symbol.asyncDispose]();
  };
  try {
    stage.service.change({ linkHost: 'https://files.example.com' });
    await state.before?.(stage);
    if (state.isNew === true) {
      const app = await stage.start({ env: bus === null ? {} : addressOf(bus) });
      await state.act?.(stage, app);
      return { app, end };
    }
    const env =
      state.system === undefined
        ? {}
        : { PATH: await desktopPath(stage.home), ELECTRON_DOUBLE_MODES: `platform=${state.system}` };
    const app = await stage.start({ apiKey: stage.service.key, env });
    await watchFolder(app, stage.folder);
    await until(app, ({ watch }) => watch === 'live');
    if (state.isUnread !== true) await call(app.window, 'files.refresh', {});
    await reload(app);
    await state.act?.(stage, app);
    return { app, end };
  } catch (error) {
    await end();
    throw error;
  }
};
