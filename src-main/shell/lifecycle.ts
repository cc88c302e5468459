// Beginning and end: one instance, the window on every further start, sleep and wake, and a quit that waits until
// everything is recorded, but not for ever.
import { app, powerMonitor } from 'electron';

/** An answer that is due takes seconds; the system gives a program that ends at shutdown hardly more. */
const longestGoodbyeMs = 10_000;

/** False: another start of the app has the data; it was told to show its window, and this one ends. */
export const isFirstStart = (): boolean => app.requestSingleInstanceLock();

/** What nobody foresaw: the state of this process is unknown, all that counts is in the ledger, so it ends and says so. */
export const followFaults = (tell: (fault: unknown) => void): void => {
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
};

export const followLife = (options: {
  show: () => void;
  resumed: () => void;
  /** Takes down what is shown, before the rest ends. */
  leaving: () => void;
  /** Ends the engine with everything recorded. */
  close: () => Promise<void>;
}): void => {
  let state: 'alive' | 'closing' | 'closed' = 'alive';

  app.on('second-instance', options.show);
  app.on('activate', options.show);
  // The tray, the dock or another start bring the window back.
  app.on('window-all-closed', () => undefined);

  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    options.leaving();
    void within(longestGoodbyeMs, options.close()).finally(() => {
      state = 'closed';
      app.quit();
    });
  });

  powerMonitor.on('resume', options.resumed);
  powerMonitor.on('unlock-screen', options.resumed);
  // Linux and macOS ask before they shut down; Windows ends the session through the window's own events.
  powerMonitor.on('shutdown', () => app.quit());
};

const within = async (limitMs: number, work: Promise<void>): Promise<void> => {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work.catch(() => undefined), limit.promise]);
  clearTimeout(timer);
};
