// `list`, `info`, `delete`, `stats`: the service's fields under the service's names.
import { isoOrNull } from '../../contract/text/formats.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import { AppError, fromWire, isErrorCode } from '../../contract/errors.ts';
import type { DeleteResult, ListedFile, NamedFile, StatsView } from '../../contract/answers.ts';
import type { CommandAnswer, CommandInput } from '../../contract/commands.ts';
import { dailyUploadsOf, hasNoSizeLimit, type FileRow } from '../../contract/model.ts';
import { isSameLink, linkIn, queueIdText } from '../../contract/text/named-file.ts';
import { copiesSentence } from '../../contract/text/why.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson, ofFileRow } from '../../engine/state/file-json.ts';
import { findFiles, questionAbout } from '../named-files.ts';
import { copyCells, copyJson, otherCopies } from './copies.ts';
import { askToTakeAway, unlessInterrupted, within, type Composed, type Session } from '../session.ts';
import { typedText } from '../output/typed.ts';
import {
  asOfText,
  bytesText,
  givenTimeText,
  nameText,
  pathFrom,
  timeText,
  wholeFrom,
  type InLocale,
} from '../output/words.ts';
import type { programRows } from '../../contract/catalogue/program.ts';
import type { FlagsOf } from '../../contract/catalogue/program-kinds.ts';

type KnownFlags = FlagsOf<(typeof programRows)['list']>;

export const list = (session: Session, flags: KnownFlags): Promise<ExitCode> =>
  isAsked(flags) ? search(session, [], flags) : listOfService(session, flags);

/** Whether the ledger must answer: the service has one order and no filter. */
const isAsked = ({ sort, reverse, place, folder }: KnownFlags): boolean =>
  [sort, reverse, place, folder].some((flag) => flag !== undefined);

const pageOf = ({ page }: KnownFlags): number | undefined =>
  page === undefined ? undefined : wholeFrom(page, 'A page number', 'The first page is --page 1.');

