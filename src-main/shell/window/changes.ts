// The changes of this and earlier versions, as they came with the program.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import { AppError } from '../../contract/errors.ts';

/** Markdown, in English. Throws `not-found` where an installation has lost it. */
export const readChanges = async (): Promise<string> => {
  const file = app.isPackaged
    ? path.join(process.resourcesPath, 'docs/changelog.md')
    : path.join(app.getAppPath(), 'resources/CHANGELOG.md');
  return await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError(
      'not-found',
      'The list of changes is missing from this installation.',
      'Install Outtray again.',
      { cause },
    );
  });
};
