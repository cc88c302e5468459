// `node run-parts.ts COMMAND...`: runs each command, and prints the sum of their last lines as the very last line. The
// last line of a command is `N passed, N failed[, N skipped]`. A command without such a line counts as one failure. So
// does a command that fails although it reports `0 failed`. Every command runs, also after a failure, and is ended after
// half an hour: OUTTRAY_PART_SECONDS sets another limit. A line that begins with `✗ ` names a failure; it is printed again at the end, where a log that was cut still has it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

export type Count = { passed: number; failed: number; skipped: number };

/** What a part counts for: its last line, and the exit code of its process (null: ended by a signal). */
export const countOf = (lastLine: string, exitCode: number | null): Count => {
  const [, passed, failed, skipped = '0'] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(lastLine) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const count = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
};

export const sumOf = (counts: readonly Count[]): Count => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  skipped: counts.reduce((sum, { skipped }) => sum + skipped, 0),
});

export const lineOf = ({ passed, failed, skipped }: Count): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const longestSeconds = Number(process.env['OUTTRAY_PART_SECONDS'] ?? 1800);

/** Shows the command's output as it comes; keeps its last line and those that name a failure. */
const runPart = (command: string): Promise<{ count: Count; failures: string[] }> =>
  new Promise((resolve, reject) => {
    // A group of its own: what the command started ends with it.
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      failures.push(`✗ It had not ended after ${longestSeconds} s.`);
      // Not at `close`: a process outside of the group may keep the output open.
      resolve({ count: { passed: 0, failed: 1, skipped: 0 }, failures });
    }, longestSeconds * 1000);
    const failures: string[] = [];
    let last = '';
    child.stdout.on('data', (piece: Buffer) => process.stdout.write(piece));
    child.once('error', reject);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const plain = stripVTControlCharacters(line);
      if (plain.trim() !== '') last = plain;
      if (plain.startsWith('✗ ')) failures.push(plain);
    });
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ count: countOf(last, code), failures });
    });
  });

if (import.meta.main) {
  const results: { command: string; count: Count; failures: string[]; seconds: number }[] = [];
  for (const command of process.argv.slice(2)) {
    const from = Date.now();
    const part = await runPart(command);
    results.push({ command, ...part, seconds: Math.round((Date.now() - from) / 1_000) });
  }
  console.log();
  for (const { command, count, failures, seconds } of results) {
    console.log(`${count.failed > 0 ? '✗' : '✓'} ${command}: ${lineOf(count)} (${seconds} s)`);
    for (const failure of failures) console.log(`  ${failure}`);
  }
  const sum = sumOf(results.map(({ count }) => count));
  const code = sum.failed > 0 || results.length === 0 ? 1 : 0;
  // Only now: a pipe may still have to take what was written. What a part left open must not keep us.
  process.stdout.write(`${lineOf(sum)}\n`, () => process.exit(code));
}
