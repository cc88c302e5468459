// What the stand-in deliberately lacks. A test compares the first list with Electron's own types, so that a new version
// of Electron shows. The second list is what a green test on the stand-in does not prove.

/** Modules of `electron/main` that are not there: importing one fails. */
export const lackingModules: Record<string, string> = {
  BaseWindow: 'BrowserWindow is what the app uses',
  BrowserView: 'one page per window',
  ImageView: 'one page per window',
  View: 'one page per window',
  WebContentsView: 'one page per window',
  contentTracing: 'the browser is not ours to trace',
  desktopCapturer: 'there is no desktop',
  inAppPurchase: 'macOS only',
  IpcMainServiceWorker: 'no service workers',
  MenuItem: 'menus are made from templates',
  MessageChannelMain: 'the contract needs two channels and no ports',
  netLog: 'the network is not Electron’s',
  powerSaveBlocker: 'the app lets the machine sleep',
  pushNotifications: 'macOS only',
  safeStorage: 'the key is kept by the keychain adapter',
  ShareMenu: 'macOS only',
  systemPreferences: 'there is no desktop',
  TouchBar: 'macOS only',
  utilityProcess: 'the engine runs in the main process',
  WebSocket: 'the app opens no sockets from Electron',
  webFrameMain: 'frames are told with the event that came from them',
};

/** What only Electron itself can show. */
export const unseenHere: readonly string[] = [
  'whether a window without a frame lies above the others, leaves the taskbar, or is hidden when another program is clicked',
  'drags that a page or the app begins: what was asked is recorded, nothing reaches another program',
  'progress in Dock and taskbar as the system draws it',
  'fingers, pens and what assistive technology presses: of input-event only a mouse’s buttons and keys are told',
  'native menus, tray icons, notifications and dialogs as the desktop draws them; accelerators of menus',
  'the scheme of the app as the page’s real origin: chromium sees https://outtray--app.stand-in.invalid',
  'whether a page knows that its window is hidden, minimized or in the background',
  'pictures: an image that is cropped or resized keeps its bytes; thumbnails of Windows and macOS',
  'proxy settings of a session; certificates; BoringSSL instead of OpenSSL under Node',
  'storage of pages between two starts: every start has a new profile',
  'fuses, asar integrity, the sandbox of a page',
  'windows that pages open: they are always closed, and allowing one is complained about',
  'beforeunload, webviews, DevTools, spell checking, downloads',
];
