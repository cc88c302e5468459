// Electron's ipcMain: receives the messages and calls of the preload as structured clones.
import { EventEmitter } from 'node:events';
import { createCodec } from './page/codec.ts';
import { LoudEmitter } from './loud.ts';

type Handler = (event: object, ...given: unknown[]) => unknown;

const codec = createCodec();

class IpcMain extends LoudEmitter {
  static override emits = null; // channels are the app's own words
  #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }
  /** Not Electron's: the answer of a channel's handler as text, or Electron's message about its failure. */
  static async answer(main: IpcMain, event: object, channel: string, given: string): Promise<Answer> {
    try {
      const handler = main.#handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const value = await handler(event, ...(codec.decode(given) as unknown[]));
      return { failed: false, text: toClone(value) };
    } catch (cause) {
      return { failed: true, text: `Error invoking remote method '${channel}': ${String(cause)}` };
    }
  }
  /** Not Electron's: a message without an answer. */
  static receive(main: IpcMain, event: object, channel: string, given: string): void {
    EventEmitter.prototype.emit.call(main, channel, event, ...(codec.decode(given) as unknown[]));
  }
}

export type Answer = { failed: boolean; text: string };

/** Makes a structured clone, which Node refuses for functions, proxies and symbols, then its text. */
export function toClone(value: unknown): string {
  return codec.encode(structuredClone(value));
}

export const ipcMain = new IpcMain();
export const answerInvoke = (event: object, channel: string, given: string): Promise<Answer> =>
  IpcMain.answer(ipcMain, event, channel, given);
export const receiveMessage = (event: object, channel: string, given: string): void =>
  IpcMain.receive(ipcMain, event, channel, given);
