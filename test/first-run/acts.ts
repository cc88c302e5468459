// The checks that need no person, by their names on the page. Each returns what it has seen, and throws where that is wrong.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { agreed, call, pressed, reload, setStage, type Stage } from '../app/stage.ts';
import type { RunningApp } from '../support/app.ts';
import { eventually } from '../support/flow/poll.ts';

export type Rig = {
  stage: Stage;
  /** The app, which watches the stage's folder; started again if it has ended. */
  app(): Promise<RunningApp>;
  /** A short try of the checks themselves: fewer files, and a shorter look. */
  isShort: boolean;
};

const root = path.resolve(import.meta.dirname, '../..');
const icon = path.join(root, 'resources/icons/icon.png');
const command = path.join(root, 'out/cli/cli.cjs');

const demand = (isRight: boolean, seen: string): string => {
  if (!isRight) throw new Error(seen);
  return seen;
};

const uploaded = async ({ stage }: Rig, names: readonly string[]): Promise<string> => {
  const taken = (): Set<string> => new Set(stage.service.files().map(({ filename }) => filename));
  await eventually(`${String(names.length)} files are uploaded`, () =>
    names.every((name) => taken().has(name)),
  );
  return `${String(names.length)} uploaded`;
};

const outside = (rig: Rig, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map((name) => rig.stage.put(path.join(rig.stage.home, name))));

type Piped = { code: number | null; stdout: string; stderr: string };

/** The built command. `isRead`: whether its output has a reader. */
const help = (isRead: boolean): Promise<Piped> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'upload', '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended: Piped = { code: null, stdout: '', stderr: '' };
    if (isRead) child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
    else child.stdout.destroy();
    child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code }));
  });

export const begin = async (stage: Stage): Promise<RunningApp> => {
  const app = await stage.start({ apiKey: stage.service.key });
  await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
  await call(app.window, 'window.chooseFolder', {});
  await call(app.window, 'folder.choose', { folder: stage.folder, existing: 'skip' });
  await eventually(
    'the folder is watched',
    async () => (await call(app.window, 'app.status', {})).watch === 'live',
  );
  await reload(app);
  return app;
};

