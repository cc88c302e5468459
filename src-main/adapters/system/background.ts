// Starts this program again, in the background: that process goes on when the terminal and this process are gone. Its
// task comes over Node's IPC channel: others could read an argument or a variable of the environment.
import { startChild } from '../programs/run-program.ts';
import * as v from 'valibot';
import { commandAgain } from './own-program.ts';

const taskSchema = v.object({ ids: v.array(v.number()), key: v.nullable(v.string()) });
/** `ids`: the uploads. `key`: the key of the environment, which a child does not inherit. */
export type BackgroundTask = v.InferOutput<typeof taskSchema>;

/** Loading takes a second; a machine under load may take a few times that. */
const limitMs = 20_000;

/** Resolves once the new process has the task. Rejects when it does not start, or ends before; then it does nothing. */
export const startInBackground = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  task: BackgroundTask,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = commandAgain();
    const child = startChild(program.file, [...program.args, ...args], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env,
      detached: true,
      windowsHide: true,
    });
    const end = (fault: Error | null): void => {
      clearTimeout(limit);
      child.removeAllListeners();
      // A disconnected channel emits an error event when the other end is gone.
      child.on('error', () => undefined);
      if (child.connected) child.disconnect();
      child.unref();
      if (fault === null) resolve();
      else {
        child.kill('SIGKILL');
        reject(fault);
      }
    };
    const limit = setTimeout(() => end(new Error(`no answer within ${limitMs} ms`)), limitMs);
    child.once('error', end);
    child.once('close', (code) => end(new Error(`ended with ${String(code)} before it began`)));
    child.once('message', () => end(null));
    if (child.connected) child.send?.(task, () => undefined);
  });

/** In the process that was started: its task. Null when nothing gives it one. */
export const takeTask = (): Promise<BackgroundTask | null> =>
  new Promise((resolve) => {
    if (process.send === undefined) {
      resolve(null);
      return;
    }
    process.once('disconnect', () => resolve(null));
    process.once('message', (message) => {
      const task = v.safeParse(taskSchema, message);
      process.send?.({ taken: true }, () => {
        if (process.connected) process.disconnect();
        resolve(task.success ? task.output : null);
      });
    });
  });
