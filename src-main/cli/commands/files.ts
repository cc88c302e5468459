// `list`, `info`, `delete`, `stats`: the service's fields under the service's names.
import type { FileId } from '../../contract/text/file-id.ts';
import { fromWire, isErrorCode } from '../../contract/errors.ts';
import type { ListedFile, NamedFile } from '../../contract/commands.ts';
import { copiesSentence } from '../../engine/handlers/why.ts';
import { exitCodeFor, exitCodes, type ExitCode } from '../exit-codes.ts';
import { columnsOfStream, fileLines, type FileCells } from '../output/layout.ts';
import { findFiles } from '../named-files.ts';
import { askBefore, canAsk, unlessInterrupted, within, type Session } from '../session.ts';
import { isoOrNull, nameText, table, timeText, wholeFrom, type InLocale } from '../output/words.ts';

export const list = (
  session: Session,
  flags: { page?: string; limit?: string; all?: boolean },
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock }) => {
    const { output } = session;
    const limit =
      flags.limit === undefined
        ? undefined
        : wholeFrom(flags.limit, 'A page size', 'Give --limit 50, for example.');
    let page =
      flags.page === undefined
        ? undefined
        : wholeFrom(flags.page, 'A page number', 'The first page is --page 1.');
    const columns = columnsOfStream(session.stdout);
    let shown = 0;
    for (;;) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      const { files, pagination } = await unlessInterrupted(session, () => client.call('files.list', query));
      output.object({ success: true, files: files.map(fieldsOf), pagination });
      const cells = files.map((file) => cellsOf(file, clock.wallMs(), session));
      const lines =
        columns === null
          ? table(
              cells.map(({ id, size, date, downloads, name, link, expires }) => [
                id,
                size,
                date,
                downloads,
                nameText(name),
                link,
                ...(expires === '' ? [] : [`expires ${expires}`]),
              ]),
              [0, 1, 3],
            )
          : cells.length === 0
            ? []
            : fileLines(cells, columns);
      output.lines(lines);
      shown += files.length;
      const isLast = pagination.page >= pagination.pages;
      if (flags.all !== true || isLast) {
        output.note(
          `${shown} of ${pagination.total} files, page ${pagination.page} of ${Math.max(1, pagination.pages)}.`,
        );
        return exitCodes.done;
      }
      page = (page ?? pagination.page) + 1;
    }
  });

/** The service's fields, and our own beside them. */
const fieldsOf = ({ expiresAtMs, ...file }: ListedFile) => ({ ...file, expiresAt: isoOrNull(expiresAtMs) });

const cellsOf = (file: ListedFile, nowMs: number, where: InLocale): FileCells => ({
  id: String(file.file_id ?? '?'),
  // The unit of the service's sizes is not specified (service.md §2): the number as it is.
  size: String(file.size ?? '?'),
  date: file.upload_date ?? '?',
  downloads: file.download_count === undefined ? '?' : String(file.download_count),
  name: file.filename ?? '?',
  link: file.public_link ?? '?',
  expires: file.expiresAtMs === null ? '' : timeText(file.expiresAtMs, nowMs, where),
});

export const info = (session: Session, given: string): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock }) => {
    const [fileId = 0] = idsOf(await findFiles(session, { client }, [given], 'service'));
    const { copies, ...told } = await unlessInterrupted(session, () => client.call('files.info', { fileId }));
    const file = fieldsOf(told);
    session.output.object({ success: true, file, ...(copies === undefined ? {} : { copies }) });
    const ends = told.expiresAtMs === null ? 'never' : timeText(told.expiresAtMs, clock.wallMs(), session);
    const rows = Object.entries({ ...file, expiresAt: ends }).map(([name, value]) => [name, String(value)]);
    for (const line of table(rows)) session.output.line(line);
    const doubt = copiesSentence(copies ?? []);
    if (doubt !== null) session.output.line(doubt);
    return exitCodes.done;
  });

const idsOf = (found: readonly NamedFile[]): FileId[] => found.flatMap(({ fileId }) => fileId ?? []);

export const remove = (session: Session, given: readonly string[], isAgreed: boolean): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, ledger }) => {
    const { output } = session;
    const fileIds = idsOf(await findFiles(session, { client }, given, 'service'));
    if (!isAgreed && canAsk(session)) {
      const [first = 0] = fileIds;
      const name = ledger.remote.byId(first)?.filename ?? ledger.uploads.byFileId(first)?.name;
      const one = name === undefined ? `file ${first}` : `file ${first}, ${nameText(name)}`;
      const what = fileIds.length === 1 ? one : `${fileIds.length} files`;
      await askBefore(
        session,
        `Delete ${what}, from the account? The link stops working.`,
        'Nothing was deleted.',
      );
    }
    const results = await unlessInterrupted(session, () => client.call('files.delete', { fileIds }));
    for (const { fileId, message, error, dead } of results) {
      if (error === null) {
        output.object({ success: true, message: message ?? '', file_id: fileId });
        output.line(`${fileId} deleted`);
        if (dead === false)
          output.trouble(`${fileId}: the link still answers. \`outtray recall ${fileId}\` asks it again.`);
      } else if (results.length > 1) {
        output.object({ error, file_id: fileId });
        output.trouble(`${fileId}: ${error.message}`);
      }
    }
    const failed = results.flatMap((result) => result.error ?? []);
    const [first] = failed;
    if (first === undefined) return exitCodes.done;
    if (results.length === 1 && fileIds.length === 1) throw fromWire(first);
    const isSame = failed.length === fileIds.length || results.length < fileIds.length;
    return isSame && isErrorCode(first.code) ? exitCodeFor[first.code] : exitCodes.someFailed;
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
      ['Largest file allowed', `${limits.max_file_size}`],
      ['Uploads a day', `${view.dailyUploads.used} of ${limits.daily_uploads} by this machine`],
      ['Requests this minute', `${minute.used} of ${minute.limit}`],
      ['Requests in 24 hours', `${day.used} of ${day.limit}`],
    ];
    for (const line of table(rows)) session.output.line(line);
    return exitCodes.done;
  });
