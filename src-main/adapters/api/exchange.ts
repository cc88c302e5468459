// One request and its answer over one fresh connection that is never used again: HTTP/1.1, no redirect, no
// decompression, every wait limited. A connection that is kept alive saves one handshake and costs certainty: it can
// die under a request that then cannot be distinguished from one that arrived, or hand it an answer meant for another.
// undici writes the request and reads the answer; it is loaded with the first request.
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import Client from 'undici/lib/dispatcher/client.js';
import { toAppError, type AppError } from '../../contract/errors.ts';
import type { Dial } from './connect.ts';
import {
  aborted,
  faultOfBreak,
  faultOfConnect,
  noAnswerInTime,
  noConnectionInTime,
  stalled,
  unusable,
  type Head,
} from './http-errors.ts';
import type { TransferLimits } from './limits.ts';
import { skipContinue } from './skip-continue.ts';

export type ExchangeLine = {
  /** Returns while the request may go on. Once an answer began or the connection is gone: waits for the end, throws. */
  open(): Promise<void>;
  /** Resolves when an answer to the head alone would have arrived: a round trip after the head went out. */
  refusalTime(): Promise<void>;
};

/** A delay that the user does not notice. */
const maxRoundTripMs = 500;

export type Plan = {
  target: URL;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /**
   * The body in pieces. Each piece is sent completely before the next is asked for. An exception in it destroys the
   * connection and comes out of `exchange`.
   */
  body: ((line: ExchangeLine) => AsyncIterable<Uint8Array>) | null;
  /** From start to end, null for no such limit. */
  totalMs: number | null;
  /** From the last byte of the body to the head of the answer; the usual limit when left out. */
  headMs?: number | undefined;
  /** Cap of the answer's body. */
  answerBytes: number;
  /** Reads the answer's body itself, without a cap; false ends the reading. Null collects it. */
  listen?: (head: Head) => ((piece: Uint8Array) => boolean) | null;
  /** From the head of an answer that is listened to, to its end; the usual limit when left out. */
  listenMs?: number;
  dial: Dial;
  limits: TransferLimits;
  signal: AbortSignal;
};

/** `broken`: why the body is not complete; the status is valid all the same. */
export type HttpAnswer = Head & { body: Buffer; broken: AppError | null };

const keepAliveMs = 30_000;

/** The state of the exchange at this moment. */
type Now = {
  socket: Socket | null;
  head: Head | null;
  hear: ((piece: Uint8Array) => boolean) | null;
  isOver: boolean;
  /** A piece was given to the connection and is not completely sent. */
  isSending: boolean;
  hasBody: boolean;
  /** How long the connection took; no round trip is longer. */
  connectMs: number;
  /** When the head of the request went out. */
  headAtMs: number;
};

const ended = new Error('The exchange is over.');

