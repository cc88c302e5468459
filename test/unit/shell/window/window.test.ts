// A page that dies is loaded again, but not over and over; one that comes late gets what it missed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WindowNews } from '../../../../src-main/contract/window.ts';
import type { AppWindow } from '../../../../src-main/shell/window/window.ts';
import { givenGroup } from '../../../support/window/screen-seeds.ts';

const { electron, done, page, sent } = vi.hoisted(() => {
  const { EventEmitter: Events } = process.getBuiltinModule('events');
  const told: string[] = [];
  const sent: unknown[] = [];
  const contents = Object.assign(new Events(), { send: (_: string, ...all: unknown[]) => sent.push(...all) });
  class BrowserWindow extends Events {
    webContents = contents;
    reload = () => void told.push('reload');
    isDestroyed = () => false;
    setBackgroundColor = () => undefined;
    destroy = () => void told.push('destroy');
    hide = () => void told.push('hide');
    isMinimized = () => true;
    restore = () => undefined;
    focus = () => undefined;
    show = () => void told.push('show');
    loadURL = () => Promise.resolve();
  }
  return {
    done: told,
    page: contents,
    sent,
    electron: {
      app: { isPackaged: true },
      BrowserWindow,
      nativeTheme: Object.assign(new Events(), { shouldUseDarkColors: false }),
      screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
      session: {},
    },
  };
});
vi.mock('electron', () => electron);
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { createAppWindow } = await import('../../../../src-main/shell/window/window.ts');

let app: AppWindow;
let closing: Promise<'hide'> = Promise.resolve('hide');
const die = (): boolean => page.emit('render-process-gone', {}, { reason: 'crashed' });

beforeEach(() => {
  vi.useFakeTimers();
  closing = Promise.resolve('hide');
  app = createAppWindow({
    preload: '',
    url: 'outtray://app/',
    title: 'Outtray',
    remembered: { read: () => null, write: () => undefined },
    onClose: () => closing,
  });
  app.show();
});
afterEach(() => {
  vi.useRealTimers();
  page.removeAllListeners();
  done.length = 0;
  sent.length = 0;
});

test('a page that dies is loaded again, also at the start of the program', () => {
  die();
  expect(done).toEqual(['reload']);
});

test('one that dies twice within ten seconds is not', () => {
  die();
  vi.advanceTimersByTime(9_000);
  die();
  expect(done).toEqual(['reload', 'destroy']);
});

test('one that dies again after a day is loaded again, also when the clock was set back meanwhile', () => {
  die();
  vi.advanceTimersByTime(24 * 3_600_000);
  vi.setSystemTime(Date.now() - 2 * 24 * 3_600_000);
  die();
  expect(done).toEqual(['reload', 'reload']);
});

test('closing hides the window also when the settings cannot be written', async () => {
  const faults: unknown[] = [];
  const take = (fault: unknown): void => void faults.push(fault);
  process.on('unhandledRejection', take);
  closing = Promise.reject(new Error('the disk is full'));
  app.frame()?.emit('close', { preventDefault: () => undefined });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['hide']);
  // The fault goes on to the log (lifecycle.ts, followFaults).
  await vi.waitFor(() => expect(faults).toHaveLength(1));
  process.off('unhandledRejection', take);
});

test('a page that is not loaded yet gets each drop as it is now, and the requests, when it is', () => {
  const given = (id: number, going: number): WindowNews => ({
    kind: 'given',
    group: { ...givenGroup, id, going },
  });
  app.send(given(1, 5));
  app.send({ kind: 'cue', cue: 'show-files' });
  app.send(given(2, 1));
  app.send(given(1, 0));
  for (let id = 3; id < 30; id += 1) app.send(given(id, 0));
  page.emit('did-finish-load');
  expect(sent).toHaveLength(20);
  expect(sent.at(-1)).toEqual(given(29, 0));
  sent.length = 0;
  app.send(given(30, 0));
  expect(sent).toEqual([]);
});

test.each([1, 2])('a drop that is told after the page died (%i times) waits for the next page', (times) => {
  page.emit('did-finish-load');
  for (let time = 0; time < times; time += 1) die();
  const message: WindowNews = { kind: 'given', group: givenGroup };
  app.send(message);
  expect(sent).toEqual([]);
  if (times === 2) {
    app.frame()?.emit('closed');
    app.show();
  }
  page.emit('did-finish-load');
  expect(sent).toEqual([message]);
});

test('a window that is hidden while its page is loaded again can be shown at once', () => {
  page.emit('did-finish-load');
  die();
  done.length = 0;
  app.show();
  expect(done).toContain('show');
});
