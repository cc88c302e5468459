// A packaged app on the stand-in for Electron, without the minutes that electron-builder takes: a file of its own that is
// not Node, with the built app of this checkout behind it, and the program of the command where packages have it.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const standIn = path.join(import.meta.dirname, 'electron-double/bin/electron');

/** Writes the app into `folder` and returns its path. The command beside it is the bundle on Node. */
export const makePackagedProgram = async (folder: string): Promise<string> => {
  const app = path.join(folder, 'outtray');
  const command = path.join(folder, 'program/outtray');
  await mkdir(path.dirname(command));
  await writeFile(
    app,
    `#!/bin/sh\nexport ELECTRON_DOUBLE_PROGRAM="$(readlink -f "$0")"\nexec '${standIn}' '${root}' "$@"\n`,
  );
  await writeFile(
    command,
    `#!/bin/sh
case "$1" in
--keychain-child) set -- '${root}/out/cli/keychain-child.cjs' ;;
--drive-child) set -- '${root}/out/cli/src-main-drive-child.cjs' ;;
*) set -- '${root}/out/cli/cli.cjs' "$@" ;;
esac
exec '${process.execPath}' "$@"
`,
  );
  for (const file of [app, command]) await chmod(file, 0o755);
  return app;
};
