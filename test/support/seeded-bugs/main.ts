// `node test/support/seeded-bugs/main.ts`: puts one deliberate fault after another into a copy of the tree and runs
// what has to notice it. Ends with 1 when a fault goes unnoticed, or cannot be put in any more.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Bug } from './bug.ts';
import { bugs } from './bugs.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, days: { type: 'string', default: '150' } },
});
const root = path.resolve(import.meta.dirname, '../../..');
const copy = mkdtempSync(path.join(tmpdir(), 'outtray-seeded-'));
/** A fault may well make a test wait for ever. */
const longestMs = 600_000;

const isNoticed = ({ by }: Bug): boolean => {
  const command =
    by === 'simulation'
      ? ['test/support/simulation/main.ts', '--failures', '1', '--days', values.days]
      : [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--bail',
          '1',
          '--config',
          '.config/vitest.config.ts',
          ...by,
        ];
  const { status } = spawnSync(process.execPath, command, { cwd: copy, stdio: 'ignore', timeout: longestMs });
  return status !== 0;
};

const unnoticed: string[] = [];
try {
  for (const part of ['src-main', 'src-renderer', 'test', '.config', 'package.json', 'tsconfig.json']) {
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const bug of bugs.filter(({ name }) => name.includes(values.only))) {
    const file = path.join(copy, bug.file);
    const sound = readFileSync(file, 'utf8');
    if (sound.split(bug.find).length !== 2) {
      console.log(`cannot be put in: ${bug.name} (${bug.file})`);
      unnoticed.push(bug.name);
      continue;
    }
    const startMs = performance.now();
    writeFileSync(
      file,
      sound.replace(bug.find, () => bug.put),
    );
    const noticed = isNoticed(bug);
    writeFileSync(file, sound);
    console.log(
      `${noticed ? 'noticed' : 'NOT NOTICED'}: ${bug.name} (${((performance.now() - startMs) / 1000).toFixed(0)} s)`,
    );
    if (!noticed) unnoticed.push(bug.name);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${bugs.length} faults, ${unnoticed.length} unnoticed`);
if (unnoticed.length > 0) process.exitCode = 1;
