// What tells the keychain entries of two data folders at one address apart: a random id in each data folder.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';

/** `folder`: where the data folder was when this was written. */
const schema = v.object({ id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)), folder: v.string() });
type Kept = v.InferOutput<typeof schema>;

/**
 * Eight hexadecimal digits, kept in `file`, which lies in the data folder `folder`. A data folder that was moved keeps
 * its id, a copy gets another one. Null where there is none yet and none can be written.
 */
export const folderId = (file: string, folder: string): string | null => {
  const kept = read(file);
  if (kept?.folder === folder) return kept.id;
  const isMoved = kept !== null && !isCopy(file, kept);
  const now: Kept = { id: isMoved ? kept.id : randomBytes(4).toString('hex'), folder };
  try {
    write(file, now, kept === null);
  } catch {
    return isMoved ? kept.id : null;
  }
  // Another process may have been first.
  return read(file)?.id ?? null;
};

/** The folder that it names still has the same id, in another file. */
const isCopy = (file: string, { id, folder }: Kept): boolean => {
  const first = join(folder, basename(file));
  if (read(first)?.id !== id) return false;
  const [one, other] = [statSync(file), statSync(first)];
  return one.ino !== other.ino || one.dev !== other.dev;
};

const read = (file: string): Kept | null => {
  try {
    const parsed = v.safeParse(schema, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
};

/** A file is complete as soon as it has this name. `isNew`: what another process wrote meanwhile stays. */
const write = (file: string, kept: Kept, isNew: boolean): void => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600, flush: true });
  try {
    if (!isNew || !linked(draft, file)) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
};

/** False where another file has to be replaced, or the disk knows no links. */
const linked = (draft: string, file: string): boolean => {
  try {
    linkSync(draft, file);
    return true;
  } catch {
    return read(file) !== null;
  }
};
