// One drive whose calls may hang, called through a process of its own. The caller gets an answer or an error in time.
// The call stays in the process as the only attempt: while it hangs, every further call fails at once. A late answer
// shows that the drive is back.
import { AppError, fromWire } from '../../contract/errors.ts';
import type { Sighting, WatchHealth } from '../../engine/ports/files.ts';
import type { DriveCall, Calls, DriveOrder, DriveReply } from './messages.ts';

/** The process of a drive. */
export type Link = {
  send(order: DriveOrder): void;
  /** `sign`: the drive has answered something. */
  listen(hear: { reply(reply: DriveReply): void; sign(): void; end(): void }): void;
  /** Whether the link keeps this program running. */
  hold(isHeld: boolean): void;
  end(): void;
};

export type WatchEars = { sighted(batch: Sighting[]): void; health(health: WatchHealth): void };

export type Drive = {
  /** Throws `folder-unavailable` for `identify` and `watch`, else `locked`, when the drive does not answer. */
  ask<C extends DriveCall>(call: C, ...args: Parameters<Calls[C]>): Promise<ReturnType<Calls[C]>>;
  /** Without waiting for the answer. */
  tell<C extends DriveCall>(call: C, ...args: Parameters<Calls[C]>): void;
  watches: Map<number, WatchEars>;
  /** True when its process ended a while ago: a process that cannot work is not started again and again. */
  mayStartAgain(): boolean;
  end(): void;
};

type Asked = {
  call: DriveCall;
  atMs: number;
  givenUpAtMs: number | null;
  answer: PromiseWithResolvers<unknown>;
};

/** A drive that sends nothing at all for this long does not answer. Other folders wait for it no longer than this. */
const silenceMs = 1000;
/** The longest silence that still counts as slowness, once late answers have shown it. A longer one was a hang. */
const mostSilenceMs = 10_000;
/** Milliseconds for one call of a drive that answers other calls. */
const mostMs = 10_000;
const wholeMs = 24 * 3_600_000;
const mostMsOf: Partial<Record<DriveCall, number>> = {
  // All of a folder or a file, of any size and at any speed.
  watch: wholeMs,
  spell: wholeMs,
  list: wholeMs,
  sha256: wholeMs,
  openForWriting: 60_000,
  photo: 60_000,
  read: 60_000,
  readText: 60_000,
  writeText: 60_000,
  finishText: 60_000,
};
const checkEveryMs = 100;
const restMs = 5000;

