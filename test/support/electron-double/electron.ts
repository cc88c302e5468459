// What `import … from 'electron'` provides in the main process. A missing name does not link, and reading one from the
// default export throws: the stand-in never pretends to have it. known-lacks.ts lists what it cannot do.
import { app } from './app.ts';
import { autoUpdater } from './auto-updater.ts';
import { BrowserWindow, webContents } from './browser-window.ts';
import { clipboard, ClipboardItem, dialog, Notification, shell, Tray } from './desktop.ts';
import { ipcMain } from './ipc-main.ts';
import { loud } from './loud.ts';
import { Menu } from './menu.ts';
import { nativeImage } from './native-image.ts';
import { net, protocol } from './protocol.ts';
import { session } from './session.ts';
import { globalShortcut, nativeTheme, powerMonitor, screen } from './system.ts';

const electron = loud('electron', {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  webContents,
});

export {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  webContents,
};
export default electron;
/** What `require('electron')` provides. */
export { electron as 'module.exports' };
