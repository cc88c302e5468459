import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Every file below a folder by its path: the time of writing in milliseconds and the bytes. */
export const folderContent = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        return [file, `${statSync(file).mtimeMs} ${readFileSync(file, 'base64')}`];
      }),
  );
