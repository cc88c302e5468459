// `confirm`, `cancel`, `retry`: what a person wants of uploads. Each named file is answered by itself, and what may go is
// uploaded here unless another process does it.
import { requireSameAddress } from '../../../adapters/system/same-address.ts';
import { isStaying } from '../../../adapters/system/lock.ts';
import { AppError, fromWire, toAppError, toWire, type WireError } from '../../../contract/errors.ts';
import { holdRow, isUnwanted, stateRow, type UploadView } from '../../../contract/model.ts';
import { queueIdText, versionFrom, versionText } from '../../../contract/text/named-file.ts';
import { unwantedSentence } from '../../../contract/text/why.ts';
import type { Entry } from '../../../contract/entries.ts';
import type { Upload } from '../../../engine/ports/uploads.ts';
import { sentenceFor } from '../../../engine/handlers/why.ts';
import { joinPath } from '../../../engine/shared/paths.ts';
import { exitCodes, type ExitCode } from '../../exit-codes.ts';
import { namedFrom, refuseAmbiguous } from '../../named-files.ts';
import { completed, fileJson, ofView } from '../../../engine/state/file-json.ts';
import { troubleText, typedText } from '../../output/typed.ts';
import { bytesText, nameText, timeText } from '../../output/words.ts';
import { askBefore, canAsk, within, type Composed, type Session } from '../../session.ts';
import { finishQueued } from '../upload.ts';

const useOf = { 'queue.confirm': 'confirm', 'queue.retry': 'retry', 'queue.cancel': 'cancel' } as const;
type Want = keyof typeof useOf;
export type WantFlags = { withoutLocation?: boolean; yes?: boolean };

/** A word, and what it names or why it names nothing. */
type Asked = { word: string; id: number; error: WireError | null };

const what = { 'queue.cancel': 'cancelled', 'queue.confirm': 'queued', 'queue.retry': 'queued again' };

export const decide = async (
  session: Session,
  want: Want,
  given: readonly string[],
  flags: WantFlags = {},
): Promise<ExitCode> => {
  const { output } = session;
  const { code, queued, isServed } = await within(session, { kind: 'guest' }, async (composed) => {
    const { client, holder, ledger } = composed;
    if (want !== 'queue.cancel') requireSameAddress(composed);
    const asked = await askedBy(composed, session, given, useOf[want]);
    const yes = want === 'queue.confirm' ? await askYes(session, composed, asked, flags) : {};
    const { withoutLocation } = flags;
    const ids = asked.filter(({ error }) => error === null).map(({ id }) => id);
    const call = (some: readonly number[]): Promise<UploadView[]> => {
      switch (want) {
        case 'queue.confirm':
          return client.call(want, {
            ids: [...some],
            ...yes,
            ...(withoutLocation === true ? { withoutLocation } : {}),
          });
        case 'queue.retry':
          return client.call(want, given.length === 0 ? {} : { ids: [...some] });
        case 'queue.cancel':
          return client.call(want, { ids: [...some] });
      }
    };
    const isOne = given.length === 1;
    const [wrong] = asked.flatMap(({ error }) => error ?? []);
    if (isOne && wrong !== undefined) throw fromWire(wrong);
    const rows =
      given.length > 0 && ids.length === 0
        ? []
        : await call(ids).catch((error: unknown) => {
            if (isOne || !isAboutOne(error)) throw error;
            return [];
          });
    const done = new Set(rows.map(({ id }) => id));
    for (const one of asked) {
      if (one.error !== null || done.has(one.id)) continue;
      // Asked for alone, it says why.
      await call([one.id]).then(
        (more) => rows.push(...more),
        (error: unknown) => {
          if (!isAboutOne(error)) throw error;
          one.error = toWire(toAppError(error));
        },
      );
    }
    for (const row of rows)
      output.object({ ...fileJson(completed(ledger, ofView(row))), state: row.state.kind });
    for (const { word, id, error } of asked) {
      if (error === null) continue;
      output.object({ error, ...fileJson(completed(ledger, { uploadId: id === 0 ? null : id })) });
      output.trouble(`${output.pathText(word)}: ${troubleText(error)}`);
    }
    // A file skipped for another reason may look like a secret: it is held first, and the user decides.
    const held = rows.filter(({ state }) => state.kind === 'held');
    const open = rows.filter(({ state }) => isUnwanted(state));
    const kept = rows.filter(({ state }) => want === 'queue.retry' && stateRow(state.kind).phase === 'final');
    const changed = rows.filter((row) => ![...held, ...open, ...kept].includes(row));
    for (const { name, state } of kept)
      output.note(
        `${nameText(name)} is not taken back: ${stateRow(state.kind).hasLink === true ? 'its link stays' : 'the service has deleted it already'}.`,
      );
    for (const { name, state } of open) output.trouble(`${nameText(name)}: ${unwantedSentence(state) ?? ''}`);
    const isServed = isStaying(holder);
    const tell = want === 'queue.cancel' ? output.line : output.note;
    if (changed.length > 0 || (held.length + open.length + kept.length === 0 && rows.length > 0))
      tell(`${changed.length} ${changed.length === 1 ? 'file' : 'files'} ${what[want]}.`);
    for (const row of held) {
      const isSecret = row.state.kind === 'held' && row.state.reason === 'secret-name';
      output.trouble(
        `${nameText(row.name)} is held${isSecret ? ': the name looks like a secret' : ' as before'}. \`outtray confirm ${queueIdText(row.id, row.asOfMs)}\` uploads it anyway.`,
      );
    }
    if (want === 'queue.retry' && given.length === 0) {
      const { failedTotal } = await client.call('queue.get', { limit: 1 });
      if (failedTotal > 0)
        output.trouble(
          `${failedTotal === 1 ? '1 upload' : `${failedTotal} uploads`} cannot be tried again: there is no longer a regular file at the path. \`outtray queue --failed\` has the list.`,
        );
      else if (rows.length === 0) output.note('Nothing has failed.');
    }
    // One that is still being sent stops in a moment.
    const unknown = open.filter(({ state }) => stateRow(state.kind).wasSent === true);
    const refused = asked.filter(({ error }) => error !== null);
    return {
      code: refused.length + held.length + unknown.length > 0 ? exitCodes.someFailed : exitCodes.done,
      queued: want === 'queue.cancel' ? [] : changed.map(({ id }) => id),
      isServed,
    };
  });
  if (queued.length === 0 || isServed) return code;
  const end = await finishQueued(session, queued);
  return end === exitCodes.done ? code : end;
};

