// A folder that stands in for Electron's distribution where that cannot be downloaded: its `electron` carries the fuses
// like the real binary, and starts what is packed beside it on the stand-in of Electron (test/support/electron-double).
import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Before the fuses in every Electron binary; @electron/fuses looks for it. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As many as Electron 45 has, in its order; 1 is on, as Electron ships them. */
const fusesAsShipped = '101100011';

export const makeDistribution = async (folder: string, version: string): Promise<void> => {
  await mkdir(path.join(folder, 'locales'), { recursive: true });
  await mkdir(path.join(folder, 'resources'), { recursive: true });
  const unpack = path.join(import.meta.dirname, 'unpack-once.ts');
  const standIn = path.join(import.meta.dirname, '../electron-double/bin/electron');
  const unpacked = path.join(folder, '../unpacked');
  const program = Buffer.concat([
    Buffer.from(`#!/bin/sh
# Stands in for Electron: runs resources/app.asar beside it on ${process.execPath}. Nothing but exec: a person who starts
# this program talks to it over its descriptors and ends it by its number.
program="$(readlink -f "$0")"
app="$(NODE_CHANNEL_FD= '${process.execPath}' --disable-warning=ExperimentalWarning '${unpack}' "$(dirname "$program")/resources/app.asar" '${unpacked}')" || exit 1
export ELECTRON_DOUBLE_PROGRAM="$program"
exec '${standIn}' "$app" "$@"
exit 1
`),
    Buffer.from(sentinel),
    Buffer.from([1, fusesAsShipped.length]),
    Buffer.from(fusesAsShipped),
    Buffer.from('\n'),
  ]);
  await writeFile(path.join(folder, 'electron'), program);
  await chmod(path.join(folder, 'electron'), 0o755);
  await writeFile(path.join(folder, 'chrome-sandbox'), 'Stands in for the sandbox of Chromium.\n');
  await writeFile(path.join(folder, 'version'), version);
  await writeFile(path.join(folder, 'LICENSE'), 'Stands in for the licence of Electron.\n');
  await writeFile(path.join(folder, 'LICENSES.chromium.html'), 'Stands in for the licences of Chromium.\n');
  for (const name of ['en-US', 'de', 'es', 'zh-CN', 'fr']) {
    const content = createHash('sha256').update(name).digest();
    await writeFile(path.join(folder, `locales/${name}.pak`), content);
  }
};
