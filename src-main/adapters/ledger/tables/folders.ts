// The watched folders in the ledger, and which of their subfolders cannot be read.
import * as v from 'valibot';
import { AppError } from '../../../contract/errors.ts';
import { ownRulesSchema, type OwnRules } from '../../../contract/settings.ts';
import type { FolderTable } from '../../../engine/ports/ledger.ts';
import type { WatchedFolder } from '../../../engine/ports/uploads.ts';
import { number, readJson, text, textOrNull, type Database, type Row } from '../database.ts';

export const createFolders = (database: Database): FolderTable => {
  /** Rules are read many times for each file, so unchanged text is not parsed again. */
  const rules = new Map<number, { json: string; own: OwnRules }>();
  const ownOf = (id: number, json: string): OwnRules => {
    const known = rules.get(id);
    if (known?.json === json) return known.own;
    const own = readOwn(json);
    rules.set(id, { json, own });
    return own;
  };
  const read = (row: Row): WatchedFolder => {
    const id = number(row['id']);
    return {
      id,
      path: text(row['path']),
      identity: text(row['identity']),
      chosenAtMs: number(row['chosen_at_ms']),
      baselineDone: number(row['baseline_done']) === 1,
      baselineLastId: number(row['baseline_last_id']),
      leftOutSubfolders: number(row['left_out_subfolders']) === 1,
      unreadable:
        number(row['unreadable']) === 0
          ? []
          : database
              .all('SELECT path FROM unreadable_folders WHERE folder = ? ORDER BY path', id)
              .map((one) => text(one['path'])),
      judgedBy: textOrNull(row['judged_by']),
      own: ownOf(id, text(row['own'])),
    };
  };
  const one = (row: Row | undefined) => (row === undefined ? null : read(row));
  const select =
    'SELECT f.*, EXISTS (SELECT 1 FROM unreadable_folders WHERE folder = f.id) AS unreadable FROM folders f';
  const byId = (id: number) => one(database.get(`${select} WHERE f.id = ?`, id));
  const known = (id: number): WatchedFolder => {
    const folder = byId(id);
    if (folder === null) throw new AppError('internal', `There is no folder ${id}.`, 'Please report it.');
    return folder;
  };
  return {
    byId,
    byPath: (path) => one(database.get(`${select} WHERE f.path = ?`, path)),
    insert: ({ path, identity, chosenAtMs }) => {
      return known(database.insert('folders', { path, identity, chosen_at_ms: chosenAtMs }));
    },
    update: (id, change) => {
      database.atomically(() => {
        const after = { ...known(id), ...change };
        database.update('folders', id, {
          identity: after.identity,
          chosen_at_ms: after.chosenAtMs,
          baseline_done: after.baselineDone ? 1 : 0,
          baseline_last_id: after.baselineLastId,
          left_out_subfolders: after.leftOutSubfolders ? 1 : 0,
          judged_by: after.judgedBy,
          own: JSON.stringify(after.own),
        });
        if (change.unreadable === undefined) return;
        database.run('DELETE FROM unreadable_folders WHERE folder = ?', id);
        for (const path of new Set(change.unreadable))
          database.insert('unreadable_folders', { folder: id, path });
      });
    },
  };
};

/** If a rule cannot be read, the folder is paused: its files must not be uploaded without the rule. */
const readOwn = (json: string): OwnRules => {
  const read = readJson(json);
  const parsed = v.safeParse(ownRulesSchema, read);
  return parsed.success && !Array.isArray(read) ? parsed.output : { paused: true };
};
