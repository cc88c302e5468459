// The port `Inspect`. One thread searches long texts, one after another (look.ts), another one searches photos
// (photo/photo-worker.ts). A thread starts with its first order, and ends when it has been idle for a while. A short
// text is searched at once: the thread would take longer to start.
//
// A search has a limit of processor time, so that a busy machine does not end it, and a limit of real time in case the
// thread is stuck. What was not searched in time counts as a finding: the file is held and a person is asked.
import { getCompileCacheDir } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Content, Inspect, PhotoLook } from '../../engine/ports/files.ts';
import type { Finding } from '../../contract/model.ts';
import { startThread } from '../system/thread.ts';
import { formatOf } from './photo/format.ts';
import type { PhotoOrder } from './photo/photo-worker.ts';

/** Longer texts are searched in a thread. The time grows with the length, whatever the text is (secret-forms.test.ts). */
const hereBytes = 16 * 1024;
/** Measured, 1 MiB of minified script: 80 ms. */
const mostCpuMs = 2000;
const mostMs = 30_000;
const checkEveryMs = 250;
const idleMs = 30_000;
/** The rules and one text take 40 MiB. */
const heapMiB = 256;

const unread: readonly Finding[] = [{ kind: 'secret', rule: 'not-read', line: null }];
const unreadPhoto: PhotoLook = { shows: 'unread', cut: null };

/** `expectText`: a text of this size will come soon. If it is long, its thread starts. */
export type Inspector = Inspect & { expectText(sizeBytes: number): void; close(): Promise<void> };

export type InspectLimits = { mostCpuMs: number; mostMs: number; idleMs: number; checkEveryMs: number };

/** Keeps back what rules and readers print: it may be what they read. */
const options: WorkerOptions = {
  resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  stdout: true,
  stderr: true,
};

export const createInspect = (
  limits: InspectLimits = { mostCpuMs, mostMs, idleMs, checkEveryMs },
): Inspector => {
  const texts = createLooks<Content, readonly Finding[]>(
    () =>
      startThread(new URL('./look-worker.ts', import.meta.url), {
        ...options,
        workerData: getCompileCacheDir(),
      }),
    unread,
    limits,
  );
  const photos = createLooks<PhotoOrder, PhotoLook | null>(
    () => startThread(new URL('./photo/photo-worker.ts', import.meta.url), options),
    unreadPhoto,
    limits,
  );
  return {
    findIn: (text) => (text.bytes.length > hereBytes ? texts.look(text) : lookHere(text)),
    expectText(sizeBytes) {
      if (sizeBytes > hereBytes) texts.expect();
    },
    photo: async ({ descriptor, stamp }, head, cutsAll) =>
      formatOf(head) === null ? null : photos.look({ descriptor, sizeBytes: stamp.sizeBytes, cutsAll }),
    async excerpt(content, found) {
      const { excerptOf } = await import('./excerpt.ts');
      return excerptOf(content, found);
    },
    async close() {
      await Promise.all([texts.close(), photos.close()]);
    },
  };
};

const lookHere = async ({ bytes }: Content): Promise<readonly Finding[]> => {
  const { findingsIn } = await import('./look.ts');
  try {
    return findingsIn(bytes);
  } catch {
    return unread;
  }
};

/** Runs searches of one kind, one after another. `unread`: the answer for what was not searched in time. */
const createLooks = <Order, Answer>(start: () => Worker, unread: Answer, limits: InspectLimits) => {
  let worker: Worker | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const begin = (): Worker => {
    const begun = start();
    begun.on('error', () => undefined);
    begun.once('exit', () => {
      if (worker === begun) worker = null;
    });
    return begun;
  };

  const rest = (thread: Worker): void => {
    thread.unref();
    idle = setTimeout(() => void worker?.terminate(), limits.idleMs);
    idle.unref();
  };

  /** 'ended': the thread ended by itself. */
  const look = async (order: Order): Promise<Answer | 'ended'> => {
    clearTimeout(idle);
    const thread = (worker ??= begin());
    thread.ref();
    const answer = Promise.withResolvers<Answer | 'ended'>();
    const ended = (): void => answer.resolve('ended');
    thread.once('message', answer.resolve);
    thread.once('exit', ended);
    const stopWatching = watchTime(thread, limits, () => {
      if (worker === thread) worker = null;
      thread.off('exit', ended);
      // From then on nothing reads from the descriptor.
      void thread.terminate().then(() => answer.resolve(unread));
    });
    try {
      thread.postMessage(order);
      return await answer.promise;
    } finally {
      stopWatching();
      thread.off('message', answer.resolve);
      thread.off('exit', ended);
      rest(thread);
    }
  };

  /** A thread may end because of earlier work, as for want of memory. So an order has a second try in a new one. */
  const lookTwice = async (order: Order): Promise<Answer> => {
    const first = await look(order);
    const found = first === 'ended' && !isClosed ? await look(order) : first;
    return found === 'ended' ? unread : found;
  };

  return {
    look(order: Order): Promise<Answer> {
      const found = last.then(() => (isClosed ? unread : lookTwice(order))).catch(() => unread);
      last = found;
      return found;
    },
    expect(): void {
      if (!isClosed && worker === null) rest((worker = begin()));
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
};

/** Returns a function that ends the watch. */
const watchTime = (thread: Worker, limits: InspectLimits, end: () => void): (() => void) => {
  const sinceMs = performance.now();
  let atFirstMs: number | undefined;
  let isOver = false;
  const check = async (): Promise<void> => {
    if (performance.now() - sinceMs > limits.mostMs) end();
    // The time of the thread's whole life. On a busy machine several checks wait for their answers at once.
    const spent = await thread.cpuUsage();
    const spentMs = (spent.user + spent.system) / 1000;
    atFirstMs ??= spentMs;
    if (!isOver && spentMs - atFirstMs > limits.mostCpuMs) end();
  };
  // A thread that has not started, or has ended, reports no times.
  const timer = setInterval(() => void check().catch(() => undefined), limits.checkEveryMs);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
};