/** Rejects with an AppError when no status arrived, when the body threw, and on abort. */
export const exchange = async (plan: Plan): Promise<HttpAnswer> => {
  const { target, limits, signal } = plan;
  if (signal.aborted) throw aborted(signal.reason);

  const outcome = Promise.withResolvers<HttpAnswer>();
  const over = outcome.promise.then(
    () => {},
    () => {},
  );
  const life = new AbortController();
  const timers = new Map<string, NodeJS.Timeout>();
  const arm = (name: string, waitMs: number, act: () => void) => timers.set(name, setTimeout(act, waitMs));
  const disarm = (name: string) => clearTimeout(timers.get(name));

  const now: Now = {
    socket: null,
    head: null,
    hear: null,
    isOver: false,
    isSending: false,
    hasBody: false,
    connectMs: 0,
    headAtMs: 0,
  };
  const begunMs = performance.now();
  const pieces: Buffer[] = [];
  let receivedBytes = 0;

  const answered = (broken: AppError | null) => {
    now.isOver = true;
    if (now.head !== null) outcome.resolve({ ...now.head, body: Buffer.concat(pieces), broken });
  };
  const stop = (error: AppError) => {
    now.isOver = true;
    outcome.reject(error);
  };
  /** An error after the head of an answer does not change its status. */
  const fail = (error: AppError) =>
    now.head === null
      ? stop(error)
      : answered(unusable('incomplete', { status: now.head.status, cause: error }));
  const onAbort = () => stop(aborted(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });

  const connected = (opened: Socket): Socket => {
    disarm('connect');
    now.connectMs = performance.now() - begunMs;
    now.socket = opened;
    skipContinue(opened);
    // An answer may take half an hour, and routers forget connections that are silent for less.
    opened.setKeepAlive(true, keepAliveMs);
    // The system's idle timer sees that bytes of a large write still move; the `drain` event does not show that.
    opened.setTimeout(limits.stallMs);
    // A listener of its own: the one that `setTimeout` takes hears only the first pause, which may be that of a slow file.
    opened.on('timeout', () => {
      if (now.isSending || now.hear !== null) fail(stalled());
    });
    return opened;
  };

  // The only connection. A second one would carry the request, or part of it, twice.
  let dialled = false;
  const client = new Client(target.origin, {
    pipelining: 0,
    maxHeaderSize: limits.headBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, callback) => {
      if (dialled)
        return callback(faultOfBreak(new Error('The connection closed before it was used.'), target), null);
      dialled = true;
      plan.dial(target, life.signal).then(
        (opened) => callback(null, connected(opened)),
        (error: unknown) => callback(faultOfConnect(error, target.hostname), null),
      );
    },
  });

  const bodyOver = Promise.withResolvers<void>();
  const line: ExchangeLine = {
    async open() {
      if (!now.isOver && now.head === null) return;
      await over;
      throw aborted();
    },
    async refusalTime() {
      const roundTripMs = Math.min(maxRoundTripMs, now.connectMs);
      const waitMs = now.headAtMs + Math.max(limits.refusalMs, roundTripMs) - performance.now();
      if (now.isOver || now.head !== null) return;
      if (waitMs > 0) await Promise.race([over, new Promise<void>((next) => arm('refusal', waitMs, next))]);
      // A busy process runs its timers before it reads its connections, so first read what has already arrived.
      for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((next) => setImmediate(next));
    },
  };
  /** Stops at once when an answer begins before the body is sent, and at every other end of the exchange. */
  const watched = async function* (body: AsyncIterable<Uint8Array>) {
    now.hasBody = true;
    now.headAtMs = performance.now();
    try {
      for await (const piece of body) {
        // The connection may have closed while this piece was read: undici would wait forever for it to drain.
        await line.open();
        now.isSending = true;
        yield piece;
        now.isSending = false;
        await line.open();
      }
      arm('head', plan.headMs ?? limits.headMs, () => fail(noAnswerInTime()));
    } catch (error) {
      if (now.head === null && !now.isOver) stop(toAppError(error));
      throw error;
    } finally {
      now.isSending = false;
      bodyOver.resolve();
    }
  };

  arm('connect', limits.connectMs, () => fail(noConnectionInTime(target.hostname)));
  if (plan.totalMs !== null) arm('total', plan.totalMs, () => fail(noAnswerInTime()));

  try {
    client.dispatch(
      {
        path: target.pathname + target.search,
        method: plan.method,
        headers: { ...plan.headers, 'accept-encoding': 'identity' },
        reset: true,
        // undici accepts any async iterable; its types only know streams, which would read ahead of the connection.
        body: plan.body === null ? null : (watched(plan.body(line)) as unknown as Readable),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          // 1xx are not the answer (RFC 9110 §15.2).
          if (status < 200 || now.head !== null) return;
          now.head = { status, headers };
          disarm('head');
          now.hear = plan.listen?.(now.head) ?? null;
          if (now.hear !== null) disarm('total');
          const bodyMs = (now.hear === null ? null : plan.listenMs) ?? limits.bodyMs;
          arm('body', bodyMs, () => fail(noAnswerInTime()));
        },
        onResponseData(_controller, piece) {
          if (now.isOver) return;
          receivedBytes += piece.length;
          if (now.hear !== null) {
            if (!now.hear(piece)) answered(null);
          } else if (receivedBytes > plan.answerBytes) {
            answered(unusable('over the limit of bytes', { status: now.head?.status ?? 0 }));
          } else pieces.push(piece);
        },
        onResponseEnd() {
          answered(null);
        },
        onResponseError(_controller, error) {
          fail(faultOfBreak(error, target));
        },
      },
    );
    return await outcome.promise;
  } finally {
    for (const timer of timers.values()) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    life.abort(ended);
    // With an error: without one, undici takes an answer that ends with the connection as complete. If the body was
    // stopped before that, undici's assertion ends the whole process.
    now.socket?.destroy(ended);
    await client.destroy(ended);
    // The caller gets its buffers back before it learns the outcome.
    if (now.hasBody) await bodyOver.promise;
  }
};
