// A folder with very many small files, and the ledger that knows them all.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** `folders` folders side by side with `each` files of a few bytes in every one. */
export const makeTree = (root: string, folders: number, each: number): void => {
  for (let folder = 0; folder < folders; folder += 1) {
    const dir = path.join(root, `folder ${folder}`);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < each; file += 1) writeFileSync(path.join(dir, `file ${file}.txt`), `${file}\n`);
  }
};

/** Every second file of a scanned folder as if it had been uploaded: through the service it would take hours. */
export const markHalfUploaded = (home: string): void => {
  const sqlite = new DatabaseSync(path.join(home, 'ledger.sqlite'));
  sqlite.exec(`
    UPDATE uploads SET state = 'uploaded', bucket = 'uploaded', detail = NULL, file_id = id,
      uploaded_at_ms = changed_at_ms, sha256 = printf('%064x', id), public_link = 'http://127.0.0.1/d/' || id
    WHERE state = 'skipped' AND id % 2 = 0
  `);
  sqlite.close();
};
