// Preloaded into the command (`--import`): on SIGUSR2 it blocks the event loop for OUTTRAY_BENCH_BLOCK_MS.
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.OUTTRAY_BENCH_BLOCK_MS));
});
