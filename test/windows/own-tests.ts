// The unit and adapters tests on Node for Windows, under Wine: `npm run windows:own [-- FILES]`. They take a quarter of
// an hour, so `.ci/run` does not run them. A test that fails because of Wine is listed here with the reason; any other
// failure makes the exit code 1. A whole run reports listed tests that pass.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeComputer, removeComputer } from './support/computer.ts';

/** The end of a test's name, and what Wine does. */
const ofWine: Record<string, string> = {
  'a file that comes, changes or goes is sighted by its folder and name':
    'it tells no change in a folder that is there before the watch',
  'with one handle for the whole tree, as on Windows and macOS, the sightings are the same':
    'it tells no change in a folder that is there before the watch',
  'the time limit ends the program with all that it started': 'its taskkill does not know /t',
  'two processes that write the same log keep it bounded and whole':
    'it appends by asking for the size and writing there, so two processes may write at one place (ntdll/unix/file.c, NtWriteFile)',
};

const root = path.resolve(import.meta.dirname, '../..');
const filters = process.argv.slice(2);
const computer = makeComputer(['@rolldown/binding-win32-x64-msvc', 'lightningcss-win32-x64-msvc']);
try {
  const log = path.join(computer.place, 'tests');
  const output = openSync(log, 'w');
  spawnSync(
    'wine',
    [
      computer.node,
      'test/support/run-tests.ts',
      ...(filters.length > 0 ? filters : ['test/unit/', 'test/adapters/']),
    ],
    {
      cwd: root,
      env: { ...computer.env, OUTTRAY_PATIENCE: '5' },
      stdio: ['ignore', output, output],
      timeout: 3_600_000,
    },
  );
  closeSync(output);
  const lines = readFileSync(log, 'utf8').trimEnd().split(/\r?\n/);
  const last = lines.at(-1) ?? '';
  let isWell = /^\d+ passed, \d+ failed/.test(last);
  if (!isWell) console.log(lines.slice(-30).join('\n'));
  const expected = new Map(Object.entries(ofWine));
  for (const line of lines.filter((one) => one.startsWith('✗ '))) {
    const [name = '', why] = Object.entries(ofWine).find(([one]) => line.includes(`> ${one}: `)) ?? [];
    expected.delete(name);
    isWell &&= why !== undefined;
    console.log(why === undefined ? line : `${line} — Wine: ${why}.`);
  }
  if (isWell && filters.length === 0)
    for (const name of expected.keys()) console.log(`It passes, and need not be named any more: ${name}`);
  console.log(last);
  process.exitCode = isWell ? 0 : 1;
} finally {
  removeComputer(computer);
}
