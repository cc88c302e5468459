// The application's menu: macOS expects a full one, elsewhere it is there for Alt and for its shortcuts.
import type { MenuItemConstructorOptions } from 'electron';
import type { CueName } from '../contract/window.ts';
import type { Say } from '../contract/text/speech.ts';

export type MenuActs = { cue(cue: CueName): void; quit(): void };

const separator = { type: 'separator' } as const;

/** `isPackaged`: without the entries for developers. */
export const menuTemplate = (options: {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  appName: string;
  say: Say;
  acts: MenuActs;
}): MenuItemConstructorOptions[] => {
  const { say, acts, platform } = options;
  const isMac = platform === 'darwin';
  const entry = (label: string, cue: CueName, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    // The window answers its shortcuts itself; here they are only shown, so that nothing happens twice.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: isMac }),
    click: () => acts.cue(cue),
  });
  const settings = entry(say('menu.settings'), 'show-settings', 'CmdOrCtrl+,');
  const views = (['files', 'queue', 'statistics', 'settings'] as const).map((view, at) =>
    entry(say(`nav.${view}`), `show-${view}`, `CmdOrCtrl+${at + 1}`),
  );

  const appMenu: MenuItemConstructorOptions = {
    label: options.appName,
    submenu: [
      { role: 'about', label: say('menu.about') },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { label: say('tray.quit'), accelerator: 'Cmd+Q', click: acts.quit },
    ],
  };
  const fileMenu: MenuItemConstructorOptions = {
    // Apple's own name for it differs in some languages.
    label: say(isMac ? 'menu.file.mac' : 'menu.file'),
    submenu: [
      entry(say('tray.uploadFiles'), 'upload-files', 'CmdOrCtrl+O'),
      separator,
      { role: 'close' },
      ...(isMac
        ? []
        : [
            separator,
            settings,
            separator,
            { label: say('tray.quit'), accelerator: 'Ctrl+Q', click: acts.quit },
          ]),
    ],
  };
  const editMenu: MenuItemConstructorOptions = {
    label: say('menu.edit'),
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      separator,
      entry(say('keys.find'), 'find', 'CmdOrCtrl+F'),
    ],
  };
  const viewMenu: MenuItemConstructorOptions = {
    label: say('menu.view'),
    submenu: [
      ...views,
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...(options.isPackaged
        ? []
        : [separator, { role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
    ],
  };
  const windowMenu: MenuItemConstructorOptions = {
    role: 'windowMenu',
    label: say('menu.window'),
  };
  const helpMenu: MenuItemConstructorOptions = {
    role: 'help',
    label: say('menu.help'),
    submenu: [entry(say('nav.shortcuts'), 'shortcuts')],
  };
  return [
    ...(isMac ? [appMenu] : []),
    fileMenu,
    editMenu,
    viewMenu,
    ...(isMac ? [windowMenu] : []),
    helpMenu,
  ];
};