const isAboutOne = (error: unknown): boolean =>
  ['bad-use', 'uncertain', 'not-found'].includes(toAppError(error).code);

/** Throws `ambiguous`: then nothing is done about the others either. */
const askedBy = async (
  { client }: Composed,
  session: Session,
  given: readonly string[],
  use: (typeof useOf)[Want],
): Promise<Asked[]> => {
  if (given.length === 0) return [];
  const files = given.map((one) => namedFrom(session, one));
  const found = await client.call('files.find', { files, use });
  refuseAmbiguous(found);
  const asked = found.map(({ uploadId, error }, at) => ({ word: given[at] ?? '', id: uploadId ?? 0, error }));
  return asked.filter(({ id }, at) => id === 0 || asked.findIndex((one) => one.id === id) === at);
};

/** More are counted. */
const mostAsked = 20;

/**
 * A yes is for the version that a person has seen: named as `q4@m1k3f9`, or shown here with a question. Without a
 * terminal, an id alone means the only version that was asked about. Sets the error of those that are another version.
 */
const askYes = async (
  session: Session,
  composed: Composed,
  asked: readonly Asked[],
  { yes = false }: WantFlags,
): Promise<{ asOfMs?: number }> => {
  const { ledger } = composed;
  const shown: Upload[] = [];
  let asOfMs = 0;
  for (const one of asked) {
    const row = one.error === null ? ledger.uploads.byId(one.id) : null;
    if (row === null) continue;
    const { changedAtMs, state } = row;
    const version = versionFrom(one.word);
    const isOther =
      version === null
        ? !yes && !canAsk(session) && hasOtherVersion(ledger.entries.ofUpload(row.id, 100), row)
        : version !== versionText(changedAtMs);
    if (isOther) one.error = toWire(anotherVersion(row, version !== null));
    else asOfMs = Math.max(asOfMs, changedAtMs);
    if (version === null && state.kind === 'held') shown.push(row);
  }
  if (shown.length > 0 && !yes && canAsk(session))
    await askBefore(session, questionOf(session, composed, shown), 'Nothing was confirmed.');
  return { asOfMs };
};

/**
 * It was written again after it was asked about, or asked about more than once since the last answer: an id alone may mean
 * an earlier version. `told`: the entries of the row, oldest first.
 */
export const hasOtherVersion = (
  told: readonly Pick<Entry, 'body'>[],
  { state }: Pick<Upload, 'state'>,
): boolean => {
  if (state.kind !== 'held') return false;
  const since = told
    .slice(told.findLastIndex(({ body }) => body.kind === 'confirmed') + 1)
    .filter(({ body }) => body.kind === 'held' && holdRow(body.reason).wasUnderWay !== true);
  return state.isRewritten === true || since.length > 1;
};

const anotherVersion = ({ id, changedAtMs }: Upload, isNamed: boolean): AppError =>
  new AppError(
    'bad-use',
    `Upload ${queueIdText(id)} has changed ${isNamed ? 'in the meantime' : 'since it was first held'}.`,
    `Look at it again. \`outtray confirm ${queueIdText(id, changedAtMs)}\` uploads it as it is now.`,
  );

const questionOf = (session: Session, { clock, engine }: Composed, rows: readonly Upload[]): string => {
  const status = { ...engine.status(), running: false };
  const lines = rows.slice(0, mostAsked).map(({ dir, name, stamp, state }) => {
    const about =
      stamp === null
        ? ''
        : ` (${bytesText(stamp.sizeBytes)}, ${timeText(stamp.mtimeMs, clock.wallMs(), session)})`;
    const why = typedText(sentenceFor(state, null, status));
    return `${session.output.pathText(joinPath(dir, name))}${about}. ${why}`;
  });
  if (rows.length === 1) return `${lines.join('')} Upload it?`;
  const more = rows.length > mostAsked ? `\n  and ${rows.length - mostAsked} more` : '';
  return `Upload these ${rows.length} files?\n${lines.map((line) => `  ${line}`).join('\n')}${more}`;
};
