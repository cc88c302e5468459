// Where Node keeps what it has compiled, so that the command starts sooner. Node runs what it finds there: it compares
// length and checksum of the source, and not who wrote it. Its own place is a folder that any user of the machine can
// make first.
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Keeps none where another user could write, and does nothing where the user has named a folder (NODE_COMPILE_CACHE). */
export const keepCompiledCode = (): void => {
  if (getCompileCacheDir() !== undefined) return;
  // Windows has a temporary folder for each user.
  const user = process.geteuid?.();
  const folder = join(tmpdir(), `outtray-compiled-${user ?? 'own'}`);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if (user === undefined || (uid === user && (mode & 0o170_077) === 0o040_000)) enableCompileCache(folder);
  } catch {
    // The command starts later.
  }
};
