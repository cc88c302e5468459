// The files of the demo.
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The file that is in the folder before the folder is chosen. */
export const putEarlier = (folder: string): Promise<void> =>
  writeFile(join(folder, 'was here before.txt'), 'This file was in the folder before it was chosen.\n');

/** The number of files in the folder at the end. */
export const sampleFiles = 9;

/** Several kinds of files, as they really arrive. */
export const dropSamples = async (folder: string, signal: AbortSignal): Promise<void> => {
  const at = (name: string): string => join(folder, name);
  await writeFile(at('hello.txt'), 'Put a file in the tray, get its link.\n');
  await writeFile(at('Zürich – 合同草案 ☂.md'), '# Any name goes up as it is\n');
  await writeFile(at('photo.raw'), Buffer.alloc(3_000_000, 'outtray '));
  await mkdir(at('reports'));
  await writeFile(join(at('reports'), 'Q3.csv'), 'month,downloads\nJuly,12\nAugust,18\nSeptember,31\n');
  await writeFile(at('id_rsa'), 'This is no key, but its name looks like one.\n');
  await writeFile(at('film.mkv.part'), 'half of a download');
  // A slow program that keeps its file open: the file must not be uploaded half-written.
  const slow = await open(at('slow export.log'), 'a');
  try {
    for (let part = 1; part <= 6 && !signal.aborted; part += 1) {
      await slow.write(`part ${part} of 6\n`);
      await sleep(150);
    }
  } finally {
    await slow.close();
  }
  await writeFile(at('film.mkv.part'), 'a whole download, of which only the final name is new');
  await rename(at('film.mkv.part'), at('film.mkv'));
  await writeFile(at('copy of hello.txt'), 'Put a file in the tray, get its link.\n');
};