/** The calls that a drive's process has not answered yet, and how long they are waited for. */
const createCalls = (link: Link, silence: (call: DriveCall) => AppError) => {
  /** Not answered yet, by number. */
  const asked = new Map<number, Asked>();
  let lastId = 0;
  let isReady = false;
  let signAtMs = 0;
  let patienceMs = silenceMs;
  let isSilent = false;
  /** Calls that hang although the drive answers others. */
  const stuck = new Set<number>();
  let timer: NodeJS.Timeout | null = null;

  const giveUp = (one: Asked): void => {
    one.givenUpAtMs = performance.now();
    one.answer.reject(silence(one.call));
  };

  const check = (): void => {
    const nowMs = performance.now();
    // Without an open call no answer could end the silence.
    if (!isReady || asked.size === 0) return;
    isSilent ||= nowMs - signAtMs >= patienceMs;
    for (const [id, one] of asked) {
      if (one.givenUpAtMs !== null) continue;
      const isStuck = nowMs - one.atMs >= (mostMsOf[one.call] ?? mostMs);
      if (isStuck) stuck.add(id);
      if (isSilent || isStuck) giveUp(one);
    }
    link.hold([...asked.values()].some(({ givenUpAtMs }) => givenUpAtMs === null));
  };

  const arm = (): void => {
    if (asked.size === 0) {
      clearInterval(timer ?? undefined);
      timer = null;
      link.hold(false);
      return;
    }
    if (timer !== null) return;
    signAtMs = performance.now();
    // Messages that have already arrived are handled first: this process may have been busy itself.
    timer = setInterval(() => setImmediate(check), checkEveryMs);
    timer.unref();
  };

  const sign = (): void => {
    signAtMs = performance.now();
    isSilent = false;
  };

  const answered = (id: number, settle: (one: Asked) => void): void => {
    const one = asked.get(id);
    if (one === undefined) return;
    asked.delete(id);
    stuck.delete(id);
    const tookMs = performance.now() - one.atMs;
    if (one.givenUpAtMs === null) settle(one);
    else if (tookMs < mostSilenceMs) patienceMs = Math.min(mostSilenceMs, Math.max(patienceMs, 2 * tookMs));
    arm();
  };

  const send = <C extends DriveCall>(call: C, args: Parameters<Calls[C]>): Asked => {
    const one: Asked = {
      call,
      atMs: performance.now(),
      givenUpAtMs: null,
      answer: Promise.withResolvers<unknown>(),
    };
    asked.set((lastId += 1), one);
    arm();
    link.hold(true);
    link.send({ id: lastId, call, args } as DriveOrder);
    return one;
  };

  const ready = (): void => {
    isReady = true;
  };
  const giveUpAll = (): void => {
    for (const one of asked.values()) if (one.givenUpAtMs === null) giveUp(one);
    asked.clear();
    arm();
  };
  /** It answers nothing, or calls hang although it answers others. */
  const hangs = (): boolean => isSilent || stuck.size > 0;

  return { sign, ready, isReady: () => isReady, answered, send, giveUpAll, hangs };
};

export const createDrive = (root: string, link: Link): Drive => {
  const calls = createCalls(link, (call) => silence(call));
  const watches: Drive['watches'] = new Map();
  let endedAtMs: number | null = null;
  /** False: its process ended before it could work, so nothing is known about the drive. */
  let isStarted = true;
  const silence = (call: DriveCall): AppError => {
    const code = call === 'identify' || call === 'watch' ? 'folder-unavailable' : 'locked';
    return isStarted
      ? new AppError(code, `The drive at ${root} does not answer.`, remedy)
      : new AppError(code, `The process that reads the drive at ${root} does not start.`, startRemedy);
  };

  const ended = (): void => {
    endedAtMs ??= performance.now();
    calls.giveUpAll();
    for (const { health } of watches.values()) health({ kind: 'degraded', message: watchEnded });
  };

  link.listen({
    sign: calls.sign,
    reply(reply) {
      calls.sign();
      switch (reply.kind) {
        case 'ready':
          calls.ready();
          return;
        case 'answer':
          calls.answered(reply.id, ({ answer }) => answer.resolve(reply.value));
          return;
        case 'error':
          calls.answered(reply.id, ({ answer }) => answer.reject(fromWire(reply.error)));
          return;
        case 'sighted':
          watches.get(reply.watch)?.sighted(reply.batch);
          return;
        case 'health':
          watches.get(reply.watch)?.health(reply.health);
      }
    },
    end() {
      isStarted = calls.isReady();
      ended();
    },
  });

  return {
    watches,
    mayStartAgain: () => endedAtMs !== null && performance.now() - endedAtMs >= restMs,
    async ask(call, ...args) {
      if (endedAtMs !== null || calls.hangs()) throw silence(call);
      return (await calls.send(call, args).answer.promise) as ReturnType<Calls[typeof call]>;
    },
    tell(call, ...args) {
      if (endedAtMs !== null) return;
      const one = calls.send(call, args);
      one.answer.promise.catch(() => undefined);
    },
    end() {
      watches.clear();
      // The process may not end as long as its call hangs.
      ended();
      link.end();
    },
  };
};

const remedy = 'Outtray waits for it and continues by itself; check the network or the server.';
const startRemedy =
  'Outtray tries again by itself; security software, or a limit of processes, may forbid it to start its own program.';
const watchEnded = 'The watch of this drive has ended, so it is scanned every 30 s or less often instead';
