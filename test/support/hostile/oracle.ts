// What may be concluded from an answer's JSON (service.md §2, §4), decided without the program's own schemas.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { worst, type Asked, type Endpoint, type Legit } from './answers.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (value: Fields, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isId = (value: unknown): value is number => isCount(value) && value > 0;
/** Above 2^53 and up to 2^63; this reader rounds it. */
const isLargeId = (value: unknown): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && /^\d{16,19}$/.test(value))) &&
  Number(value) > Number.MAX_SAFE_INTEGER &&
  Number(value) <= 2 ** 63;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Names as good as the one of the resource; longer ones than any file system has may be refused. */
const textGrade = (value: unknown): Legit => {
  if (!isText(value)) return 'never';
  return value.length > 1000 ? 'may' : 'must';
};

const check = (isRight: boolean): Legit => (isRight ? 'must' : 'never');

/** All six fields may be missing or null in a list; an entry that is wrong, but for its id, spoils the answer. */
const entryGrade = (entry: unknown, badId: Legit = 'may'): Legit => {
  if (!isObject(entry)) return 'never';
  const optional = (name: string, grade: (value: unknown) => Legit): Legit => {
    const value = own(entry, name);
    return value === undefined || value === null ? 'may' : grade(value);
  };
  return worst(
    optional('file_id', (value) => (isId(value) ? 'must' : isLargeId(value) ? 'may' : badId)),
    optional('filename', textGrade),
    optional('size', (value) => check(isCount(value))),
    optional('upload_date', (value) => (isText(value) ? (value.length > 100 ? 'may' : 'must') : 'never')),
    optional('download_count', (value) => check(isCount(value))),
    optional('public_link', textGrade),
  );
};

/** A link that an answer may be believed with, opened or not. */
const receiptLink = (value: unknown): Legit => {
  if (!isText(value)) return 'never';
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'never';
  if (/[\s\p{Cc}\p{Bidi_Control}\\]/u.test(value)) return 'never';
  return /[\p{C}\p{Z}]/u.test(value) || value.length > 2000 ? 'may' : 'must';
};

/** `size` in bytes, or, since its unit is open, in thousands or millions of them. */
const receiptSize = (value: unknown, sizeBytes: number): Legit => {
  if (!isCount(value)) return 'never';
  if (value === sizeBytes) return 'must';
  return [1000, 1024, 1e6, 1024 ** 2].some((unit) => Math.abs(value - sizeBytes / unit) < 1)
    ? 'may'
    : 'never';
};

/**
 * `isOther.id`: ids that another file already has, so a new file cannot have them. `isOther.name`: names that another
 * upload may have, so the answer may be about that one.
 */
export const believable = (
  endpoint: Endpoint,
  text: string,
  asked: Asked,
  isOther: { id: (fileId: FileId) => boolean; name: (filename: string) => boolean },
): Legit => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'never';
  }
  if (!isObject(value) || own(value, 'success') !== true) return 'never';
  const field = (name: string): unknown => own(value, name);
  const inside = (name: string, inner: string): unknown => {
    const holder = field(name);
    return isObject(holder) ? own(holder, inner) : undefined;
  };
  switch (endpoint) {
    case 'upload': {
      const id = field('file_id');
      const filename = field('filename');
      return worst(
        isLargeId(id) ? 'may' : check(isId(id) && !isOther.id(id)),
        receiptLink(field('public_link')),
        receiptSize(field('size'), asked.sizeBytes),
        textGrade(filename),
        isText(filename) && filename !== asked.name && isOther.name(filename) ? 'may' : 'must',
      );
    }
    case 'list': {
      const files = field('files');
      const counts = ['page', 'limit', 'total', 'pages'].map((name) =>
        check(isCount(inside('pagination', name))),
      );
      return Array.isArray(files) ? worst(...files.map((entry) => entryGrade(entry)), ...counts) : 'never';
    }
    case 'info': {
      const file = field('file');
      const id = isObject(file) ? own(file, 'file_id') : undefined;
      return worst(
        entryGrade(file, 'never'),
        id === undefined || id === null || id === asked.fileId ? 'must' : 'never',
      );
    }
    case 'remove':
      return textGrade(field('message'));
    case 'stats':
      return worst(
        ...['total_files', 'total_size'].map((name) => check(isCount(inside('stats', name)))),
        ...['max_file_size', 'daily_uploads'].map((name): Legit => {
          const limit = inside('limits', name);
          // The document does not exclude a limit of 0.
          return isCount(limit) ? 'must' : Number.isSafeInteger(limit) ? 'may' : 'never';
        }),
        isText(field('plan')) && String(field('plan')).length > 100 ? 'may' : check(isText(field('plan'))),
      );
  }
};
