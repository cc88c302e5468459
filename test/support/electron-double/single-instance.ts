// The lock by which a second start of the app wakes the first. As in Electron, taking it is synchronous and it works
// across processes: a file in userData with the owner's pid. The second start leaves its message as a file in a folder
// that the first one watches.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import type { FSWatcher } from 'node:fs';
import path from 'node:path';

export type SecondStart = { argv: string[]; cwd: string; additionalData: unknown };

export type SingleInstance = {
  /** True when this process has the lock; otherwise the owner gets a message about this start. */
  request(start: SecondStart): boolean;
  release(): void;
};

/** `folder` is called only at the request, because the app may move userData before. */
export function createSingleInstance(
  folder: () => string,
  secondStarted: (start: SecondStart) => void,
): SingleInstance {
  let held: { lock: string; messages: string; watcher: FSWatcher } | null = null;

  function request(start: SecondStart): boolean {
    if (held) return true;
    const lock = path.join(folder(), 'SingletonLock');
    const messages = path.join(folder(), 'SingletonMessages');
    mkdirSync(messages, { recursive: true });
    if (!take(lock)) {
      leaveMessage(messages, start);
      return false;
    }
    const watcher = watch(messages, () => readMessages(messages, secondStarted));
    watcher.unref();
    held = { lock, messages, watcher };
    return true;
  }

  function release(): void {
    held?.watcher.close();
    if (held) rmSync(held.lock, { force: true });
    held = null;
  }

  return { request, release };
}

/** Creates the lock with its content in one step, by a link. Takes over a lock whose owner is dead. */
function take(lock: string): boolean {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, ownerMark(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkSync(own, lock);
        return true;
      } catch {
        if (isHeld(lock)) return false;
        rmSync(lock, { force: true });
      }
    }
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function isHeld(lock: string): boolean {
  try {
    const mark = readFileSync(lock, 'utf8');
    return ownerMark(Number(mark.split(' ')[0])) === mark;
  } catch {
    return false;
  }
}

/** The pid and, where the system reports it, the start time of the process: pids are reused. */
function ownerMark(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch {
    return '';
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return String(pid);
  const startedAt =
    readFileSync(stat, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[19] ?? '';
  return `${pid} ${startedAt}`;
}

function leaveMessage(messages: string, start: SecondStart): void {
  const draft = path.join(messages, `${process.pid}.draft`);
  writeFileSync(draft, JSON.stringify(start));
  renameSync(draft, path.join(messages, `${process.pid}.json`));
}

function readMessages(messages: string, secondStarted: (start: SecondStart) => void): void {
  for (const name of readdirSync(messages)) {
    if (!name.endsWith('.json')) continue;
    const file = path.join(messages, name);
    let start: SecondStart;
    try {
      start = JSON.parse(readFileSync(file, 'utf8')) as SecondStart;
    } catch {
      continue; // another event of the same write has read it
    }
    rmSync(file, { force: true });
    secondStarted(start);
  }
}
