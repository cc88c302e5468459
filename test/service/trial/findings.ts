// What a trial of the service (trial.ts) shows about each assumption behind the promises, in plain words. Pure.
// `ok` null: it could not be determined, or is only worth knowing.
import type { Check } from '../../../src-main/contract/answers.ts';
import type { Wording } from '../../../src-main/contract/text/wording.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type {
  RemoteFile,
  RemotePage,
  ServiceStats,
  UploadReceipt,
} from '../../../src-main/contract/model.ts';
import { learnUnit, type SizeUnit } from '../../../src-main/engine/shared/links.ts';

const fine = (name: string, message: string): Check => ({ name, ok: true, message, remedy: '' });
const broken = (name: string, message: string, remedy: Wording): Check => ({
  name,
  ok: false,
  message,
  remedy,
});
const open = (name: string, message: string, remedy: Wording = ''): Check => ({
  name,
  ok: null,
  message,
  remedy,
});

export type Sent = { sentName: string; sizeBytes: number; receipt: UploadReceipt };

/** `sent`: uploads of which at least two had the same name and the same content. */
export const newIdCheck = (sent: readonly Sent[]): Check => {
  const count = (values: readonly unknown[]): number => new Set(values).size;
  const ids = count(sent.map(({ receipt }) => receipt.file_id));
  const links = count(sent.map(({ receipt }) => receipt.public_link));
  return ids === sent.length && links === sent.length
    ? fine(
        'new-id',
        'Every upload gets an id and a link of its own, the same content under the same name too.',
      )
    : broken(
        'new-id',
        `${sent.length} uploads got ${ids} ids and ${links} links.`,
        'An answer with a known id is doubt to Outtray: such files are looked for, then held.',
      );
};

export const linkHostCheck = (links: readonly string[], isSane: (link: string) => boolean): Check => {
  const bad = links.find((link) => !isSane(link));
  if (bad === undefined) return fine('link-host', `Links lead to ${hostOf(links[0])}, which is allowed.`);
  return broken(
    'link-host',
    `Links lead to ${hostOf(bad)}, which is not allowed: they are neither opened nor fetched.`,
    'If that is the right host, add it to the setting linkHosts.',
  );
};

