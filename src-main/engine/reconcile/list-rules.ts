// What pages of the account list prove together (upload-protocol.md, Looking). Pure.
import type { RemoteFile } from '../../contract/model.ts';

export type ListOrder = 'newest' | 'oldest';
/** `page` counts from 1. */
export type PageAsked = { page: number; limit: number };

/** Fewer entries may be in order by chance. */
export const enough = 20;
/** Entries that two pages have in common, so that a few deletions between their requests leave one. */
const overlap = 4;

/** What tells entries apart: the id, else the link, else all that is known. */
export const remoteKeyOf = (file: RemoteFile): string =>
  String(file.file_id ?? file.public_link ?? `${file.filename} ${file.size} ${file.upload_date}`);

/**
 * The page that follows `end` entries: it begins before their end, and reaches as far as it can with at most `most`
 * entries. If no page does both, it is the one behind them.
 */
export const nextPage = (end: number, most: number): PageAsked => {
  let best = { page: 1, limit: 0 };
  for (let before = Math.max(1, Math.floor(end / most)); before < end; before += 1) {
    const limit = Math.min(most, Math.floor((end - overlap) / before));
    if (limit * (before + 1) > Math.max(end, best.page * best.limit)) best = { page: before + 1, limit };
    // The pages that follow are smaller, and reach less far.
    if (end + limit <= best.page * best.limit) break;
  }
  return best.limit === 0 ? { page: Math.ceil(end / most) + 1, limit: most } : best;
};

/**
 * Whether all entries are in an order that keeps each in its place among the others: by id, date or name, none equal to
 * the next. Then nothing can lie between two entries that stood side by side in one answer.
 */
export const isInOrder = (files: readonly RemoteFile[]): boolean =>
  files.length >= enough &&
  [files.map(idOf), files.map((file) => file.upload_date), files.map((file) => file.filename)].some(
    (values) => runs(values, 'rising') || runs(values, 'falling'),
  );

/** By date, where entries have one, else by id. Null: neither, or too few entries to tell. */
export const orderInTime = (files: readonly RemoteFile[]): ListOrder | null => {
  const dates = files.map((file) => file.upload_date);
  const values = dates.every((date) => date !== undefined) ? dates : files.map(idOf);
  if (files.length < enough || values[0] === values.at(-1)) return null;
  if (runs(values, 'falling', true)) return 'newest';
  return runs(values, 'rising', true) ? 'oldest' : null;
};

/** Two equal readings one after the other, each with as many different entries as the service counts. */
export const isSameReading = (
  one: { files: readonly RemoteFile[] },
  other: { files: readonly RemoteFile[]; total: number },
): boolean => {
  const keys = other.files.map(remoteKeyOf);
  const isWhole = keys.length >= other.total && new Set(keys).size === keys.length;
  return (
    isWhole &&
    one.files.length === keys.length &&
    keys.every((key, at) => key === remoteKeyOf(one.files[at] ?? {}))
  );
};

type Value = number | bigint | string | undefined;

const idOf = ({ file_id: id }: RemoteFile): Value => (typeof id === 'string' ? BigInt(id) : id);

const runs = (values: readonly Value[], direction: 'rising' | 'falling', mayRepeat = false): boolean =>
  values.every((value, index) => {
    const before = values[index - 1];
    if (value === undefined) return false;
    if (index === 0) return true;
    if (before === undefined) return false;
    if (value === before) return mayRepeat;
    return direction === 'rising' ? value > before : value < before;
  });
