// Runs in the page, once per document and world, before any script of the page: joins the page's own world and
// the preload's, as Electron's contextBridge does. The function's own source is put into pages.
//
// The worlds communicate by events on the document with secret names for each window. Dispatching is synchronous, so a
// bridged function returns at once, and files cross because the browser clones `detail`.
import type { Codec } from './codec.ts';

/** The browser's; Node's types do not know it. */
declare const document: EventTarget & { baseURI: string };

type Call = (...given: unknown[]) => unknown;
type Letter = { kind: string; id: number; target: number; body: string; files: unknown[] };

export type Bridge = {
  expose(name: string, api: unknown): void;
  /** In the preload's world: calls `hear` for each window that the page's scripts want to open. None is opened. */
  onOpen(hear: (address: string) => void): void;
};

export function joinWorlds(side: 'page' | 'preload', codec: Codec, secret: string): Bridge {
  const other = side === 'page' ? 'preload' : 'page';
  const dispatch = document.dispatchEvent.bind(document);
  const Custom = CustomEvent;
  const functions: Call[] = [];
  const waiting = new Map<number, (letter: Letter) => void>();
  let lastId = 0;

  const numberOf = (given: Call): number => {
    const known = functions.indexOf(given);
    return known === -1 ? functions.push(given) - 1 : known;
  };
  function send(kind: string, id: number, target: number, value: unknown): void {
    const files: unknown[] = [];
    const body = codec.encode(value, {
      ofFunction: numberOf,
      ofFile: (file) => files.push(file) - 1,
    });
    dispatch(new Custom(secret + other, { detail: { kind, id, target, body, files } }));
  }
  const open = (letter: Letter): unknown =>
    codec.decode(letter.body, { toFunction: proxyOf, toFile: (index) => letter.files[index] });

  /** A function of the other world. */
  function proxyOf(target: number): Call {
    return (...given) => {
      const id = (lastId += 1);
      const answers: Letter[] = [];
      waiting.set(id, (letter) => answers.push(letter));
      send('call', id, target, given);
      const [answer] = answers;
      if (answer === undefined) throw new Error('contextBridge: the other world did not answer');
      if (answer.kind === 'promise')
        return new Promise((resolve, reject) => {
          waiting.set(id, (letter) => {
            waiting.delete(id);
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown there
            if (letter.kind === 'threw') reject(open(letter));
            else resolve(open(letter));
          });
        });
      waiting.delete(id);
      if (answer.kind === 'threw') throw open(answer);
      return open(answer);
    };
  }

  function call(letter: Letter): void {
    const reply = (kind: string, value: unknown): void => send(kind, letter.id, 0, value);
    try {
      const result = functions[letter.target]?.(...(open(letter) as unknown[]));
      if (!(result instanceof Promise)) return reply('returned', result);
      reply('promise', undefined);
      result.then(
        (value: unknown) => reply('returned', value),
        (cause: unknown) => reply('threw', cause),
      );
    } catch (cause) {
      reply('threw', cause);
    }
  }

  function freeze(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  }

  document.addEventListener(secret + side, (event) => {
    event.stopImmediatePropagation();
    const letter = (event as CustomEvent<Letter>).detail;
    if (letter.kind === 'call') return call(letter);
    if (letter.kind === 'open') return openAsked(String(open(letter)));
    if (letter.kind !== 'expose') return waiting.get(letter.id)?.(letter);
    const { name, api } = open(letter) as { name: string; api: unknown };
    Object.defineProperty(globalThis, name, { value: freeze(api), enumerable: true });
  });

  // A real window.open would make a page that has to be closed again. But closing a page that Playwright pauses at
  // its start would block the renderer that it shares with its opener for ever.
  let openAsked: (address: string) => void = () => undefined;
  if (side === 'page')
    Object.assign(globalThis, {
      open(address: unknown = 'about:blank') {
        send('open', 0, 0, String(new URL(String(address), document.baseURI)));
        return null;
      },
    });

  const exposed = new Set<string>();
  return {
    expose(name, api) {
      if (exposed.has(name))
        throw new Error(`Cannot bind an API on top of an existing property on the window object`);
      exposed.add(name);
      send('expose', 0, 0, { name, api });
    },
    onOpen(hear) {
      openAsked = hear;
    },
  };
}
