// `recall FILE…` takes links back and reports for each whether it is dead; `expire FILE… WHEN` sets when they end.
import { isStaying } from '../../adapters/system/lock.ts';
import { AppError, fromWire, toWire } from '../../contract/errors.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import type { RecallResult } from '../../contract/answers.ts';
import type { CommandAnswer } from '../../contract/commands.ts';
import type { Named } from '../../contract/text/named-file.ts';
import { isTakenBack } from '../../contract/model.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { troubleText } from '../output/typed.ts';
import { expiryFrom, lastedText, timeText } from '../output/words.ts';
import { namedFrom, questionAbout, refuseAmbiguous } from '../named-files.ts';
import { askToTakeAway, canAsk, unlessInterrupted, within, type Composed, type Session } from '../session.ts';
import { recalledFields } from '../../engine/state/event-json.ts';

/** As many rows as `files.page` gives. */
const pageRows = 500;

/** Of one call. */
const mostRecalled = 10_000;

export const nothingTakenBack = 'No link was taken back.';

export type RecallFlags = { yes?: boolean; olderThan?: string; neverDownloaded?: boolean };

export const recall = (session: Session, given: readonly string[], flags: RecallFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client } = composed;
    const { words, unread, isAll } = await wordsFor(session, composed, given, flags);
    for (const file of unread) tellUnread(session, composed.ledger, file);
    if (!isAll) session.output.trouble(`These are the first ${mostRecalled}: run it again for the others.`);
    const isWhole = unread.length === 0 && isAll;
    if (words.length === 0) {
      session.output.note('There is no such link.');
      return isWhole ? exitCodes.done : exitCodes.someFailed;
    }
    const asked = await client.call('files.find', { files: words, use: 'link' });
    refuseAmbiguous(asked);
    const found = asked.filter(({ error }) => error === null);
    // What was asked about is what is taken back, whatever the words mean by then.
    const files = words.map((word, at): Named => {
      const uploadId = asked[at]?.uploadId ?? null;
      return uploadId === null ? word : { queueId: uploadId };
    });
    await askToTakeAway(session, flags.yes, () =>
      found.length === 0
        ? null
        : {
            question: questionAbout(composed, found, ['Take back', 'for good']),
            otherwise: nothingTakenBack,
          },
    );
    const results = await unlessInterrupted(session, () => client.call('files.recall', { files }));
    const [first] = results.flatMap(({ recalled, error }) => (recalled === null ? (error ?? []) : []));
    if (first !== undefined && results.length === 1) throw fromWire(first);
    const areDead = tellRecalled(session, composed.ledger, results, given);
    return areDead && isWhole ? exitCodes.done : exitCodes.someFailed;
  });

/** `unread`: how often these were downloaded is not known now. `isAll`: these are not only the first ones. */
type Words = { words: Named[]; unread: { uploadId: number; path: string | null }[]; isAll: boolean };

/** The named files, or those of a certain age. Throws `bad-use` for both, or neither. */
const wordsFor = async (
  session: Session,
  { client, clock, ledger }: Composed,
  given: readonly string[],
  { yes, olderThan, neverDownloaded }: RecallFlags,
): Promise<Words> => {
  const isByAge = olderThan !== undefined;
  if (isByAge === given.length > 0 || (neverDownloaded === true && !isByAge))
    throw new AppError(
      'bad-use',
      'It is not clear what to take back.',
      'Name files, or give --older-than 30d.',
    );
  if (!isByAge) return { words: given.map((one) => namedFrom(session, one)), unread: [], isAll: true };
  // Nothing that goes is named, so without a terminal the consent has to be given.
  if (yes !== true && !canAsk(session))
    throw new AppError('bad-use', 'No one can be asked here.', 'Give --yes to take back all of them.');
  const wish = expiryFrom(olderThan, clock.wallMs());
  if (wish === 'never' || !('afterMs' in wish))
    throw new AppError('bad-use', `${olderThan} is not a span of time.`, 'Give 30d or 12h, for example.');
  const untilMs = clock.wallMs() - wish.afterMs;
  const startMs = clock.wallMs();
  if (neverDownloaded === true) await unlessInterrupted(session, () => client.call('files.refresh', {}));
  const words: Named[] = [];
  const unread: Words['unread'] = [];
  for (let after: string | null = null; ;) {
    const query = {
      search: '',
      place: 'ours',
      sort: 'uploaded',
      descending: false,
      limit: pageRows,
    } as const;
    const page: CommandAnswer<'files.page'> = await client.call('files.page', { ...query, after });
    for (const { uploadId, fileId, path, publicLink, uploadedAtMs, downloads } of page.rows) {
      if (uploadId === null || publicLink === null || uploadedAtMs === null || uploadedAtMs > untilMs)
        continue;
      const row = ledger.uploads.byId(uploadId);
      if (row === null || isTakenBack(row.state)) continue;
      // The list may not have been read whole, so an earlier count does not count.
      const isRead = fileId !== null && (ledger.remote.byId(fileId)?.seenAtMs ?? 0) >= startMs;
      if (neverDownloaded === true && !isRead) unread.push({ uploadId, path });
      else if (neverDownloaded !== true || downloads === 0) words.push({ queueId: uploadId });
    }
    const isAll = words.length <= mostRecalled;
    if (page.next === null || !isAll) return { words: words.slice(0, mostRecalled), unread, isAll };
    after = page.next;
  }
};

