// The port `Inspect`: contents are looked through in a thread of its own, one after another (look-worker.ts). The thread starts
// with the first one and ends when it has had nothing to do for a while.
//
// A look has a limit of processor time, so that a busy machine does not end it, and a limit of time for the case that
// the thread is stuck. What was not looked at in time counts as a finding: the file is held and a person is asked.
import { Worker } from 'node:worker_threads';
import type { Content, Inspect } from '../../engine/ports.ts';
import type { Finding } from '../../contract/model.ts';

/** Measured, 1 MiB of minified script: 80 ms. */
const mostCpuMs = 2000;
const mostMs = 30_000;
const checkEveryMs = 250;
const idleMs = 30_000;
/** The rules and one text take 40 MiB. */
const heapMiB = 256;

const unread: readonly Finding[] = [{ kind: 'secret', rule: 'not-read', line: null }];

export type InspectLimits = { mostCpuMs: number; mostMs: number; idleMs: number; checkEveryMs: number };

export const createInspect = (
  limits: InspectLimits = { mostCpuMs, mostMs, idleMs, checkEveryMs },
): Inspect & { close(): Promise<void> } => {
  let worker: Worker | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const begin = (): Worker => {
    const begun = new Worker(new URL('./look-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
      // What a rule prints could quote the text.
      stdout: true,
      stderr: true,
    });
    begun.on('error', () => undefined);
    begun.once('exit', () => {
      if (worker === begun) worker = null;
    });
    return begun;
  };

  /** 'ended': the thread ended by itself. */
  const look = async (content: Content): Promise<readonly Finding[] | 'ended'> => {
    clearTimeout(idle);
    const thread = (worker ??= begin());
    thread.ref();
    const answer = Promise.withResolvers<readonly Finding[] | 'ended'>();
    const ended = (): void => answer.resolve('ended');
    thread.once('message', answer.resolve);
    thread.once('exit', ended);
    const stopWatching = watchTime(thread, limits, () => {
      answer.resolve(unread);
      if (worker === thread) worker = null;
      void thread.terminate();
    });
    try {
      thread.postMessage(content);
      return await answer.promise;
    } finally {
      stopWatching();
      thread.off('message', answer.resolve);
      thread.off('exit', ended);
      thread.unref();
      idle = setTimeout(() => void worker?.terminate(), limits.idleMs);
      idle.unref();
    }
  };

  /** A thread may end for what it did before, as for want of memory. So a content has a second try in a new one. */
  const lookTwice = async (content: Content): Promise<readonly Finding[]> => {
    const first = await look(content);
    const found = first === 'ended' && !isClosed ? await look(content) : first;
    return found === 'ended' ? unread : found;
  };

  return {
    findIn(content) {
      const found = last.then(() => (isClosed ? unread : lookTwice(content))).catch(() => unread);
      last = found;
      return found;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
};

/** Returns its end. */
const watchTime = (thread: Worker, limits: InspectLimits, end: () => void): (() => void) => {
  const sinceMs = performance.now();
  let atFirst: NodeJS.CpuUsage | undefined;
  let isOver = false;
  const check = async (): Promise<void> => {
    if (performance.now() - sinceMs > limits.mostMs) end();
    const spent = await thread.cpuUsage(atFirst);
    const cpuMs = atFirst === undefined ? 0 : (spent.user + spent.system) / 1000;
    atFirst ??= spent;
    if (!isOver && cpuMs > limits.mostCpuMs) end();
  };
  // A thread that has not begun or has ended has no times.
  const timer = setInterval(() => void check().catch(() => undefined), limits.checkEveryMs);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
};
