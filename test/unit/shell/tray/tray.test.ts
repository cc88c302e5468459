// When the tray's menu is replaced: as soon as it would show or do something else, but not in front of the user.
import type { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TrayActs, TrayShown } from '../../../../src-main/shell/tray/tray-menu.ts';
import { createSpeech } from '../../../../src-main/shell/texts.ts';
import { statusWith } from '../a-status.ts';

type Shown = EventEmitter & { items: MenuItemConstructorOptions[] };

const { electron, drawn } = vi.hoisted(() => {
  const { EventEmitter: Events } = process.getBuiltinModule('events');
  const menus: Shown[] = [];
  class Tray extends Events {
    isGone = false;
    setImage = () => undefined;
    setToolTip = () => undefined;
    setTitle = () => undefined;
    setContextMenu = (menu: Shown) => void menus.push(menu);
    isDestroyed = () => this.isGone;
    destroy = () => void (this.isGone = true);
  }
  return {
    drawn: menus,
    electron: {
      Tray,
      Menu: {
        buildFromTemplate: (items: MenuItemConstructorOptions[]) => Object.assign(new Events(), { items }),
      },
      nativeTheme: Object.assign(new Events(), { shouldUseDarkColorsForSystemIntegratedUI: false }),
      nativeImage: { createEmpty: () => ({}) },
    },
  };
});
vi.mock('electron', () => electron);
vi.mock('../../../../src-main/shell/platform.ts', () => ({ platform: 'linux' }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { nativeImage } = await import('electron');
const { createTray } = await import('../../../../src-main/shell/tray/tray.ts');

const noon = new Date(2026, 10, 20, 12, 0).getTime();
const done: string[] = [];
let shown: TrayShown;
let tray: ReturnType<typeof createTray>;

const acts: TrayActs = {
  link: (uploadId, act) => void done.push(`${act} ${uploadId}`),
  copyNewest: (uploadIds) => void done.push(`copy ${uploadIds.join(' ')}`),
  uploadFiles: () => undefined,
  uploadClipboard: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  openFolder: () => undefined,
  openApp: () => undefined,
  quit: () => undefined,
};

/** Links to files of one name, of the same minute. */
const alike = (...uploadIds: number[]): TrayShown['links'] =>
  uploadIds.map((uploadId) => ({ uploadId, name: 'index.html', uploadedAtMs: noon }));

const show = (more: Partial<TrayShown>): void => {
  shown = { ...shown, ...more };
  tray?.changed();
};
const labels = (): (string | undefined)[] => drawn.at(-1)?.items.map(({ label }) => label) ?? [];
const pressAll = (items: readonly MenuItemConstructorOptions[]): void => {
  for (const { click, submenu } of items) {
    (click as (() => void) | undefined)?.();
    pressAll((submenu ?? []) as MenuItemConstructorOptions[]);
  }
};

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
  shown = { status: statusWith({}), links: [], nowMs: noon };
  tray = createTray({
    name: 'Outtray',
    icon: nativeImage.createEmpty,
    shown: () => shown,
    speech: () => createSpeech('en', ['en-GB']),
    acts: () => acts,
    dropped: () => undefined,
    popover: null,
  });
});
afterEach(() => {
  tray?.stop();
  vi.useRealTimers();
  electron.nativeTheme.removeAllListeners();
  drawn.length = 0;
  done.length = 0;
});

test('links that look the same are exchanged: a click acts on the newest file', async () => {
  show({ links: alike(6, 5) });
  await vi.advanceTimersByTimeAsync(1_000);
  show({ links: alike(7, 6) });
  await vi.advanceTimersByTimeAsync(1_000);
  pressAll(drawn.at(-1)?.items ?? []);
  expect(done).toEqual([
    ...['copy 7', 'open 7', 'qr 7', 'recall 7'],
    ...['copy 6', 'open 6', 'qr 6', 'recall 6'],
    'copy 7 6',
  ]);
});

test('a menu that would show and do the same stays', async () => {
  show({ links: alike(6, 5) });
  await vi.advanceTimersByTimeAsync(1_000);
  const before = drawn.length;
  show({ links: alike(6, 5) });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(drawn).toHaveLength(before);
});

test('an open menu stays as it is, and follows once it is closed', async () => {
  drawn.at(-1)?.emit('menu-will-show');
  show({ status: statusWith({ paused: true }) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(labels()).toContain('Pause');
  drawn.at(-1)?.emit('menu-will-close');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(labels()).toContain('Resume');
});

test('follows after a minute where the desktop does not report that the menu was closed', async () => {
  drawn.at(-1)?.emit('menu-will-show');
  show({ status: statusWith({ paused: true }) });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(labels()).toContain('Pause');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(labels()).toContain('Resume');
});

test('a clock that is set back does not keep the menu from following', async () => {
  drawn.at(-1)?.emit('menu-will-show');
  vi.setSystemTime(noon - 3_600_000);
  await vi.advanceTimersByTimeAsync(61_000);
  show({ status: statusWith({ paused: true }) });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(labels()).toContain('Resume');
});

test('a menu that is open when the tray goes arms nothing for later', () => {
  drawn.at(-1)?.emit('menu-will-show');
  tray?.stop();
  expect(vi.getTimerCount()).toBe(0);
});
