// The tray's menu as a template. Pure: what is shown and what a click does; tray.ts shows it.
import type { MenuItemConstructorOptions } from 'electron';
import type { EngineStatus } from '../../contract/model.ts';
import { statusLine } from './status-line.ts';
import { pauses } from '../../contract/pauses.ts';
import { plainName } from '../texts.ts';
import type { Speech } from '../../contract/speech.ts';

export type TrayLink = { uploadId: number; name: string };
export type TrayShown = { status: EngineStatus | null; links: readonly TrayLink[]; nowMs: number };

export type TrayActs = {
  copyLink(uploadId: number): void;
  uploadFiles(): void;
  uploadClipboard(): void;
  pause(untilMs: number | null): void;
  resume(): void;
  openFolder(): void;
  openApp(): void;
  quit(): void;
};

export const linksInMenu = 10;

export const trayTemplate = (
  { status, links, nowMs }: TrayShown,
  speech: Speech,
  acts: TrayActs,
): MenuItemConstructorOptions[] => {
  const { say } = speech;
  return [
    { label: label(statusLine(status, nowMs, speech)), enabled: false },
    { type: 'separator' },
    { label: say(links.length === 0 ? 'tray.noLinks' : 'tray.newest'), enabled: false },
    ...links.slice(0, linksInMenu).map(({ uploadId, name }) => ({
      label: label(plainName(name)),
      toolTip: say('do.copyLink'),
      click: () => acts.copyLink(uploadId),
    })),
    { type: 'separator' },
    { label: say('tray.uploadFiles'), click: acts.uploadFiles },
    { label: say('tray.uploadClipboard'), click: acts.uploadClipboard },
    { type: 'separator' },
    status?.paused === true
      ? { label: say('queue.resume'), click: acts.resume }
      : {
          label: say('queue.pause'),
          submenu: pauses.map(({ key, until }) => ({
            label: say(key),
            // When it is clicked, not when the menu was made.
            click: () => acts.pause(until(Date.now())),
          })),
        },
    {
      label: say('tray.openFolder'),
      enabled: status !== null && status.folder !== null && status.folderAvailable,
      click: acts.openFolder,
    },
    { label: say('tray.openApp'), click: acts.openApp },
    { type: 'separator' },
    { label: say('tray.quit'), click: acts.quit },
  ];
};

/** A single `&` in a menu underlines what follows it. */
const label = (text: string): string => text.replaceAll('&', '&&');
