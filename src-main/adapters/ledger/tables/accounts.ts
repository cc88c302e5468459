// The accounts of the service that this data folder has files in. Which key is of which: engine/account/copies/identity.ts.
import { randomBytes } from 'node:crypto';
import type { AccountTable, Witness } from '../../../engine/ports/accounts.ts';
import { createFacts } from '../facts.ts';
import { number, readJson, text, textOrNull, whole, type Database, type Row } from '../database.ts';
import { isFinal, mayBePublic, present } from '../schema.ts';

/** Marks of keys that are kept for an account; the oldest is forgotten. */
const mostKeys = 20;

export const createAccounts = (database: Database, nowMs: () => number): AccountTable => {
  const facts = createFacts(database);
  const keysOf = (row: Row): string[] => {
    const keys = readJson(row['keys']);
    // A mark that cannot be read is an unknown key, which is proved again.
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  };
  const all = () =>
    database
      .all('SELECT id, keys FROM accounts ORDER BY is_present DESC, id DESC')
      .map((row) => ({ id: number(row['id']), keys: keysOf(row) }));
  const hasSent = (): boolean =>
    database.value(`SELECT 1 FROM uploads u WHERE file_id IS NOT NULL OR ${mayBePublic('u')} LIMIT 1`) !==
    undefined;
  const presentId = (): number => number(database.value(`SELECT ${present}`));

  return {
    present: presentId,
    salt() {
      const known = facts.get('salt')?.value;
      if (known !== undefined) return known;
      const salt = randomBytes(16).toString('hex');
      facts.set('salt', salt, nowMs());
      return salt;
    },
    ofMark: (mark) => all().find(({ keys }) => keys.includes(mark))?.id ?? null,
    addMark: (id, mark) =>
      database.atomically(() => {
        for (const one of all()) {
          const others = one.keys.filter((key) => key !== mark);
          const kept = one.id === id ? [...others, mark].slice(-mostKeys) : others;
          if (kept.length !== one.keys.length || one.id === id)
            database.update('accounts', one.id, { keys: JSON.stringify(kept) });
        }
      }),
    count: () => all().length,
    add: () => database.insert('accounts', { keys: '[]' }),
    become: (id) =>
      database.atomically(() => {
        if (id === presentId()) return;
        database.run('UPDATE accounts SET is_present = (id = ?)', id);
        database.exec(`DELETE FROM files;
          INSERT INTO files SELECT * FROM our_files;
          INSERT INTO files SELECT * FROM other_files;`);
        // What has not been sent goes to this account.
        database.run(
          `UPDATE uploads AS u SET account = ?
           WHERE file_id IS NULL AND public_link IS NULL AND NOT ${mayBePublic('u')}`,
          id,
        );
      }),
    hasSent,
    isUnproved: () => hasSent() && all().every(({ keys }) => keys.length === 0),
    witnesses: (most) =>
      all().flatMap(({ id }) => {
        const copies = `SELECT u.account AS account, u.file_id AS file_id, u.public_link AS public_link,
            coalesce(u.remote_name, u.sent_name) AS filename, u.remote_size AS size, r.upload_date AS upload_date
          FROM uploads u LEFT JOIN remote_files r ON r.account = u.account AND r.file_id = u.file_id
          WHERE u.account = ? AND u.file_id IS NOT NULL AND u.public_link IS NOT NULL AND u.id_taken_at_ms IS NULL
            AND ${isFinal('u')} AND coalesce(r.gone, 0) = 0 ORDER BY`;
        const others = `SELECT * FROM remote_files r WHERE r.account = ? AND r.gone = 0 ORDER BY`;
        const found = [
          `${copies} u.id DESC LIMIT 1`,
          `${copies} u.id LIMIT 1`,
          `${copies} r.seen_at_ms DESC LIMIT ${most}`,
          `${others} r.seen_at_ms DESC, r.file_id DESC LIMIT ${most}`,
        ].flatMap((sql) => database.all(sql, id).map(readWitness));
        return [...new Map(found.map((one) => [one.fileId, one])).values()].slice(0, most);
      }),
  };
};

const readWitness = (row: Row): Witness => {
  const size = row['size'] ?? null;
  return {
    accountId: number(row['account']),
    fileId: whole(row['file_id']),
    publicLink: textOrNull(row['public_link']),
    filename: textOrNull(row['filename']),
    size: size === null ? null : number(size),
    uploadDate: row['upload_date'] === null ? null : text(row['upload_date']),
  };
};