const tellUnread = ({ output }: Session, ledger: Composed['ledger'], file: Words['unread'][number]): void => {
  const error = toWire(
    new AppError(
      'interrupted',
      'It is not known how often it was downloaded: the list did not show it now.',
      'Run it again later.',
    ),
  );
  output.object({ error, ...fileJson(completed(ledger, file)) });
  output.trouble(`${output.pathText(file.path ?? '')}: ${troubleText(error)}`);
};

/** Prints the result for each link, errors under the name in `given`. Returns whether all are dead. */
export const tellRecalled = (
  { output }: Session,
  ledger: Parameters<typeof completed>[0],
  results: readonly RecallResult[],
  given: readonly string[],
): boolean => {
  /** A file may be named twice, by its id and by its path. Its id may have been another file's before. */
  const told = new Set<string>();
  for (const [index, result] of results.entries()) {
    const { path, recalled, error } = result;
    if (recalled !== null) {
      if (told.has(recalled.publicLink)) continue;
      told.add(recalled.publicLink);
      output.object({
        event: 'recalled',
        ...fileJson(completed(ledger, { path, ...recalled })),
        ...recalledFields(recalled),
        ...(error === null ? {} : { error }),
      });
      (recalled.dead ? output.line : output.trouble)(textOf(result, output));
    } else if (error !== null) {
      output.object({ error, ...fileJson(completed(ledger, result)) });
      output.trouble(`${given[index] ?? output.pathText(path ?? '')}: ${troubleText(error)}`);
    }
  }
  return results.every(({ recalled }) => recalled?.dead === true);
};

export const expire = (session: Session, given: readonly string[]): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock, holder, ledger }) => {
    const { output } = session;
    const names = given.slice(0, -1);
    const nowMs = clock.wallMs();
    const when = given.at(-1) ?? '';
    if (/^now$/i.test(when))
      throw new AppError(
        'bad-use',
        'Ending a link now means recalling it.',
        '`outtray recall FILE` does it at once, and proves that the link is dead.',
      );
    const wish = expiryFrom(when, nowMs);
    if (names.length === 0)
      throw new AppError(
        'bad-use',
        'No file was named.',
        'Name the files, then the time: `outtray expire report.pdf 7d`.',
      );
    const results = await client.call('files.expire', {
      files: names.map((one) => namedFrom(session, one)),
      expire: wish,
    });
    for (const [index, result] of results.entries()) {
      const { path, expiresAtMs, error } = result;
      const file = fileJson(completed(ledger, result));
      if (error === null) {
        output.object(file);
        const when = expiresAtMs === null ? 'never ends' : `ends ${timeText(expiresAtMs, nowMs, session)}`;
        output.line(
          `${output.pathText(path ?? '')}: ${result.publicLink === null ? 'this applies once it has a link' : `its link ${when}`}.`,
        );
      } else if (results.length > 1) {
        output.object({ error, ...file });
        output.trouble(`${names[index] ?? ''}: ${troubleText(error)}`);
      }
    }
    if (wish !== 'never' && !isStaying(holder) && results.some(({ error }) => error === null))
      output.note('Outtray must be running then; otherwise the link expires when it next starts.');
    const [first] = results.flatMap(({ error }) => error ?? []);
    if (first === undefined) return exitCodes.done;
    if (results.length === 1) throw fromWire(first);
    return exitCodes.someFailed;
  });

const textOf = ({ path, recalled, error }: RecallResult, { pathText }: Session['output']): string => {
  if (recalled === null) return '';
  const name = pathText(path ?? recalled.publicLink);
  const { publicSeconds, downloads, look } = recalled;
  const times = downloads === null ? '' : `, downloaded ${downloads === 1 ? 'once' : `${downloads} times`}`;
  const past = `It was public for ${lastedText(publicSeconds * 1000)}${times}.`;
  if (error !== null) return `${name}: ${troubleText(error)} ${past}`;
  switch (linkStateOf(recalled)) {
    case 'dead':
      return `${name}: recalled, the link is dead. ${past}`;
    case 'answers':
      return `${name}: the service does not have the file, but ${recalled.publicLink} still answers. ${past} Run it again later.`;
    case 'not-proven': {
      const why = look !== undefined && 'noAnswer' in look ? `: ${look.noAnswer}` : '.';
      return `${name}: the service does not have the file, but ${recalled.publicLink} could not be checked${why} ${past} Run it again later.`;
    }
  }
};
