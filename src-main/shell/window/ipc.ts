// The two channels between the main process and the window: one for calls, one for events.
import { ipcMain } from 'electron';
import type { SenderCheck } from './sender-check.ts';

export const callChannel = 'outtray:call';
export const eventChannel = 'outtray:event';

/** Opens the call channel behind the sender check. */
export const openCalls = (check: SenderCheck): void => {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) =>
    check({ contents: event.sender, frame: event.senderFrame }, name, input),
  );
};
