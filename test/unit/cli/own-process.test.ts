import { expect, test } from 'vitest';
import { asProcess } from '../../../src-main/cli/own-process.ts';

// No system delivers all of these, so Node's event stands for each.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const)('%s interrupts the run', async (name) => {
  const before = process.listenerCount(name);
  const code = await asProcess({}, ({ signal }) => {
    expect(signal.aborted).toBe(false);
    process.emit(name, name);
    return Promise.resolve(signal.aborted ? 130 : 0);
  });
  expect(code).toBe(130);
  expect(process.listenerCount(name)).toBe(before);
});
