// The channels between the main process and the window: for calls, for events, and for paths that a person gave.
import { app, ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { GivenPaths } from './given-paths.ts';
import type { Presses } from './presses.ts';
import type { IsOurs, PageSender, SenderCheck } from './sender-check.ts';

const callChannel = 'outtray:call';
export const eventChannel = 'outtray:event';
/** Only the preload sends on it: no page has its name or the way to it. */
const pathChannel = 'outtray:paths';

/** Opens the channels behind the sender check. Before any page is made: its presses are noted from then on. */
export const openCalls = (check: SenderCheck, isOurs: IsOurs, given: GivenPaths, presses: Presses): void => {
  const loads = new WeakMap<WebContents, object>();
  const loadOf = (contents: WebContents): object => {
    const known = loads.get(contents);
    if (known !== undefined) return known;
    const load = {};
    loads.set(contents, load);
    contents.once('did-navigate', () => loads.delete(contents));
    return load;
  };
  app.on('web-contents-created', (_event, contents) => {
    contents.on('input-event', (_input, input) => presses.note(loadOf(contents), input));
  });
  const senderOf = ({ sender, senderFrame }: IpcMainInvokeEvent): PageSender => ({
    contents: sender,
    frame: senderFrame,
    load: loadOf(sender),
  });
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) => check(senderOf(event), name, input));
  ipcMain.handle(pathChannel, (event, paths: unknown) => {
    const sender = senderOf(event);
    return isOurs(sender) ? given.give(sender.load, paths) : [];
  });
};
