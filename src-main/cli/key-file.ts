// The file that `login --key-file` names: small, regular, and preferably readable only by its owner.
import type { Texts } from '../adapters/drives/messages.ts';
import { givenText } from '../contract/text/given-text.ts';
import { AppError } from '../contract/errors.ts';

/** The limit for a key from a file or from standard input. */
export const mostKeyBytes = 4096;

const refusals = {
  missing: 'does not exist',
  unreadable: 'cannot be read',
  'no-file': 'is not a regular file',
  'too-large': 'is too large for a key',
} as const;

/** Throws `bad-use`, never quoting what the file holds; `locked` when its drive does not answer. */
export const readKeyFile = async (
  texts: Pick<Texts, 'read'>,
  file: string,
  platform: NodeJS.Platform,
): Promise<{ text: string; warning: string | null }> => {
  const found = await texts.read(file, mostKeyBytes);
  if (found.kind !== 'read') {
    const message = `The key file ${file} ${refusals[found.kind]}.`;
    throw new AppError('bad-use', message, 'Name a file that contains only the key.');
  }
  // Containers mount secrets readable for all, so this warns instead of refusing. Windows has no such bits.
  const isOpen = platform !== 'win32' && (found.mode & 0o044) !== 0;
  return {
    text: givenText(found.bytes).trim(),
    warning: isOpen ? `Other users can read ${file}; \`chmod 600\` changes that.` : null,
  };
};
