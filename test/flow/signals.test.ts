// Signals of a terminal and of another program of the same user.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

const begin = async (): Promise<Place> => {
  const service = await ownService();
  const place = await ownPlace(service, { processes: true });
  return place;
};

test('the hang-up of a terminal has the grace of SIGTERM: everything is recorded, exit 130', async () => {
  const place = await begin();
  const watching = place.start(['--json', 'watch', place.folder]);
  await watching.until('idle', (lines) => lines.find(({ event }) => event === 'idle'));
  expect(await watching.stop('SIGHUP')).toMatchObject({ code: 130, signal: null });
});

test.skipIf(process.platform === 'win32')('SIGUSR1 opens no debugger', async () => {
  const place = await begin();
  const watching = place.start(['--json', 'watch', place.folder]);
  await watching.until('idle', (lines) => lines.find(({ event }) => event === 'idle'));
  process.kill(watching.pid, 'SIGUSR1');
  // The command works after the signal: by then, all that the signal starts has started.
  await place.put('after.txt', 'x');
  await watching.until('uploaded', (lines) => lines.find(({ event }) => event === 'uploaded'));
  expect(watching.stderr()).not.toContain('Debugger');
  await watching.stop();
});

test.skipIf(process.platform === 'win32')('SIGUSR1 opens no debugger in the keychain’s child', async () => {
  const program = path.resolve(import.meta.dirname, '../../src-main/adapters/keychain/child.ts');
  // On SIGUSR2 it reports where its debugger listens.
  const tell = `import { url } from 'node:inspector'; process.on('SIGUSR2', () => process.send({ url: url() ?? 'none' }));`;
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${tell}`, program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Its answer to nonsense shows that it is running.
  child.send({ act: 'nothing' });
  await once(child, 'message');
  child.kill('SIGUSR1');
  for (let turn = 0; turn < 20; turn += 1) {
    child.kill('SIGUSR2');
    const told = ((await once(child, 'message')) as unknown[])[0];
    expect(told).toEqual({ url: 'none' });
  }
  child.disconnect();
  await once(child, 'exit');
});

test('a run that waits only for something that does not keep a process alive completes', () => {
  const entry = pathToFileURL(path.resolve(import.meta.dirname, '../../src-main/cli/own-process.ts')).href;
  const program = `import { asProcess } from '${entry}';
    process.exitCode = await asProcess(process.env, () => new Promise((end) => setTimeout(end, 50, 3).unref()));`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(status).toBe(3);
});
