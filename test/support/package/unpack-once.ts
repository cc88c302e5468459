// `unpack-once.ts ARCHIVE FOLDER` prints where the app of this app.asar is unpacked below FOLDER: Node cannot read an
// archive. The first start of an archive unpacks it.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { unpackApp } from './asar.ts';

const [, , archive = '', folder = ''] = process.argv;
const { mtimeMs, size } = statSync(archive);
const name = createHash('sha256').update(`${archive} ${mtimeMs} ${size}`).digest('hex').slice(0, 16);
const unpacked = path.join(folder, name);
if (!existsSync(unpacked)) {
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(path.join(folder, 'draft-'));
  unpackApp(archive, draft);
  // Another user may start it too.
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, unpacked);
  } catch {
    // Another start was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}
process.stdout.write(unpacked);
