// The file that `login --key-file` names: small, regular, and better readable by its owner alone.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { givenText } from '../contract/text/given-text.ts';
import { AppError } from '../contract/errors.ts';

const maxBytes = 4096;

/** Throws `bad-use`, never quoting what the file holds. */
export const readKeyFile = async (
  file: string,
  platform: NodeJS.Platform,
): Promise<{ text: string; warning: string | null }> => {
  const refused = (why: string, cause?: unknown): AppError =>
    new AppError('bad-use', `The key file ${file} ${why}.`, 'Name a file that holds nothing but the key.', {
      cause,
    });
  let bytes: Buffer;
  let mode: number;
  try {
    // Non-blocking: a pipe that nothing writes to must not keep the command. Windows has no such flag, which counts as 0.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) throw refused('is not a regular file');
    if (stats.size > maxBytes) throw refused('is too large for a key');
    mode = stats.mode;
    bytes = await handle.readFile();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw refused(isMissing ? 'does not exist' : 'cannot be read', error);
  }
  // Containers mount their secrets readable for all: a remark, not a refusal. Windows has no such bits.
  const isOpen = platform !== 'win32' && (mode & 0o044) !== 0;
  return {
    text: givenText(bytes).trim(),
    warning: isOpen ? `Other users can read ${file}; \`chmod 600\` closes it.` : null,
  };
};
