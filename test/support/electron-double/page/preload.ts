// Runs in the preload's isolated world before any script of the page: gives the preload script `require`,
// `process` and Electron's renderer modules, and calls it. The function's own source is put into pages.
import type { Codec } from './codec.ts';
import type { Bridge } from './worlds.ts';

type Listener = (event: object, ...given: unknown[]) => void;
type QuietPeriods = { resolve: (value: unknown) => void; reject: (cause: Error) => void };

/** The browser's; Node's types do not know them. */
declare function addEventListener(kind: string, listener: (event: object) => void, isCapture?: boolean): void;
type LinkClick = Omit<Event, 'composedPath'> & {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  button: number;
  composedPath(): { localName?: string; href?: string; target?: string }[];
};

type Press = Event & { repeat?: boolean; sourceCapabilities?: { firesTouchEvents: boolean } | null };

/** Names inside the page; random per window, so that none can collide with a name of the page. */
export type PreloadNames = { binding: string; entry: string };
export type PreloadScript = (require: unknown, module: object, exports: object, process: object) => void;

export function runPreload(
  names: PreloadNames,
  codec: Codec,
  bridge: Bridge,
  processFields: object,
  script: PreloadScript,
): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  const binding = scope[names.binding] as (text: string) => void;
  const send = (kind: string, fields: object): void => binding(JSON.stringify({ kind, ...fields }));
  const listeners = new Map<string, Listener[]>();
  const calls = new Map<number, QuietPeriods>();
  let lastCall = 0;

  /** Unknown properties throw, as everywhere in the stand-in. */
  const loud = <T extends object>(name: string, object: T): T =>
    new Proxy(object, {
      get(target, key, receiver): unknown {
        if (typeof key === 'symbol' || key in target || key === 'then')
          return Reflect.get(target, key, receiver);
        throw new Error(`The stand-in for Electron does not have ${name}.${key} in the preload.`);
      },
    });

  /** The browser's structured clone, with the same errors. */
  const clone = (given: unknown[]): string => {
    structuredClone(given);
    return codec.encode(given);
  };

  /**
   * What the main process sends while a script is paused. Then the browser runs the function that it calls and delivers no
   * event, so nothing would reach the page's world.
   */
  const held: (() => void)[] = [];
  let isAsking = false;
  const deliver = (act: () => void): void => {
    if (isAsking || held.length > 0) held.push(act);
    else act();
  };

  /** Asks the main process synchronously: it pauses this script here, sets the answer, and resumes the script. */
  function askNow(question: string, subject: unknown): string | null {
    const asked: { question: string; subject: unknown; answer: string | null } = {
      question,
      subject,
      answer: null,
    };
    isAsking = true;
    // eslint-disable-next-line no-debugger -- the main process is the debugger
    debugger;
    isAsking = false;
    setTimeout(() => {
      for (const act of held.splice(0)) act();
    });
    return asked.answer;
  }

  const ipcRenderer = loud('ipcRenderer', {
    async invoke(channel: string, ...given: unknown[]): Promise<unknown> {
      const text = clone(given);
      const id = (lastCall += 1);
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        send('invoke', { id, channel, given: text });
      });
    },
    send(channel: string, ...given: unknown[]): void {
      send('send', { channel, given: clone(given) });
    },
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    once(channel: string, listener: Listener) {
      const once: Listener = (...given) => {
        ipcRenderer.off(channel, once);
        listener(...given);
      };
      return ipcRenderer.on(channel, once);
    },
    off(channel: string, listener: Listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((known) => known !== listener),
      );
      return ipcRenderer;
    },
    addListener: (channel: string, listener: Listener): unknown => ipcRenderer.on(channel, listener),
    removeListener: (channel: string, listener: Listener): unknown => ipcRenderer.off(channel, listener),
    removeAllListeners(channel?: string) {
      if (channel === undefined) listeners.clear();
      else listeners.delete(channel);
      return ipcRenderer;
    },
    listenerCount: (channel: string): number => listeners.get(channel)?.length ?? 0,
  });

  const electron = loud('electron', {
    ipcRenderer,
    contextBridge: loud('contextBridge', {
      exposeInMainWorld: (name: string, api: unknown) => bridge.expose(name, api),
    }),
    webUtils: loud('webUtils', {
      getPathForFile(file: unknown): string {
        if (!(file instanceof File)) throw new TypeError('getPathForFile expected to receive a File object');
        return askNow('path', file) ?? '';
      },
    }),
  });

  bridge.onOpen((url) => send('open', { url }));
  // Links that open a window, unless the page has handled the click itself.
  const followed = (event: LinkClick): void => {
    const link = event.composedPath().find((node) => node.localName === 'a' && node.href);
    if (event.defaultPrevented || !link?.href) return;
    const elsewhere = link.target !== '' && !['_self', '_top', '_parent', undefined].includes(link.target);
    if (!elsewhere && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button !== 1) return;
    event.preventDefault();
    send('open', { url: link.href });
  };
  for (const kind of ['click', 'auxclick'])
    addEventListener(kind, (event) => followed(event as unknown as LinkClick));

  // Runs before any listener of the page. Events of scripts are not trusted; touch is not a mouse.
  const inputs = { mousedown: 'mouseDown', mouseup: 'mouseUp', keydown: 'rawKeyDown', keyup: 'keyUp' };
  for (const [kind, type] of Object.entries(inputs))
    addEventListener(
      kind,
      (event) => {
        const { isTrusted, repeat, sourceCapabilities } = event as Press;
        if (isTrusted && sourceCapabilities?.firesTouchEvents !== true)
          send('input', { type, modifiers: repeat === true ? ['isautorepeat'] : [] });
      },
      true,
    );

  // The main process calls these.
  scope[names.entry] = {
    settle: (id: number, answer: string, failed: boolean): void =>
      deliver(() => {
        const call = calls.get(id);
        calls.delete(id);
        if (failed) call?.reject(new Error(answer));
        else call?.resolve(codec.decode(answer));
      }),
    hear: (channel: string, given: string): void =>
      deliver(() => {
        for (const listener of listeners.get(channel) ?? [])
          listener({ sender: ipcRenderer, ports: [] }, ...(codec.decode(given) as unknown[]));
      }),
  };

  const require = (name: string): unknown => {
    if (['electron', 'electron/renderer', 'electron/common'].includes(name)) return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  try {
    script(require, module, module.exports, Object.freeze(processFields));
  } catch (cause) {
    send('preload-error', {
      message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }
}
