// A packaged program on the stand-in for Electron, without the minutes that electron-builder takes: a file of its own
// that is not Node, with the built app of this checkout behind it.
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const standIn = path.join(import.meta.dirname, 'electron-double/bin/electron');

/** Writes the program into `folder` and returns its path. */
export const makePackagedProgram = async (folder: string): Promise<string> => {
  const program = path.join(folder, 'outtray');
  await writeFile(
    program,
    `#!/bin/sh\nexport ELECTRON_DOUBLE_PROGRAM="$(readlink -f "$0")"\nexec '${standIn}' '${root}' "$@"\n`,
  );
  await chmod(program, 0o755);
  return program;
};