const hostOf = (link: string | undefined): string =>
  /^https?:\/\/([^/?#]+)/i.exec(link ?? '')?.[1] ?? 'no host';

/** `digest`: of what the link serves; null: other bytes. */
export const sameBytesCheck = (
  fetched: readonly { digest: string | null | AppError; sha256: string }[],
): Check => {
  const failed = fetched.map(({ digest }) => digest).find((digest) => digest instanceof AppError);
  if (failed !== undefined) {
    return open('same-bytes', `The links could not be fetched: ${failed.message}`, failed.remedy);
  }
  return fetched.every(({ digest, sha256 }) => digest === sha256)
    ? fine('same-bytes', 'The public links serve exactly the bytes that were sent.')
    : broken(
        'same-bytes',
        'A public link serves other bytes than those that were sent.',
        'An upload whose answer is lost cannot be proved then; it is held for you to decide.',
      );
};

export const nameCheck = (sent: readonly Sent[]): Check => {
  const other = sent.find(({ sentName, receipt }) => receipt.filename !== sentName);
  return other === undefined
    ? fine('name', 'The service keeps the name that is sent.')
    : open(
        'name',
        `The service made “${other.receipt.filename}” of “${other.sentName}”.`,
        'Outtray shows both names and recognises files by their content.',
      );
};

const idsIn = (page: RemotePage): (FileId | undefined)[] => page.files.map((file) => file.file_id);

/** Whether new files are in the list at once. */
export const listCheck = (sent: readonly Sent[], pages: readonly RemotePage[]): Check => {
  const seen = new Set(pages.flatMap(idsIn));
  const missing = sent.filter(({ receipt }) => !seen.has(receipt.file_id)).length;
  if (missing === 0) return fine('list', 'A new file is in the list at once.');
  const isWhole = pages.some((page) => page.files.length >= page.pagination.total);
  return isWhole
    ? open(
        'list',
        `${missing} of ${sent.length} new files were not in the list yet.`,
        'Keep the setting reconcileAfterMs longer than the list is behind.',
      )
    : open(
        'list',
        'The new files are not on the pages that were read; Outtray reads all pages when it looks.',
      );
};

export const orderCheck = (sent: readonly Sent[], pages: readonly RemotePage[]): Check => {
  for (const page of pages) {
    const places = sent.map(({ receipt }) => idsIn(page).indexOf(receipt.file_id));
    if (places.includes(-1)) continue;
    const runs = (sign: 1 | -1): boolean =>
      places.every((place, index) => index === 0 || sign * (place - (places[index - 1] ?? 0)) > 0);
    if (runs(-1)) return fine('order', 'The list has the newest file first.');
    if (runs(1)) return fine('order', 'The list has the oldest file first.');
    return open(
      'order',
      'The list is sorted neither by age nor backwards; Outtray reads all pages when it looks.',
    );
  }
  return open('order', 'The order of the list could not be told.');
};

/** Lists as they were asked for: without a limit, with 1, with `most`. `wide` null: it was refused. */
export const limitCheck = (
  plain: RemotePage,
  one: RemotePage,
  wide: RemotePage | null,
  most: number,
): Check => {
  const standard = plain.pagination.limit;
  if (one.files.length > 1) {
    return broken(
      'limit',
      `A page of 1 was asked for, ${one.files.length} files came.`,
      'Outtray goes by the pages that come; looking may take more requests.',
    );
  }
  const upper =
    wide === null
      ? `${most} is refused`
      : wide.pagination.limit >= most
        ? `${most} is taken as asked`
        : `at most ${wide.pagination.limit}`;
  return fine('limit', `A page of the list holds ${standard} files unless asked otherwise; ${upper}.`);
};

/** `before`: the total before `added` uploads. */
export const totalCheck = (before: number, added: number, after: RemotePage, stats: ServiceStats): Check => {
  const { total, limit, pages } = after.pagination;
  const expected = before + added;
  if (total !== expected)
    return open(
      'total',
      `The list counts ${total} files where ${expected} were expected; did another program upload or delete files?`,
    );
  const isSplit = limit > 0 && pages === Math.ceil(total / limit);
  if (!isSplit) {
    return broken(
      'total',
      `The list says ${pages} pages for ${total} files of ${limit} a page.`,
      'Report it to the service.',
    );
  }
  return stats.stats.total_files === total
    ? fine('total', `The list counts its files right (${total}), and so do the statistics.`)
    : open('total', `The list counts ${total} files, the statistics ${stats.stats.total_files}.`);
};

const unitNames: Record<SizeUnit, string> = {
  1: 'bytes',
  1000: 'thousands of bytes (kB)',
  1024: 'KiB',
  1_000_000: 'MB',
  1_048_576: 'MiB',
};

export const sizeCheck = (sent: readonly Sent[]): Check => {
  const units = sent.map(({ sizeBytes, receipt }) => learnUnit(sizeBytes, receipt.size));
  const unit = units.find((one) => one !== null) ?? null;
  return unit === null
    ? open('size-unit', 'The unit of sizes could not be told from files this small.')
    : fine('size-unit', `Sizes are in ${unitNames[unit]}.`);
};

const quarterMs = 15 * 60_000;

/** `atMs`: our own time of the upload. The service's zone is taken to be a whole number of quarters of an hour away. */
export const zoneCheck = (file: RemoteFile, atMs: number): Check => {
  const match = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.exec(file.upload_date ?? '');
  if (match === null)
    return open(
      'time-zone',
      'The date of an upload does not have the documented form; it is shown as it comes.',
    );
  const saidMs = Date.parse(`${match[0].replace(' ', 'T')}Z`);
  const offsetMs = Math.round((saidMs - atMs) / quarterMs) * quarterMs;
  const isNear = Math.abs(saidMs - atMs - offsetMs) < 120_000;
  if (Number.isNaN(saidMs) || !isNear || Math.abs(offsetMs) > 14 * 3_600_000)
    return open('time-zone', 'The date of an upload is in no time zone there is; do the clocks agree?');
  const hours = Math.abs(offsetMs) / 3_600_000;
  const sign = offsetMs < 0 ? '−' : '+';
  return fine('time-zone', `Dates are in ${offsetMs === 0 ? 'UTC' : `UTC${sign}${hours} h`}.`);
};

/**
 * The assumption of the withheld tail: an upload that announced more than was sent, then closed, creates nothing.
 * `found`: it was seen in a list.
 */
export const tailCheck = (found: boolean, before: number, added: number, after: RemotePage): Check => {
  const name = 'withheld-tail';
  if (found || after.pagination.total > before + added) {
    return broken(
      name,
      found
        ? 'The service keeps a file of which only a part was sent.'
        : 'There is one file more than was uploaded: the service may keep a file of which only a part was sent.',
      'With this service an upload that breaks off may leave half a file with a link; watch the list, and report it to the service.',
    );
  }
  return after.pagination.total === before + added
    ? fine(name, 'An upload that is cut off before its end creates nothing.')
    : open(name, 'Whether a cut-off upload creates something could not be told: the list counts otherwise.');
};

export const deleteCheck = (after: { info: AppError | null; link: string | null | AppError }): Check => {
  if (after.info?.code !== 'not-found') {
    return broken(
      'delete',
      `A deleted file is still there${after.info === null ? '' : ` (${after.info.message})`}.`,
      'Look at the list of the account, and report it to the service.',
    );
  }
  if (after.link !== null && typeof after.link !== 'string') {
    return after.link.code === 'not-found' || after.link.status === 404
      ? fine('delete', 'A deleted file is gone, and so is its link.')
      : open('delete', `A deleted file is gone; its link answers: ${after.link.message}`);
  }
  return broken(
    'delete',
    'The link of a deleted file still serves something.',
    'Whoever has a link may keep it for a while; report it to the service.',
  );
};

export const rateCheck = (headers: readonly string[] | null): Check =>
  headers === null || headers.length === 0
    ? open(
        'rate',
        'The service says nothing about its rate limit in its answers; Outtray keeps to the documented one.',
      )
    : fine('rate', `The service speaks of its rate limit in ${headers.join(', ')}.`);

/** What a trial cannot show, because a proxy repeats a request only when something fails. */
export const repeatsCheck = (): Check =>
  open(
    'repeats',
    'No file is stored twice as long as no proxy repeats a POST, and nothing creates a file later than reconcileAfterMs after its answer was given up. A trial cannot show this.',
    'Turn repeats off for uploads: nginx without non_idempotent in proxy_next_upstream, haproxy without all-retryable-errors in retry-on.',
  );
