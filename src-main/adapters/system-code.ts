// The name of the system's error.
import { constants } from 'node:os';

/** Node names only the errors that libuv knows. ESTALE is "Unknown system error -116", or UNKNOWN in other calls. */
const byNumber: ReadonlyMap<number, string> = new Map([
  ...Object.entries(constants.errno).map(([name, number]) => [number, name] as const),
  // Node has no number of its own for it (errno(3)).
  ...(process.platform === 'linux' ? [[126, 'ENOKEY'] as const] : []),
]);

/** Empty if it is no error of the system. */
export const systemCode = (error: unknown): string => {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  if (error.code !== 'UNKNOWN' && !error.code.startsWith('Unknown system error')) return error.code;
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  return byNumber.get(-number) ?? error.code;
};
