// An AppImage is one file, so words of the command come to the app: it hands them over to the program inside.
import { spawn } from 'node:child_process';
import { wholePath } from '../../contract/files/whole-path.ts';

/**
 * The program gets our streams, and the IPC channel if we have one (adapters/system/background.ts). Resolves with its
 * exit code; rejects when it cannot be started.
 */
export const handOver = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const channel = process.send === undefined ? [] : (['ipc'] as const);
    const child = spawn(wholePath(program), args, {
      stdio: ['inherit', 'inherit', 'inherit', ...channel],
      env,
    });
    // A terminal sends these to both processes; this one waits until the other has ended.
    for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    if (channel.length > 0) {
      process.on('message', (message: object) => void (child.connected && child.send(message)));
      child.on('message', (message) => process.send?.(message));
      process.once('disconnect', () => {
        if (child.connected) child.disconnect();
      });
      child.once('disconnect', () => {
        if (process.connected) process.disconnect();
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
