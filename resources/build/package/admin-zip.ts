// dist/outtray-VERSION-admin.zip: what an administrator needs beside the installers, on every system. Policy templates,
// completions, manual page, units.
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { version } from '../../../src-main/adapters/version.ts';
import { builtPapers, resources } from '../papers/papers.ts';

/** Constant, so that equal files make an equal zip. */
const when = { mtime: new Date('2020-01-01T00:00:00Z'), mode: 0o100644 };

/** Returns the path of the zip. */
export const writeAdminZip = async (folder: string): Promise<string> => {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(await builtPapers()))
    if (!name.startsWith('linux/')) zip.addBuffer(Buffer.from(text), name, when);
  for (const name of ['outtray.service', 'outtray@.service', 'app.outtray.watch.plist'])
    zip.addBuffer(readFileSync(path.join(resources, 'headless', name)), name, when);
  zip.end();
  const file = path.join(folder, `outtray-${version}-admin.zip`);
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
};
