// Where a page of Files ended, as text that the next page is asked for with: the last row's place in the order, so that
// page 10,000 costs what page 1 costs, and the count of the first page of a search.
import { AppError } from '../../contract/errors.ts';
import type { UploadTable } from '../../engine/ports.ts';
import type { Value } from './database.ts';

type Query = Parameters<UploadTable['page']>[0];
export type Position = { value: Value; id: number };
export type Cursor = Position & { total: number };

export const writeCursor = (query: Query, last: Position, total: number): string =>
  Buffer.from(JSON.stringify([query.sort, query.descending, last.value, last.id, total])).toString(
    'base64url',
  );

/** Throws `bad-use`. Comes back through the window: anything may stand there. */
export const readCursor = (query: Query, cursor: string): Cursor => {
  const parts = parseList(Buffer.from(cursor, 'base64url').toString());
  if (parts !== null) {
    const [sort, descending, value, id, total] = parts;
    const fits = typeof value === (query.sort === 'name' ? 'string' : 'number');
    if (
      sort === query.sort &&
      descending === query.descending &&
      fits &&
      (typeof value === 'string' || typeof value === 'number') &&
      typeof id === 'number' &&
      typeof total === 'number'
    ) {
      return { value, id, total };
    }
  }
  throw new AppError('bad-use', 'This page follows no page of that order.', 'Start again at the first page.');
};

const parseList = (json: string): unknown[] | null => {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? (parsed as unknown[]) : null;
  } catch {
    return null;
  }
};