const noSuchPage = (page: number, pages: number): AppError =>
  new AppError(
    'bad-use',
    `There is no page ${page}: the list has ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
    'The first page is --page 1.',
  );

const listOfService = (session: Session, flags: KnownFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client, clock, ledger } = composed;
    const { output } = session;
    // Every request to the service is recorded before it is sent.
    if (ledger.unwritable !== null) return await listKnown(session, composed, [], flags);
    const limit =
      flags.limit === undefined
        ? undefined
        : wholeFrom(flags.limit, 'A page size', 'Give --limit 50, for example.');
    let page = pageOf(flags);
    let shown = 0;
    for (;;) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      const { files, pagination } = await unlessInterrupted(session, () => client.call('files.list', query));
      const pages = Math.max(1, pagination.pages);
      const isThere = files.length > 0 && pagination.page === (page ?? 1);
      if (shown === 0 && page !== undefined && page > pages && !isThere) throw noSuchPage(page, pages);
      output.object({ success: true, files: files.map(fieldsOf), pagination });
      tellFiles(
        session,
        files.map((file) => cellsOf(file, clock.wallMs(), session)),
      );
      shown += files.length;
      const isLast = pagination.page >= pagination.pages;
      if (flags.all !== true || isLast) {
        output.note(`${shown} of ${pagination.total} files, page ${pagination.page} of ${pages}.`);
        return exitCodes.done;
      }
      page = (page ?? pagination.page) + 1;
    }
  });

/** The service's fields, and our own beside them. */
const fieldsOf = ({ expiresAtMs, sentBytes: _, ...file }: ListedFile) => ({
  ...file,
  expiresAt: isoOrNull(expiresAtMs),
});

/** The unit of the service's sizes is not specified (service.md §2): where this machine did not send it, the number. */
const sizeText = (told: number | null | undefined, bytes: number | null): string =>
  bytes === null ? String(told ?? '?') : bytesText(bytes);

/** Only a person reads a header. */
const tellFiles = ({ output, stdout }: Session, rows: readonly string[][]): void => {
  const header = ['ID', 'Size', 'Uploaded', 'Downloads', 'Name', 'Link'];
  const isTitled = stdout.isTTY === true && rows.length > 0;
  output.table(isTitled ? [header, ...rows] : rows, { right: [0, 1, 3] });
};

const endCells = (atMs: number | null, nowMs: number, where: InLocale): string[] =>
  atMs === null ? [] : [`expires ${timeText(atMs, nowMs, where)}`];

const cellsOf = (file: ListedFile, nowMs: number, where: InLocale): string[] => [
  String(file.file_id ?? '?'),
  sizeText(file.size, file.sentBytes),
  givenTimeText(file.upload_date ?? '?', where),
  String(file.download_count ?? '?'),
  nameText(file.filename ?? '?'),
  file.public_link ?? '?',
  ...endCells(file.expiresAtMs, nowMs, where),
];

/** The most rows of one read of the ledger. */
const mostRead = 500;
const usualLimit = 100;
/** A search stops counting here. */
const mostCounted = 1000;
const groups = { here: 'ours', elsewhere: 'elsewhere', gone: 'gone' } as const;

/** Prints the files that have all of these words in their names or ids; without words, all. */
export const search = (session: Session, words: readonly string[], flags: KnownFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, (composed) => listKnown(session, composed, words, flags));

const listKnown = async (
  session: Session,
  { client, clock, engine }: Pick<Composed, 'client' | 'clock' | 'engine'>,
  words: readonly string[],
  flags: KnownFlags,
): Promise<ExitCode> => {
  const { output } = session;
  const limit =
    flags.limit === undefined
      ? usualLimit
      : wholeFrom(flags.limit, 'A limit', 'Give --limit 50, for example.');
  const page = pageOf(flags) ?? 1;
  const sort = flags.sort ?? (words.length > 0 ? 'match' : 'uploaded');
  const [folder = null] =
    flags.folder === undefined ? [] : await engine.spell([pathFrom(flags.folder, session)]);
  const query = {
    search: words.join(' '),
    place: flags.place === undefined ? 'all' : groups[flags.place],
    sort,
    // The newest, the largest, the most downloaded and the best match come first, and names from A on.
    descending: (sort !== 'name' && sort !== 'match') !== (flags.reverse === true),
    folder,
  } satisfies CommandInput<'files.page'>;
  const most = flags.all === true ? Infinity : limit;
  let shown = 0;
  for (
    let at: { after: string } | { offset: number } = {
      offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER),
    };
    ;
  ) {
    const asked = { ...query, ...at, limit: Math.min(mostRead, most - shown) };
    const answer: CommandAnswer<'files.page'> = await unlessInterrupted(session, () =>
      client.call('files.page', asked),
    );
    if (shown === 0 && page > 1 && answer.rows.length === 0)
      throw noSuchPage(page, Math.max(1, Math.ceil(answer.total / limit)));
    for (const row of answer.rows) output.object(fileJson(ofFileRow(row)));
    tellFiles(
      session,
      answer.rows.map((row) => knownCells(row, clock.wallMs(), session)),
    );
    shown += answer.rows.length;
    if (answer.next !== null && shown < most) {
      at = { after: answer.next };
      continue;
    }
    const { total, asOfMs } = answer;
    output.object({ event: 'files', files: shown, total, asOf: isoOrNull(asOfMs) });
    const known = query.search !== '' && total >= mostCounted ? `${total} or more` : `${total}`;
    output.note(`${shown} of ${known} files, ${asOfText(asOfMs, clock.wallMs(), session)}.`);
    return exitCodes.done;
  }
};

const knownCells = (row: FileRow, nowMs: number, where: InLocale): string[] => [
  String(row.fileId ?? '–'),
  sizeText(row.size, row.sizeIsBytes ? row.size : null),
  row.uploadedAtMs === null
    ? givenTimeText(row.uploadDate ?? '?', where)
    : timeText(row.uploadedAtMs, nowMs, where),
  String(row.downloads ?? '?'),
  nameText(row.name),
  row.publicLink ?? '–',
  ...endCells(row.expiresAtMs, nowMs, where),
];

export const info = (session: Session, given: string): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client, clock } = composed;
    const accountId = composed.ledger.accounts.present();
    const found = await findFiles(session, composed, [given], 'service');
    const [fileId = 0] = idsOf(composed, found);
    const { copies, ...told } = await unlessInterrupted(session, () =>
      client.call('files.info', { fileId, accountId }),
    );
    const file = fieldsOf(told);
    const others = (await Promise.all(found.map((one) => otherCopies(client, one)))).flat();
    session.output.object({
      success: true,
      file,
      ...(copies === undefined ? {} : { copies }),
      links: others.map((link) => copyJson(composed, link)),
    });
    const ends = told.expiresAtMs === null ? 'never' : timeText(told.expiresAtMs, clock.wallMs(), session);
    const date =
      file.upload_date === undefined ? {} : { upload_date: givenTimeText(file.upload_date, session) };
    const size = file.size === undefined ? {} : { size: sizeText(file.size, told.sentBytes) };
    const shown = { ...file, ...size, ...date, expiresAt: ends };
    const rows = Object.entries(shown).map(([name, value]) => [name, String(value)]);
    session.output.table(rows);
    const doubt = copiesSentence(copies ?? []);
    if (doubt !== null) session.output.line(typedText(doubt));
    if (others.length > 0) session.output.line('Other links of the same content:');
    const nowMs = clock.wallMs();
    session.output.table(
      others.map((link) => copyCells(session, nowMs, link)),
      { indent: '  ' },
    );
    return exitCodes.done;
  });

/** Throws `bad-use` for a file that no id leads to with the present key. */
const idsOf = ({ ledger }: Composed, found: readonly NamedFile[]): FileId[] =>
  found.map(({ fileId, uploadId, path }) => {
    if (fileId !== null) return fileId;
    const isElsewhere = ledger.uploads.byId(uploadId ?? 0)?.accountId !== ledger.accounts.present();
    throw new AppError(
      'bad-use',
      `${path ?? ''} ${isElsewhere ? 'is in another account than that of the present key' : 'has lost its id to another file'}.`,
      isElsewhere
        ? 'Log in with a key of that account first.'
        : `\`outtray recall ${queueIdText(uploadId ?? 0)}\` shows whether its link is dead.`,
    );
  });

