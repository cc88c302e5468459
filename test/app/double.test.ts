// The stand-in for Electron, tested with a tiny app: it behaves as Electron does, and offers nothing more.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canLaunch, launchApp, onRealElectron, startAndEnd, type RunningApp } from '../support/app.ts';

type Bridge = {
  call(name: string, value?: unknown): Promise<unknown>;
  note(...given: unknown[]): void;
  listen(heard: (...given: unknown[]) => void): () => void;
  add(a: number, b: number): number;
  refuse(): void;
  pathOf(file: File | undefined): string;
  lacking(): void;
  missing(): void;
  sandboxed: boolean;
};
declare const bridge: Bridge;
declare const fixture: {
  starts: { argv: string[]; extra: unknown }[];
  refused: string[];
  messages: unknown[][];
};

const folder = path.join(import.meta.dirname, 'fixture');
let home: string;
let app: RunningApp;

const start = (more: object = {}): Promise<RunningApp> => launchApp({ home, folder, ...more });
const ready = (running: RunningApp): Promise<unknown> =>
  running.window.getByText('ready', { exact: true }).waitFor();

describe.skipIf(!canLaunch)('the app runs', () => {
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'outtray-double-'));
    app = await start();
    await ready(app);
  });
  afterAll(async () => {
    await app.quit();
    await rm(home, { recursive: true, force: true });
  });

  const inPage = <T>(act: () => T | Promise<T>): Promise<T> => app.window.evaluate(act);
  /** What this expression throws or rejects with in the page. */
  const messageOf = (expression: string): Promise<string> =>
    app.window.evaluate(`(async () => ${expression})().then(() => 'nothing', (cause) => cause.message)`);

  describe('preload and page', () => {
    test('the page sees what the preload exposes and nothing else of it', async () => {
      const seen = await inPage(() => {
        const page = globalThis as unknown as Record<string, unknown>;
        return [
          typeof page['bridge'],
          typeof page['secretOfThePreload'],
          typeof page['require'],
          typeof page['process'],
        ];
      });
      expect(seen).toEqual(['object', 'undefined', 'undefined', 'undefined']);
    });

    test('the page cannot change what is exposed', async () => {
      expect(await inPage(() => Object.isFrozen(bridge))).toBe(true);
      expect(await messageOf('{ "use strict"; bridge.add = 1 }')).toMatch(/read only/);
    });

    test('a bridged function returns at once, and its errors reach the page', async () => {
      expect(await inPage(() => bridge.add(1, 2))).toBe(3);
      expect(await messageOf('bridge.refuse()')).toBe('refused');
    });

    test('calls carry structured clones there and back', async () => {
      const kinds = await inPage(async () => {
        const cyclic: Record<string, unknown> = { name: 'self' };
        cyclic['self'] = cyclic;
        const given = {
          date: new Date(5), map: new Map([[1, { a: -0 }]]), set: new Set(['x']), bytes: new Uint8Array([1, 255]),
          big: 7n, nothing: undefined, nan: NaN, pattern: /a/gi, error: new RangeError('far'), cyclic, ['__proto__x']: 1,
        }; // prettier-ignore
        const back = (await bridge.call('echo', given)) as typeof given;
        return [
          back.date.getTime(), Object.is(back.map.get(1)?.a, -0), back.set.has('x'), [...back.bytes].join(), back.big === 7n,
          'nothing' in back, back.nan, String(back.pattern), back.error.message, (back.cyclic['self'] as object) === back.cyclic,
        ]; // prettier-ignore
      });
      expect(kinds).toEqual([5, true, true, '1,255', true, true, NaN, '/a/gi', 'far', true]);
    });

    test('a value that cannot be cloned is refused on either side', async () => {
      expect(await messageOf('bridge.call("echo", { symbol: Symbol("x") })')).toMatch(/could not be cloned/);
      expect(await messageOf('bridge.call("uncloneable")')).toMatch(
        /^Error invoking remote method 'uncloneable'.*cloned/,
      );
    });

    test("a handler's failure arrives in Electron's words, an unknown channel's too", async () => {
      expect(await messageOf('bridge.call("fails")')).toBe(
        "Error invoking remote method 'fails': TypeError: no luck",
      );
      expect(await messageOf('bridge.call("unknown")')).toBe(
        "Error invoking remote method 'unknown': Error: No handler registered for 'unknown'",
      );
    });

    test('the sender is the top frame at the origin of the app', async () => {
      expect(await inPage(() => bridge.call('sender'))).toEqual({
        origin: 'outtray://app',
        url: 'outtray://app/',
        top: true,
      });
    });

    test('messages arrive in order, and no more after the undo', async () => {
      const heard = await inPage(
        () =>
          new Promise<unknown[][]>((resolve) => {
            const all: unknown[][] = [];
            const undo = bridge.listen((...given) => {
              all.push(given);
              if (given[0] === 'last') resolve(all);
              if (given[0] === 2) undo();
              if (given[0] === 3) resolve([['heard after the undo']]);
            });
            for (const number of [1, 2, 3]) bridge.note(number);
            bridge.listen((...given) => given[0] === 'last' && resolve(all));
            bridge.note('last');
          }),
      );
      expect(heard).toEqual([[1], [2]]);
    });

    test("the preload has no Node, and only the stand-in's part of Electron", async () => {
      expect(await messageOf('bridge.missing()')).toMatch(/module not found: node:fs/);
      if (!onRealElectron)
        expect(await messageOf('bridge.lacking()')).toMatch(/does not have electron\.webFrame/);
      expect(await inPage(() => bridge.sandboxed)).toBe(true);
    });
  });

  describe('security', () => {
    test('the content security policy stops an inline script', async () => {
      expect(await inPage(() => 'inlineRan' in globalThis)).toBe(false);
      expect(app.complaints).toEqual([expect.stringContaining('Content Security Policy')]);
    });

    test('a page can neither navigate away nor open a window when the app refuses', async () => {
      const before = app.window.url();
      await app.window.click('#away');
      await app.window.click('#other');
      await app.window.click('#other', { modifiers: ['Shift'] });
      expect(await inPage(() => open('/opened'))).toBe(null);
      await expect
        .poll(() => app.electron.evaluate(() => fixture.refused))
        .toEqual([
          'navigate https://example.invalid/',
          'open https://example.invalid/new',
          'open https://example.invalid/new',
          'open outtray://app/opened',
        ]);
      await expect.poll(() => app.electron.windows().length).toBe(1);
      expect(app.window.url()).toBe(before);
    });

    test('the app itself reloads the page, although it prevents navigation', async () => {
      await inPage(() => document.body.setAttribute('data-old', ''));
      await app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.reload(),
      );
      await app.window.locator('body:not([data-old])').waitFor();
    });

    test('a frame inside the page gets no bridge', async () => {
      const framed = () => app.window.frames().find((one) => one.url().endsWith('/frame.html'));
      await expect.poll(framed).toBeDefined();
      expect(await framed()?.evaluate(() => typeof (globalThis as { bridge?: unknown }).bridge)).toBe(
        'undefined',
      );
    });

    test('the app decides permissions', async () => {
      expect(
        await inPage(async () => (await navigator.permissions.query({ name: 'geolocation' })).state),
      ).toBe('denied');
    });

    test.skipIf(onRealElectron)('insecure web preferences are refused', async () => {
      const refusal = app.electron.evaluate(({ BrowserWindow }) => {
        new BrowserWindow({ webPreferences: { nodeIntegration: true } });
      });
      await expect(refusal).rejects.toThrow('webPreferences.nodeIntegration');
    });
  });

  describe('files', () => {
    test('a chosen file and a dropped one have their paths', async () => {
      const file = path.join(home, 'ünï code.txt');
      await writeFile(file, 'hello');
      await app.window.setInputFiles('#file', file);
      expect(
        await inPage(() => bridge.pathOf(document.querySelector<HTMLInputElement>('#file')?.files?.[0])),
      ).toBe(file);
      await app.dropFiles('#drop', [file]);
      await expect
        .poll(() => inPage(() => (globalThis as unknown as { dropped: string[] }).dropped))
        .toEqual([file]);
    });

    test('every message arrives in its order, also one that comes while the script is paused for a path', async () => {
      const file = path.join(home, 'paused.txt');
      await writeFile(file, 'hello');
      await app.window.setInputFiles('#file', file);
      const heard = await inPage(async () => {
        const chosen = document.querySelector<HTMLInputElement>('#file')?.files?.[0];
        const { promise, resolve } = Promise.withResolvers<unknown[]>();
        const all: unknown[] = [];
        bridge.listen((number) => {
          if (typeof number === 'number' && all.push(number) === 30) resolve(all);
        });
        for (let n = 0; n < 30; n += 1) {
          bridge.note(n);
          bridge.pathOf(chosen);
        }
        return await promise;
      });
      expect(heard).toEqual(Array.from({ length: 30 }, (_, n) => n));
    });

    test('a file made by a script has no path', async () => {
      expect(await inPage(() => bridge.pathOf(new File(['x'], 'x.txt')))).toBe('');
    });
  });

  describe('input', () => {
    /** The app's input events up to the last event of this kind in the page. */
    const heardAt = async (kind: string): Promise<string[]> => {
      const heard = () => inPage(() => (globalThis as unknown as { heard: Record<string, Heard> }).heard);
      await expect.poll(async () => (await heard())[kind]).toBeDefined();
      // Electron reports a key as one or the other.
      const types = ((await heard())[kind] ?? []).map(
        ({ type, held }) => type.replace('keyDown', 'rawKeyDown') + (held ? ' held' : ''),
      );
      await inPage(() => void Object.assign(globalThis, { heard: {} }));
      return types;
    };
    type Heard = { type: string; held: boolean }[];

    test('the app receives a real press before the page acts on it, and none from a script', async () => {
      await inPage(() => {
        const heard: Record<string, unknown> = {};
        Object.assign(globalThis, { heard });
        for (const kind of ['click', 'keyup', 'keydown', 'tried'])
          document.addEventListener(kind, () => {
            const { heard } = globalThis as unknown as { heard: Record<string, unknown> };
            void bridge.call('inputs').then((inputs) => (heard[kind] = inputs));
          });
      });
      await inPage(() => bridge.call('inputs'));
      await app.window.click('h1');
      expect(await heardAt('click')).toEqual(['mouseDown', 'mouseUp']);
      await app.window.keyboard.down('a');
      expect(await heardAt('keydown')).toEqual(['rawKeyDown']);
      await app.window.keyboard.down('a');
      expect(await heardAt('keydown')).toEqual(['rawKeyDown held']);
      await app.window.keyboard.up('a');
      expect(await heardAt('keyup')).toEqual(['keyUp']);

      await inPage(() => {
        const heading = document.querySelector('h1');
        heading?.click();
        for (const kind of ['mousedown', 'mouseup', 'click'])
          heading?.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
        document.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter' }));
      });
      await heardAt('keyup');
      await inPage(() => void document.dispatchEvent(new Event('tried')));
      expect(await heardAt('tried')).toEqual([]);
    });
  });

  describe('desktop', () => {
    test('the tray has its menu, and a click runs its item', async () => {
      expect((await app.tray())?.items.map(({ label }) => label)).toContain('Copy');
      await app.clickTray('Copy');
      expect(await app.clipboardText()).toBe('a link');
      await expect(app.clickTray('Missing')).rejects.toThrow("No 'Missing' in [Copy, More,");
    });

    test('a notification is visible and can be clicked', async () => {
      await app.clickTray('More', 'Tell');
      expect(await app.notifications()).toEqual([{ title: 'Told', body: 'once' }]);
      await app.clickNotification();
      expect(await app.clipboardText()).toBe('told');
    });

    test('a dialog gets the answer prepared by the test, else it is cancelled', async () => {
      await app.answer('showOpenDialog', { canceled: false, filePaths: ['/chosen'] });
      const ask = (): Promise<string[]> =>
        app.electron.evaluate(async ({ dialog }) => (await dialog.showOpenDialog({ title: 'x' })).filePaths);
      expect(await ask()).toEqual(['/chosen']);
      expect(await ask()).toEqual([]);
      expect(await app.asked()).toMatchObject([{ how: 'showOpenDialog', options: { title: 'x' } }, {}]);
    });

    test('no file or link is really opened', async () => {
      await app.electron.evaluate(({ shell }) => shell.openExternal('https://example.invalid/'));
      expect(await app.opened()).toEqual([{ how: 'openExternal', target: 'https://example.invalid/' }]);
    });

    test('the window is shown when ready, keeps its limits and sizes its page', async () => {
      const window = await app.frame();
      expect(await window.evaluate((one) => one.isVisible())).toBe(true);
      await window.evaluate((one) => one.setSize(100, 600));
      expect(await window.evaluate((one) => one.getSize())).toEqual([640, 600]);
      await expect.poll(() => inPage(() => innerWidth)).toBe(640);
      expect(await window.evaluate((one) => { one.hide(); return one.isVisible(); })).toBe(false); // prettier-ignore
      await window.evaluate((one) => one.show());
    });

    test.skipIf(onRealElectron)('a theme reaches the page', async () => {
      await app.electron.evaluate(({ nativeTheme }) => void (nativeTheme.themeSource = 'dark'));
      await expect.poll(() => inPage(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    });
  });

  describe('one instance', () => {
    test('a second start ends, and the first is notified', async () => {
      expect(await startAndEnd({ home, folder, args: ['a.txt'] })).toBe(0);
      await expect.poll(() => app.electron.evaluate(() => fixture.starts.length)).toBe(1);
      const [heard] = await app.electron.evaluate(() => fixture.starts);
      expect(heard?.argv).toContain('a.txt');
      expect(heard?.extra).toEqual({ wants: 'window' });
    });

    test('the lock of a killed app is free again', async () => {
      const elsewhere = path.join(home, 'killed');
      const killed = await start({ home: elsewhere });
      await ready(killed);
      await killed.kill();
      const next = await start({ home: elsewhere });
      await ready(next);
      await next.quit();
    });
  });

  describe.skipIf(onRealElectron)('missing parts', () => {
    const refusalOf = (expression: string): Promise<string> =>
      app.electron.evaluate((electron, code) => {
        try {
          // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
          new Function('electron', code)(electron);
          return 'nothing';
        } catch (cause) {
          return (cause as Error).message;
        }
      }, expression);

    test.each([
      ['electron.safeStorage', 'electron.safeStorage'],
      ['electron.app.setJumpList([])', 'App.setJumpList'],
      ['electron.shell.readShortcutLink("x")', 'shell.readShortcutLink'],
      ['electron.BrowserWindow.getAllWindows()[0].setOpacity(1)', 'BrowserWindow.setOpacity'],
      ['electron.BrowserWindow.addExtension', 'BrowserWindow.addExtension'],
      ['electron.BrowserWindow.getAllWindows()[0].webContents.print()', 'WebContents.print'],
      ['electron.session.defaultSession.cookies', 'Session.cookies'],
      ['electron.app.on("browser-window-bluured", () => {})', "'browser-window-bluured' of App"],
    ])('%s throws', async (expression, named) => {
      expect(await refusalOf(expression)).toContain(named);
    });
  });
});
