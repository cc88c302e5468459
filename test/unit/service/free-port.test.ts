// Ports of the tests' servers: two tests with one port talk to one service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../real/support/ports.ts';

const ports = JSON.stringify(path.resolve('test/real/support/ports.ts'));
const other = `
  const { freePort } = await import(${ports});
  console.log(await freePort());
  process.stdin.resume();`;

test.skipIf(process.platform !== 'linux')('no port is given twice, to whichever process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', other]);
  try {
    const taken = Number(await once(child.stdout, 'data'));
    const draws = [(taken - 20_000 + 0.5) / 12_000, 0.5, 0.5, 0.75];
    vi.spyOn(Math, 'random').mockImplementation(() => draws.shift() ?? 0.9);
    const given = await Promise.all([freePort(), freePort()]);
    expect(new Set([taken, ...given]).size).toBe(3);
    expect(draws).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    child.kill();
  }
});