/** Its file is deleted, and its link may still work. */
const isOpen = ({ linkState }: DeleteResult): boolean => linkState !== null && linkState !== 'dead';

export const remove = (
  session: Session,
  given: readonly string[],
  { yes }: { yes?: boolean },
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client } = composed;
    const { output } = session;
    const accountId = composed.ledger.accounts.present();
    const found = await findFiles(session, composed, given, 'service');
    const fileIds = idsOf(composed, found);
    const links = given.flatMap((one) => linkIn(one) ?? []);
    const byLink = fileIds.filter((fileId) => {
      const shown = composed.ledger.remote.byId(fileId)?.public_link ?? '';
      return links.some((link) => isSameLink(link, shown));
    });
    // Read before: a deleted file leaves the list.
    const known = new Map(fileIds.map((fileId) => [fileId, completed(composed.ledger, { fileId })]));
    const fileOf = (fileId: FileId) => fileJson(known.get(fileId) ?? { fileId });
    await askToTakeAway(session, yes, () => ({
      question: questionAbout(composed, found, ['Delete', 'from the account']),
      otherwise: 'Nothing was deleted.',
    }));
    const results = await unlessInterrupted(session, () =>
      client.call('files.delete', { fileIds, byLink, accountId }),
    );
    const [only] = results;
    const isAlone = fileIds.length === 1 && only !== undefined && !isOpen(only);
    for (const result of results) {
      const { fileId, message, error, linkState, againAtMs } = result;
      const link = {
        ...(linkState === null ? {} : { dead: linkState === 'dead', linkState }),
        ...(againAtMs === undefined ? {} : { againAt: isoOrNull(againAtMs) }),
        ...fileOf(fileId),
      };
      if (error === null) {
        output.object({ success: true, message: message ?? '', ...link });
        output.line(`${fileId} deleted`);
      } else if (!isAlone) {
        output.object({ error, ...link });
        output.trouble(`${fileId}: ${error.message}`);
      }
      if (isOpen(result))
        output.trouble(
          `${fileId}: its link ${linkState === 'answers' ? 'still answers' : 'could not be checked'}. \`outtray recall ${fileId}\` checks it again.`,
        );
    }
    if (results.some(isOpen)) return exitCodes.someFailed;
    const failed = results.flatMap((result) => result.error ?? []);
    const [first] = failed;
    if (first === undefined) return exitCodes.done;
    if (isAlone) throw fromWire(first);
    const isSame = failed.length === fileIds.length || results.length < fileIds.length;
    return isSame && isErrorCode(first.code) ? exitCodeOf(first.code) : exitCodes.someFailed;
  });

export const stats = (session: Session): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const view = await unlessInterrupted(session, () => client.call('stats.get', { refresh: true }));
    const { minute, day } = view.budget;
    if (view.service === null) return exitCodes.unreachable;
    session.output.object({ success: true, ...view.service, budget: { minute, day } });
    const { stats: totals, limits, plan } = view.service;
    const rows = [
      ['Plan', plan],
      ['Files', `${totals.total_files}`],
      ['Total size', `${totals.total_size}`],
      ['Largest file allowed', hasNoSizeLimit(view.service) ? 'no limit' : `${limits.max_file_size}`],
      ['Uploads a day', dailyText(view)],
      ['Requests this minute', `${minute.used} of ${minute.limit}`],
      ['Requests in 24 hours', `${day.used} of ${day.limit}`],
    ];
    session.output.table(rows);
    return exitCodes.done;
  });

const dailyText = ({ service, dailyUploads: { used } }: StatsView): string => {
  const limit = dailyUploadsOf(service ?? undefined);
  const own = `${typeof limit === 'number' ? `${used} of ${limit}` : used} by this machine`;
  return limit === 'unlimited' ? `${own}, without a limit` : own;
};
