// The Chrome DevTools Protocol over a pipe: messages are JSON terminated by NUL. One connection carries the browser's
// session and one session per window.
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
};

type Waiting = { method: string; resolve: (result: never) => void; reject: (cause: Error) => void };

/** Events come as `emit(method, params)`. `send` rejects with the protocol's message, or when the pipe ended. */
export type CdpSession = EventEmitter & {
  send<T = Record<string, unknown>>(method: string, params?: object): Promise<T>;
};

export type CdpConnection = {
  browser: CdpSession;
  session(sessionId: string): CdpSession;
  /** Resolves when the pipe has ended. */
  ended: Promise<void>;
};

/** `input` is what we write to (the browser's fd 3), `output` what we read (its fd 4). */
export function connectCdp(input: Writable, output: Readable): CdpConnection {
  const sessions = new Map<string, CdpSession>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let open = true;

  function session(sessionId: string): CdpSession {
    const existing = sessions.get(sessionId);
    if (existing) return existing;
    const made: CdpSession = Object.assign(new EventEmitter().setMaxListeners(0), {
      send<T>(method: string, params: object = {}): Promise<T> {
        if (!open) return Promise.reject(new Error(`${method}: the browser is gone`));
        const id = (lastId += 1);
        const message = { id, method, params, ...(sessionId === '' ? {} : { sessionId }) };
        return new Promise<T>((resolve, reject) => {
          waiting.set(id, { method, resolve, reject });
          input.write(`${JSON.stringify(message)}\0`);
        });
      },
    });
    sessions.set(sessionId, made);
    return made;
  }

  function hear(message: Message): void {
    if (message.id === undefined) {
      sessions.get(message.sessionId ?? '')?.emit(message.method ?? '', message.params ?? {});
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.reject(new Error(`${asked.method}: ${message.error.message}`));
    else asked?.resolve((message.result ?? {}) as never);
  }

  let rest: Buffer[] = [];
  output.on('data', (piece: Buffer) => {
    let from = 0;
    for (let end = piece.indexOf(0); end !== -1; end = piece.indexOf(0, from)) {
      rest.push(piece.subarray(from, end));
      hear(JSON.parse(Buffer.concat(rest).toString('utf8')) as Message);
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.subarray(from));
  });
  input.on('error', () => undefined); // the end of the pipe is told by `ended`
  const ended = new Promise<void>((resolve) => {
    output.on('close', () => {
      open = false;
      for (const asked of waiting.values()) asked.reject(new Error(`${asked.method}: the browser is gone`));
      waiting.clear();
      resolve();
    });
  });
  return { browser: session(''), session, ended };
}
