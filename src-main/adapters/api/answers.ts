// Parses answers of the service into the fields we know (service.md §2, §4). Unknown fields are dropped, a wrong type
// makes the whole answer unusable, and integers are safe ones, except for the ids of files.
import * as v from 'valibot';
import { fileIdSchema as id, type FileId } from '../../contract/text/file-id.ts';
import type { RemoteFile, RemotePage, ServiceStats, UploadReceipt } from '../../contract/model.ts';

const whole = v.pipe(v.number(), v.safeInteger());
const count = v.pipe(whole, v.minValue(0));
const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
/** Names and links go into the ledger; longer ones are no names and no links. */
const name = text(4096);
const link = text(4096);

const success = v.literal(true);

export const receiptAnswer = v.pipe(
  v.object({ success, file_id: id, public_link: link, size: count, filename: name }),
  v.transform(({ file_id, public_link, size, filename }): UploadReceipt => {
    return { file_id, public_link, size, filename };
  }),
);

/** Any of the six fields may be missing; some services write null for that. */
const fileWith = <Id extends v.GenericSchema<unknown, FileId | null | undefined>>(file_id: Id) =>
  v.pipe(
    // To the schema library an array is an object too, one that lacks every field.
    v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    v.object({
      file_id,
      filename: v.nullish(name),
      size: v.nullish(count),
      upload_date: v.nullish(text(100)),
      download_count: v.nullish(count),
      public_link: v.nullish(link),
    }),
    v.transform(
      // Only fields that are there: to the ledger an absent field and an undefined one differ.
      (file): RemoteFile =>
        Object.fromEntries(Object.entries(file).filter(([, value]) => value !== null && value !== undefined)),
    ),
  );

const remoteFile = fileWith(v.nullish(id));
/** A malformed id does not make its page unreadable. An entry without an id never proves that a file is absent. */
const listEntry = fileWith(v.fallback(v.nullish(id), undefined));

export const listAnswer = v.pipe(
  v.object({
    success,
    files: v.array(listEntry),
    pagination: v.object({ page: count, limit: count, total: count, pages: count }),
  }),
  v.transform(({ files, pagination }): RemotePage => ({ files, pagination })),
);

export const fileAnswer = v.pipe(
  v.object({ success, file: remoteFile }),
  v.transform(({ file }) => file),
);

export const removalAnswer = v.pipe(
  v.object({ success, message: text(10_000) }),
  v.transform(({ message }) => ({ message })),
);

export const statsAnswer = v.pipe(
  v.object({
    success,
    stats: v.object({ total_files: count, total_size: count }),
    // A service may use a negative number for "no limit"; the document does not forbid it.
    limits: v.object({ max_file_size: whole, daily_uploads: whole }),
    plan: text(200),
  }),
  v.transform(({ stats, limits, plan }): ServiceStats => ({ stats, limits, plan })),
);

/** Each success answer of the service is a JSON object with `success` (service.md §1). */
const isOfService = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'success');

/** In a string the quotes of a key are escaped, so this can match only a key. */
const longId = /("file_id"\s*:\s*)(\d{16,19})(?=\s*[,}])/g;

/** `JSON.parse` rounds numbers above 2^53: such an id becomes the text of its digits. `text` is JSON. */
const withWholeIds = (text: string): string =>
  text.replace(longId, (all, key: string, digits: string) =>
    Number.isSafeInteger(Number(digits)) ? all : `${key}"${digits}"`,
  );

/**
 * Parses a complete body against its schema: its value, or what is wrong with it in a few words. `isForeign`: something
 * other than the service wrote it, for example a login page of the network.
 */
export const readAnswer = <Schema extends v.GenericSchema>(
  schema: Schema,
  body: Uint8Array,
): { ok: true; value: v.InferOutput<Schema> } | { ok: false; problem: string; isForeign: boolean } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(withWholeIds(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return { ok: false, problem: body.length === 0 ? 'empty answer' : 'not JSON', isForeign: true };
  }
  const result = v.safeParse(schema, parsed);
  if (result.success) return { ok: true, value: result.output };
  const issue = result.issues[0];
  return {
    ok: false,
    problem: `${v.getDotPath(issue) ?? 'answer'}: expected ${issue.expected ?? issue.type}`,
    isForeign: !isOfService(parsed),
  };
};

// ---------------------------------------------------------------- duplicate keys

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}]/gs;

/**
 * Readers differ in which of two equal keys in one object they take (RFC 8259 §4). In the answer to an upload that is
 * doubt: `success` may be both true and false. `text` is valid JSON.
 */
export const hasDuplicateKeys = (text: string): boolean => {
  const open: Set<string>[] = [];
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      // Escapes are another spelling of the same key.
      const key = String(JSON.parse(token.slice(0, -1)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return true;
      keys?.add(key);
    }
  }
  return false;
};
