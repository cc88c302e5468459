// What a run costs: the processor time of this process and of all that it started, as a multiple of one type check on
// the same machine. Node reports that of children nowhere, so it comes from Linux (proc_pid_stat(5)).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
/** One type check is measured once for each installation of the packages. */
const measured = path.join(root, 'node_modules/.cache/outtray/type-check-ms');

/** Clock ticks are 10 ms in all that Linux reports to programs. */
const TICK_MS = 10;

/** Milliseconds of processor time, ended children included; null where the system does not tell. */
export const processorMs = (): number | null => {
  if (!existsSync('/proc/self/stat')) return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, in parentheses, may contain blanks. The first field after it is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return ((utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0)) * TICK_MS;
};

/** Milliseconds of processor time that `tsc` takes to check this project. */
const typeCheckMs = (): number => {
  if (existsSync(measured)) return Number(readFileSync(measured, 'utf8'));
  const fromMs = processorMs() ?? 0;
  try {
    const tsc = path.join(root, 'node_modules/typescript-7/bin/tsc');
    execFileSync(process.execPath, [tsc, '--noEmit'], { cwd: root, stdio: 'ignore' });
  } catch {
    // A tree with a wrong type is checked as long as any other.
  }
  const tookMs = (processorMs() ?? 0) - fromMs;
  mkdirSync(path.dirname(measured), { recursive: true });
  writeFileSync(measured, String(tookMs));
  return tookMs;
};

/** One sentence for the end of a run. */
export const costLine = (): string => {
  const spentMs = processorMs();
  if (spentMs === null) return 'Its processor time cannot be measured on this system.';
  const checkMs = typeCheckMs();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return `Processor time: ${seconds(spentMs)} s, ${(spentMs / checkMs).toFixed(1)} × one type check (${seconds(checkMs)} s).`;
};
