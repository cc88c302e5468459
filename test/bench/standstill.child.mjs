// Preloaded into the command (`--import`): when it is told to (SIGUSR2), the event loop stands still for
// OUTTRAY_BENCH_BLOCK_MS.
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.OUTTRAY_BENCH_BLOCK_MS));
});
