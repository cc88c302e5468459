// The one place that knows how to start a child process of Outtray. Plain Node, and an Electron that was given the
// app's folder, run a file of their own. The packaged program runs only its own app (the runAsNode fuse is off), so it
// starts itself, and main.ts handles the switch before it opens any window.
import { fileURLToPath } from 'node:url';

export type ChildCommand = { file: string; args: readonly string[] };

const switches = { keychain: '--keychain-child', drive: '--drive-child' } as const;

export type ChildName = keyof typeof switches;

/** `program`: the file that plain Node runs. */
export const childCommand = (
  name: ChildName,
  program: URL,
  running: Pick<NodeJS.Process, 'execPath' | 'versions'> & { defaultApp?: boolean } = process,
): ChildCommand => {
  const isPackaged = 'electron' in running.versions && running.defaultApp !== true;
  return { file: running.execPath, args: [isPackaged ? switches[name] : fileURLToPath(program)] };
};

/** What the packaged program was started for, if it is such a process; `args` are those after the program. */
export const childNamed = (args: readonly string[]): ChildName | null => {
  if (args[0] === switches.keychain) return 'keychain';
  return args[0] === switches.drive ? 'drive' : null;
};
