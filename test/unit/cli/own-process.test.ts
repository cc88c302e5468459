import type * as os from 'node:os';
import { expect, test, vi } from 'vitest';
import { asProcess } from '../../../src-main/cli/own-process.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  homedir: () => process.env['HOME'] ?? expect.fail('uv_os_homedir returned ENOENT'),
}));

test('a user without an account and without HOME has the home that containers give', async () => {
  vi.stubEnv('HOME', undefined);
  await asProcess({}, ({ userHome }) => {
    expect([userHome, process.env['HOME']]).toEqual(['/', '/']);
    return Promise.resolve(0);
  });
  vi.unstubAllEnvs();
});

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
