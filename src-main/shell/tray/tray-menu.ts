// The tray's menu as a template. Pure: what is shown and what a click does; tray.ts shows it.
import type { MenuItemConstructorOptions } from 'electron';
import { formatWhen } from '../../contract/text/formats.ts';
import type { EngineStatus } from '../../contract/model.ts';
import type { Platform } from '../../contract/text/speech.ts';
import { newestTogether, type NewestLink } from '../../contract/window-commands.ts';
import { pauses } from '../../contract/pauses.ts';
import { plainName } from '../texts.ts';
import type { Speech } from '../../contract/text/speech.ts';

export type TrayShown = { status: EngineStatus | null; links: readonly NewestLink[]; nowMs: number };

/** What to do with one link; `qr` and `recall` open the window. */
export type LinkAct = 'copy' | 'open' | 'qr' | 'recall';

export type TrayActs = {
  link(uploadId: number, act: LinkAct): void;
  copyNewest(uploadIds: number[]): void;
  uploadFiles(): void;
  uploadClipboard(): void;
  pause(untilMs: number | null): void;
  resume(): void;
  openFolder(): void;
  openApp(): void;
  quit(): void;
};

export const linksInMenu = 10;

const separator = { type: 'separator' } as const;

/** `line`: the status. Windows expects the default action at the top of a menu. */
export const trayTemplate = (
  { status, links, nowMs, line }: TrayShown & { line: string },
  { say, locale }: Speech,
  acts: TrayActs,
  platform: Platform,
): MenuItemConstructorOptions[] => {
  const openApp = { label: say('tray.openApp'), click: acts.openApp };
  const linkEntry = ({ uploadId, name, uploadedAtMs }: NewestLink): MenuItemConstructorOptions => ({
    label: `${label(plainName(name))}   ${formatWhen(locale, nowMs, uploadedAtMs, say('time.now'))}`,
    submenu: [
      { label: say('do.copyLink'), click: () => acts.link(uploadId, 'copy') },
      { label: say('files.openLink'), click: () => acts.link(uploadId, 'open') },
      { label: say('files.qr'), click: () => acts.link(uploadId, 'qr') },
      separator,
      { label: say('tray.recall'), click: () => acts.link(uploadId, 'recall') },
    ],
  });
  const copyEntry = (count: number): MenuItemConstructorOptions => ({
    label: say('tray.copyNewest', { count }),
    click: () => acts.copyNewest(links.slice(0, count).map(({ uploadId }) => uploadId)),
  });
  return [
    ...(platform === 'win32' ? [openApp] : []),
    { label: label(line), click: acts.openApp },
    separator,
    { label: say(links.length === 0 ? 'tray.noLinks' : 'tray.newest'), enabled: false },
    ...links.slice(0, linksInMenu).map(linkEntry),
    ...(links.length < 2
      ? []
      : [{ label: say('tray.copySeveral'), submenu: newestTogether(links.length).map(copyEntry) }]),
    separator,
    { label: say('tray.uploadFiles'), click: acts.uploadFiles },
    { label: say('tray.uploadClipboard'), click: acts.uploadClipboard },
    separator,
    status?.paused === true
      ? { label: say('queue.resume'), click: acts.resume }
      : {
          label: say('queue.pause'),
          submenu: pauses.map(({ key, until }) => ({
            label: say(key),
            // The time of the click counts, not that of the menu.
            click: () => acts.pause(until(Date.now())),
          })),
        },
    {
      label: say('tray.openFolder'),
      enabled: status !== null && status.folder !== null && status.folderAvailable,
      click: acts.openFolder,
    },
    ...(platform === 'win32' ? [] : [openApp]),
    separator,
    { label: say('tray.quit'), click: acts.quit },
  ];
};

/** A single `&` in a menu underlines what follows it. */
const label = (text: string): string => text.replaceAll('&', '&&');
