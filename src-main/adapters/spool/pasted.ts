// The folder `pasted/` of the data folder: content that was pasted, each a file until its upload has ended.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { mayGoUp } from '../../contract/model.ts';
import { pastedName } from '../../contract/text/formats.ts';
import type { UploadStore } from '../../engine/ports/uploads.ts';
import { systemCode } from '../system-code.ts';

/** Receives the clipboard's content while it is read; a killed process leaves it behind. */
const draftMark = '.reading-';
/** No program takes that long to give what was copied. */
const staleMs = 60 * 60_000;

export type PastedFiles = {
  /** Whether this is the folder of such files. */
  holds(dir: string): boolean;
  /** Makes the folder. Throws as `mkdir`. */
  draft(): Promise<string>;
  /** `put` makes a file that is not there yet, and throws `EEXIST` otherwise: several processes may paste in the same second. */
  keep(ending: string, put: (file: string) => Promise<void>): Promise<string>;
  /**
   * Removes files that are uploaded or will not be; failed ones stay for a retry. A file without a row goes only if it is
   * `refused`: the ledger may be an older copy, and this file the only one. What the disk keeps goes the next time.
   */
  tidy(uploads: Pick<UploadStore, 'presentAt'>, refused?: readonly string[]): Promise<void>;
};

/** `home`: the data folder. */
export const createPasted = (home: string): PastedFiles => {
  const folder = join(home, 'pasted');
  const make = () => mkdir(folder, { recursive: true, mode: 0o700 });
  const isStale = async (name: string): Promise<boolean> =>
    name.startsWith(draftMark) && Date.now() - (await stat(join(folder, name))).mtimeMs > staleMs;
  return {
    holds: (dir) => dir === folder,
    async draft() {
      await make();
      return join(folder, draftMark + randomBytes(6).toString('hex'));
    },
    async keep(ending, put) {
      const nowMs = Date.now();
      try {
        await make();
        for (let again = 0; ; again += 1) {
          const file = join(folder, pastedName(nowMs, again, ending));
          try {
            await put(file);
            return file;
          } catch (error) {
            if (systemCode(error) !== 'EEXIST' || again > 100) throw error;
          }
        }
      } catch (cause) {
        const message = 'What was copied cannot be kept in the data folder.';
        throw new AppError('disk', message, 'Make room on the disk.', { cause });
      }
    },
    async tidy(uploads, refused = []) {
      for (const name of await readdir(folder).catch(() => [])) {
        const row = uploads.presentAt(null, folder, name);
        const isOver =
          row === null
            ? refused.includes(join(folder, name)) || (await isStale(name).catch(() => false))
            : !mayGoUp(row.state.kind);
        if (isOver) await rm(join(folder, name), { force: true }).catch(() => undefined);
      }
    },
  };
};
