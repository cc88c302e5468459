// The two channels between the main process and the window: one for calls, one for events.
import { ipcMain } from 'electron';
import type { Gate } from './sender-check.ts';

export const callChannel = 'outtray:call';
export const eventChannel = 'outtray:event';

/** Opens the call channel to the gate. */
export const openCalls = (gate: Gate): void => {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) =>
    gate({ contents: event.sender, frame: event.senderFrame }, name, input),
  );
};
