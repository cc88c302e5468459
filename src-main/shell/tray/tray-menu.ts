// The tray's menu as data: what is shown and what a click does. Pure; tray.ts shows it.
import type { MenuItemConstructorOptions } from 'electron';
import { formatWhen } from '../../contract/text/formats.ts';
import type { EngineStatus } from '../../contract/model.ts';
import type { Platform, Speech } from '../../contract/text/speech.ts';
import { newestTogether, type NewestLink } from '../../contract/window.ts';
import { pauses } from '../../contract/pauses.ts';
import { plainName } from '../texts.ts';

export type TrayShown = { status: EngineStatus | null; links: readonly NewestLink[]; nowMs: number };

/** What to do with one link; `qr` and `recall` open the window. */
export type LinkAct = 'copy' | 'open' | 'qr' | 'recall';

export type TrayActs = {
  link(uploadId: number, act: LinkAct): void;
  copyNewest(uploadIds: number[]): void;
  uploadFiles(): void;
  uploadClipboard(): void;
  /** Its end counts from the click, not from the time of the menu. */
  pause(pause: (typeof pauses)[number]): void;
  resume(): void;
  openFolder(): void;
  openApp(): void;
  quit(): void;
};

/** One of the acts with what it acts on. */
type TrayAct = {
  [Name in keyof TrayActs]: [name: Name, ...on: Parameters<TrayActs[Name]>];
}[keyof TrayActs];

/**
 * An item names its act instead of having a function, so that two menus that look alike but act on different files
 * differ as text, too.
 */
export type TrayItem = {
  label?: string;
  type?: 'separator';
  enabled?: boolean;
  act?: TrayAct;
  submenu?: TrayItem[];
};

export const linksInMenu = 10;

const separator = { type: 'separator' } as const;

/** `line`: the status. Windows expects the default action at the top of a menu. */
export const trayItems = (
  { status, links, nowMs, line }: TrayShown & { line: string },
  { say, locale }: Speech,
  platform: Platform,
): TrayItem[] => {
  const openApp: TrayItem = { label: say('tray.openApp'), act: ['openApp'] };
  const linkEntry = ({ uploadId, name, uploadedAtMs }: NewestLink): TrayItem => ({
    label: `${label(plainName(name))}   ${formatWhen(locale, nowMs, uploadedAtMs, say('time.now'))}`,
    submenu: [
      { label: say('do.copyLink'), act: ['link', uploadId, 'copy'] },
      { label: say('files.openLink'), act: ['link', uploadId, 'open'] },
      { label: say('files.qr'), act: ['link', uploadId, 'qr'] },
      separator,
      { label: say('tray.recall'), act: ['link', uploadId, 'recall'] },
    ],
  });
  const copyEntry = (count: number): TrayItem => ({
    label: say('tray.copyNewest', { count }),
    act: ['copyNewest', links.slice(0, count).map(({ uploadId }) => uploadId)],
  });
  return [
    ...(platform === 'win32' ? [openApp] : []),
    { label: label(line), act: ['openApp'] },
    separator,
    { label: say(links.length === 0 ? 'tray.noLinks' : 'tray.newest'), enabled: false },
    ...links.slice(0, linksInMenu).map(linkEntry),
    ...(links.length < 2
      ? []
      : [{ label: say('tray.copySeveral'), submenu: newestTogether(links.length).map(copyEntry) }]),
    separator,
    { label: say('tray.uploadFiles'), act: ['uploadFiles'] },
    { label: say('tray.uploadClipboard'), act: ['uploadClipboard'] },
    separator,
    status?.paused === true
      ? { label: say('queue.resume'), act: ['resume'] }
      : {
          label: say('queue.pause'),
          submenu: pauses.map((pause) => ({ label: say(pause.key), act: ['pause', pause] })),
        },
    {
      label: say('tray.openFolder'),
      enabled: status !== null && status.folder !== null && status.folderAvailable,
      act: ['openFolder'],
    },
    ...(platform === 'win32' ? [] : [openApp]),
    separator,
    { label: say('tray.quit'), act: ['quit'] },
  ];
};

export const trayTemplate = (items: readonly TrayItem[], acts: TrayActs): MenuItemConstructorOptions[] =>
  items.map(({ act, submenu, ...shown }) => ({
    ...shown,
    ...(submenu !== undefined && { submenu: trayTemplate(submenu, acts) }),
    ...(act !== undefined && { click: () => run(act, acts) }),
  }));

const run = ([name, ...on]: TrayAct, acts: TrayActs): void =>
  (acts[name] as (...on: unknown[]) => void)(...on);

/** A single `&` in a menu underlines what follows it. */
const label = (text: string): string => text.replaceAll('&', '&&');
