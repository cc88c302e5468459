// The unit and adapters tests on the Node of Windows, under Wine: `node test/windows/own-tests.ts [FILES]`. It takes about
// ten minutes, so it is no part of `.ci/run`. A test that fails for Wine's sake is named here with the reason; any other
// failure makes the exit code 1.
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
    { cwd: root, env: computer.env, stdio: ['ignore', output, output], timeout: 1_800_000 },
  );
  closeSync(output);
  const lines = readFileSync(log, 'utf8').trimEnd().split(/\r?\n/);
  const last = lines.at(-1) ?? '';
  let isWell = /^\d+ passed, \d+ failed/.test(last);
  if (!isWell) console.log(lines.slice(-30).join('\n'));
  for (const line of lines.filter((one) => one.startsWith('✗ '))) {
    const [, why] = Object.entries(ofWine).find(([name]) => line.includes(name)) ?? [];
    isWell &&= why !== undefined;
    console.log(why === undefined ? line : `${line} — Wine: ${why}.`);
  }
  console.log(last);
  process.exitCode = isWell ? 0 : 1;
} finally {
  removeComputer(computer);
}
