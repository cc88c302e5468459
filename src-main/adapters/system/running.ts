import { readHolder } from './lock.ts';

export const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/**
 * An owner contains its process id. A reused id counts as alive, which only makes the wait longer. `besideIn`: the data
 * folder of another engine, whose lock gives a certain answer.
 */
export const isOwnerAlive = (owner: string, besideIn: string | null): boolean | null => {
  const [role, number] = owner.split(':');
  const pid = Number(number);
  if (role === 'engine' && besideIn !== null) {
    const holder = readHolder(besideIn);
    return holder !== null && (holder.pid === 0 || holder.pid === pid);
  }
  return Number.isSafeInteger(pid) && pid > 0 ? isProcessRunning(pid) : null;
};
