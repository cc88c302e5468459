// Loaded into the main process before the app (Electron's `-r`), the real one and the stand-in alike: records
// what reaches the desktop, keeps it from doing anything there, and lets tests click it. Not part of the app.
const { app, BrowserWindow, dialog, globalShortcut, Notification, shell, Tray } = require('electron');

const probe = {
  trays: [],
  notifications: [],
  opened: [],
  asked: [],
  answers: {},
  loginItem: null,
  dragged: [],
  shortcuts: {},
  progress: [],
};
globalThis.probe = probe;

/** The last recorded state of a tray object. */
function trayOf(tray) {
  let known = probe.trays.find((one) => one.tray === tray);
  if (!known)
    probe.trays.push((known = { tray, menu: null, toolTip: '', title: '', images: [], destroyed: false }));
  return known;
}
probe.trayNow = () => {
  const known = probe.trays.findLast(({ destroyed }) => !destroyed);
  if (process.platform === 'darwin') known?.tray.emit('right-click', {}, known.tray.getBounds());
  return known;
};
after(Tray.prototype, 'setContextMenu', (tray, [menu]) => (trayOf(tray).menu = menu));
after(Tray.prototype, 'popUpContextMenu', (tray, [menu]) => (trayOf(tray).menu = menu ?? trayOf(tray).menu));
after(Tray.prototype, 'setTitle', (tray, [text]) => (trayOf(tray).title = text));
after(Tray.prototype, 'setToolTip', (tray, [text]) => (trayOf(tray).toolTip = text));
after(Tray.prototype, 'setImage', (tray, [image]) => trayOf(tray).images.push(image));
after(Tray.prototype, 'destroy', (tray) => (trayOf(tray).destroyed = true));
after(Notification.prototype, 'show', (notification) => probe.notifications.push(notification));

after(globalShortcut, 'register', (_keys, [accelerator, act]) => (probe.shortcuts[accelerator] = act));
after(globalShortcut, 'unregister', (_keys, [accelerator]) => delete probe.shortcuts[accelerator]);

after(BrowserWindow.prototype, 'setProgressBar', (_window, [value, options]) =>
  probe.progress.push({ value, mode: options?.mode ?? 'normal' }),
);
app.on('web-contents-created', (_event, contents) => {
  after(contents, 'startDrag', (_contents, [{ file }]) => probe.dragged.push(file));
});

for (const name of ['openExternal', 'openPath', 'showItemInFolder', 'trashItem'])
  shell[name] = async (target) => {
    probe.opened.push({ how: name, target });
    return '';
  };
shell.beep = () => {};

const cancelled = {
  showOpenDialog: { canceled: true, filePaths: [] },
  showSaveDialog: { canceled: true, filePath: '' },
  showMessageBox: { response: 0, checkboxChecked: false },
};
for (const [name, cancel] of Object.entries(cancelled))
  dialog[name] = async (...given) => {
    const options = given.at(-1);
    probe.asked.push({ how: name, options });
    const answer = probe.answers[name]?.shift();
    return answer ?? (name === 'showMessageBox' ? { ...cancel, response: options.cancelId ?? 0 } : cancel);
  };
dialog.showErrorBox = (title, content) =>
  probe.asked.push({ how: 'showErrorBox', options: { title, content } });

app.setLoginItemSettings = (settings) => (probe.loginItem = settings);
const loginItem = app.getLoginItemSettings.bind(app);
app.getLoginItemSettings = () => ({ ...loginItem(), openAtLogin: false, ...probe.loginItem });

function after(prototype, name, hear) {
  const original = prototype[name];
  prototype[name] = function (...given) {
    const result = original.apply(this, given);
    hear(this, given);
    return result;
  };
}
