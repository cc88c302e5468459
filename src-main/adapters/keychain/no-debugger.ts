// SIGUSR1 makes Node open its debugger on a port of this machine, and the key can be read through that port. A listener
// of our own takes the place of Node's (nodejs.org/api/process.html, Signal events). The packaged app needs none: its
// fuse for inspector arguments turns the signal off as well (electronjs.org/docs, Electron Fuses, nodeCliInspect).

/** Call it first, before anything is read. */
export const refuseDebugger = (): void => {
  process.on('SIGUSR1', () => undefined);
};