export const acts: Readonly<Record<string, (rig: Rig) => Promise<string>>> = {
  async start({ app }) {
    const { electron, complaints } = await app();
    const { electron: own, chrome, node } = await electron.evaluate(() => process.versions);
    const seen = `Electron ${own}, Chromium ${chrome}, Node ${node}`;
    return demand(complaints.length === 0, [seen, ...complaints].join('\n'));
  },

  async pipes() {
    const whole = await help(true);
    const cut = await help(false);
    const seen = `${String(whole.stdout.length)} characters, exit codes ${String(whole.code)} and ${String(cut.code)} ${cut.stderr}`;
    return demand(whole.code === 0 && whole.stdout.endsWith('\n') && cut.stderr === '', seen);
  },

  async threads(rig) {
    const { window } = await rig.app();
    await rig.stage.put('large.bin', 'x'.repeat(9_000_000));
    // In parts, so that no scanner takes this file for a leak.
    await rig.stage.put('notes.txt', ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join(''));
    const seen = await uploaded(rig, ['large.bin']);
    await eventually('the text is held', async () =>
      (await call(window, 'queue.get', {})).held.some(({ name }) => name === 'notes.txt'),
    );
    return `${seen}, 1 held`;
  },

  async keychain() {
    await using own = await setStage();
    const bus = process.env['DBUS_SESSION_BUS_ADDRESS'];
    const app = await own.start(bus === undefined ? {} : { env: { DBUS_SESSION_BUS_ADDRESS: bus } });
    const { key } = await pressed(app, 'account.login', { key: own.service.key });
    if (process.platform === 'linux' && key.kind === 'session') {
      await app.quit();
      return 'no keyring runs here: kept for the session';
    }
    demand(key.kind === 'stored', `The key is ${key.kind}.`);
    await agreed(app, 'account.logout', {});
    const after = await call(app.window, 'account.get', {});
    await app.quit();
    return demand(after.key.kind === 'absent', `stored, then ${after.key.kind}`);
  },

  async sqlite({ app }) {
    const { electron } = await app();
    return await electron.evaluate(() => {
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const ledger = new DatabaseSync(':memory:');
      ledger.exec("CREATE VIRTUAL TABLE found USING fts5(name, content='', contentless_delete=1)");
      ledger.exec("INSERT INTO found (rowid, name) VALUES (7, 'report')");
      const count = (): unknown =>
        ledger.prepare("SELECT count(*) AS n FROM found WHERE found MATCH 'report'").get()?.['n'];
      const before = count();
      ledger.exec('DELETE FROM found WHERE rowid = 7');
      if (before !== 1 || count() !== 0) throw new Error(`Found ${String(before)}, then ${String(count())}.`);
      return String(ledger.prepare('SELECT sqlite_version() AS version').get()?.['version']);
    });
  },

  async origin({ app }) {
    const { window, complaints } = await app();
    const { origin, fonts } = await window.evaluate(async () => {
      const all = [...(await document.fonts.ready)];
      return { origin: location.origin, fonts: all.map(({ family, status }) => `${family} ${status}`) };
    });
    const seen = [origin, ...fonts, ...complaints].join(', ');
    return demand(
      origin === 'outtray://app' && complaints.length === 0 && !fonts.some((font) => font.endsWith('error')),
      seen,
    );
  },

  async drop(rig) {
    const app = await rig.app();
    await app.dropFiles('main', await outside(rig, ['dropped.txt']));
    return await uploaded(rig, ['dropped.txt']);
  },

  async press({ app }) {
    const running = await app();
    await call(running.window, 'queue.pause', { untilMs: null });
    const before = (await running.asked()).length;
    await pressed(running, 'queue.resume', {});
    const dialogs = (await running.asked()).length - before;
    return demand(dialogs === 0, `${String(dialogs)} dialogs`);
  },

  async close({ app, stage }) {
    const running = await app();
    const frame = await running.frame();
    const isSeen = (): Promise<boolean> =>
      frame.evaluate((window) => window.isVisible() && !window.isMinimized());
    await frame.evaluate((window) => window.close());
    await eventually('the window is put away', async () => !(await isSeen()));
    const { code } = await stage.run([]);
    await eventually('the window is back', isSeen);
    return demand(code === 0, `The second start ended with ${String(code)}.`);
  },

  async secondStart(rig) {
    await rig.app();
    const names = Array.from({ length: 100 }, (_, at) => `second start ${String(at)}.txt`);
    const { code } = await rig.stage.run(await outside(rig, names));
    demand(code === 0, `The second start ended with ${String(code)}.`);
    return await uploaded(rig, names);
  },

  async fileAddress(rig) {
    await rig.app();
    const [file = ''] = await outside(rig, ['given by address.txt']);
    await rig.stage.run([pathToFileURL(file).href]);
    return await uploaded(rig, ['given by address.txt']);
  },

  async tray({ app }) {
    const { tray, electron } = await app();
    const entries = (await tray())?.items.length ?? 0;
    const { width, height } = await electron.evaluate(
      () => probe.trayNow()?.tray.getBounds() ?? { width: 0, height: 0 },
    );
    const seen = `${String(entries)} entries, ${String(width)} × ${String(height)}`;
    return demand(entries > 5 && (process.platform === 'linux' || width * height > 0), seen);
  },

  async clipboard({ app }) {
    const { electron } = await app();
    const types = await electron.evaluate(async ({ clipboard, ClipboardItem }) => {
      await clipboard.write([
        new ClipboardItem({
          'text/plain': 'a link',
          'text/html': '<a href="https://example.com">a link</a>',
        }),
      ]);
      return (await clipboard.read()).flatMap((item) => [...item.types]);
    });
    return demand(types.includes('text/plain') && types.includes('text/html'), types.join(', '));
  },

  async shortcut({ app }) {
    const { electron } = await app();
    const [good, bad] = await electron.evaluate(({ globalShortcut }) => {
      const take = (keys: string): string => {
        try {
          const isTaken = globalShortcut.register(keys, () => undefined);
          if (isTaken) globalShortcut.unregister(keys);
          return String(isTaken);
        } catch (error) {
          return `refused: ${String(error)}`;
        }
      };
      return [take('CommandOrControl+Alt+Shift+F9'), take('No such keys')] as const;
    });
    return demand(good === 'true' && bad !== 'true', `${good}; ${bad}`);
  },

  async certificates({ app }) {
    const { electron } = await app();
    const counts = await electron.evaluate(() => {
      const { getCACertificates } = process.getBuiltinModule('node:tls');
      return (['default', 'system'] as const).map((kind) => getCACertificates(kind).length);
    });
    return demand(
      counts.every((count) => count > 0),
      counts.join(' and '),
    );
  },

  async proxy({ app }) {
    const { electron } = await app();
    const answer = await electron.evaluate(({ session }) =>
      Promise.race([
        session.defaultSession.resolveProxy('https://example.com/'),
        new Promise<string>((resolve) => setTimeout(resolve, 10_000, 'no answer in 10 s')),
      ]),
    );
    return demand(/^(DIRECT|PROXY|HTTPS?|SOCKS[45]?)\b/.test(answer), answer);
  },

  async folders({ app, stage }) {
    const { electron } = await app();
    const { userData, ofItsChoice } = await electron.evaluate(({ app: own }) => {
      const { existsSync } = process.getBuiltinModule('node:fs');
      const { join } = process.getBuiltinModule('node:path');
      const choice = join(own.getPath('appData'), own.getName());
      return { userData: own.getPath('userData'), ofItsChoice: existsSync(choice) ? choice : null };
    });
    return demand(
      userData === path.join(stage.home, 'electron') && ofItsChoice === null,
      `${userData}, ${ofItsChoice ?? 'nothing else'}`,
    );
  },

  async picture({ app }) {
    const { electron } = await app();
    const { width, height } = await electron.evaluate(async ({ nativeImage }, file) => {
      const wanted = { width: 64, height: 64 };
      if (process.platform !== 'linux')
        return (await nativeImage.createThumbnailFromPath(file, wanted)).getSize();
      const image = nativeImage.createFromBuffer(process.getBuiltinModule('node:fs').readFileSync(file));
      return nativeImage.createFromBuffer(image.resize(wanted).toPNG()).getSize();
    }, icon);
    return demand(width > 0 && width <= 64 && height <= 64, `${String(width)} × ${String(height)}`);
  },

  async deadPage({ app }) {
    const running = await app();
    const { electron } = running;
    await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    const title = (): Promise<unknown> =>
      electron.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        if (contents === undefined || contents.isCrashed()) return null;
        const script = "outtray.call('app.status', {}).then(({ ok }) => ok && document.title)";
        // It may die in between.
        return (await contents.executeJavaScript(script).catch(() => null)) as unknown;
      });
    const text = await eventually('the page is back', title);
    // Playwright does not follow a page over the death of its process.
    await running.quit();
    return `“${String(text)}”`;
  },

  async notice({ app, isShort }) {
    const { electron } = await app();
    const ms = await electron.evaluate(
      ({ BrowserWindow }) =>
        new Promise<number>((resolve) => {
          const fromMs = performance.now();
          const window = new BrowserWindow({ show: false, width: 420, height: 140 });
          const end = (): void => {
            window.destroy();
            resolve(Math.round(performance.now() - fromMs));
          };
          window.once('ready-to-show', end);
          setTimeout(() => !window.isDestroyed() && end(), 5_000);
          void window.loadURL('data:text/html,<p>One moment.');
        }),
    );
    return demand(isShort || ms < 2_000, `${String(ms)} ms`);
  },

  async idle({ isShort }) {
    await using own = await setStage();
    const [folders, restMs, lookMs] = isShort ? [1, 1_000, 500] : [100, 20_000, 20_000];
    for (let folder = 0; folder < folders; folder += 1) {
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => own.put(path.join(String(folder), `${String(at)}.txt`))),
      );
    }
    const app = await begin(own);
    const share = await app.electron.evaluate(
      async (_modules, [rest, look]) => {
        const wait = (ms: number): Promise<unknown> => new Promise((next) => setTimeout(next, ms));
        await wait(rest);
        const before = process.cpuUsage();
        await wait(look);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000 / look;
      },
      [restMs, lookMs] as const,
    );
    await app.quit();
    const seen = `${(100 * share).toFixed(1)} % of one core, ${String(100 * folders)} files`;
    return isShort ? seen : demand(share < 0.02, seen);
  },
};

/** What support/probe.cjs keeps in the main process. */
declare const probe: { trayNow(): { tray: { getBounds(): { width: number; height: number } } } | undefined };
