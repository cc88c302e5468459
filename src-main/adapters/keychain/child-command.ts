// How to start the keychain's child: the one place that knows. Plain Node and an Electron that was given the app's
// folder run the file beside this one; the packaged program runs nothing but its own app (the runAsNode fuse is off),
// so it starts itself, and main.ts takes the switch before any window.
import { fileURLToPath } from 'node:url';

export type ChildCommand = { file: string; args: readonly string[] };

const keychainSwitch = '--keychain-child';

export const keychainChild = (
  running: Pick<NodeJS.Process, 'execPath' | 'versions'> & { defaultApp?: boolean } = process,
): ChildCommand => {
  const isPackaged = 'electron' in running.versions && running.defaultApp !== true;
  const program = isPackaged ? keychainSwitch : fileURLToPath(new URL('./child.ts', import.meta.url));
  return { file: running.execPath, args: [program] };
};

/** Whether the packaged program was started for the keychain; `args` are those after the program. */
export const isKeychainChild = (args: readonly string[]): boolean => args[0] === keychainSwitch;
