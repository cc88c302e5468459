// The pipe between the window and the main process: call, listen, and what only a preload can know. A page gets no path
// of a dropped file, but a token for it (shell/window/given-paths.ts). The main process checks every message of the
// window (shell/window/sender-check.ts); nothing is trusted because it came from here.
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import type { Bridge, Change, Reply } from './contract/client.ts';
import type { Platform } from './contract/text/speech.ts';
import type { WindowNews } from './contract/window.ts';

// The names of shell/window/ipc.ts: a preload is one file and imports only types from our own code.
const callChannel = 'outtray:call';
const eventChannel = 'outtray:event';
const pathChannel = 'outtray:paths';

const known: readonly string[] = ['darwin', 'win32'] satisfies Platform[];
const isKnown = (name: string): name is Platform => known.includes(name);

/** '' for what has no path: only the system makes a File with one, from a drop or its dialog. */
const pathOf = (file: unknown): string => {
  try {
    return webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]);
  } catch {
    return '';
  }
};

const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke(callChannel, name, input) as Promise<Reply>,
  listen(hear) {
    const listener = (_event: IpcRendererEvent, ...changes: (Change | WindowNews)[]): void => {
      for (const change of changes) hear(change);
    };
    ipcRenderer.on(eventChannel, listener);
    return () => {
      ipcRenderer.removeListener(eventChannel, listener);
    };
  },
  tokensOf: (files) => ipcRenderer.invoke(pathChannel, files.map(pathOf)) as Promise<string[]>,
  platform: isKnown(process.platform) ? process.platform : 'linux',
};

contextBridge.exposeInMainWorld('outtray', bridge);
