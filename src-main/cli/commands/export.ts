// Commands that write a file for the user. `export`: everything that the ledger knows about files, one row or object
// each, read and written page by page, so that memory never holds all of it. `doctor --bundle`: the diagnostics.
import { isoOrNull } from '../../contract/text/formats.ts';
import { dirname } from 'node:path';
import type { Texts } from '../../adapters/drives/messages.ts';
import { createDiagnosis } from '../../adapters/log/diagnostic-text.ts';
import { version } from '../../adapters/version.ts';
import type { CommandAnswer } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import { isBusy, stateRow, type UploadState } from '../../contract/model.ts';
import type { ExportedFile } from '../../contract/report.ts';
import { watchedPaths } from '../../contract/settings.ts';
import { byteOrderMark, csvLine } from '../../contract/text/csv.ts';
import { relativeTo } from '../../engine/shared/paths.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { fileJson } from '../../engine/state/file-json.ts';
import { jsonLine } from '../output/output.ts';
import { printable } from '../../contract/text/printable.ts';
import { pathFrom } from '../output/words.ts';
import { within, type Session, type Composed } from '../session.ts';

export type ExportFlags = { format?: 'csv' | 'json'; output?: string; force?: boolean };
type Form = NonNullable<ExportFlags['format']>;

export const exportFiles = (session: Session, flags: ExportFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { output } = session;
    const form = formOf(session, flags);
    const file = flags.output === undefined ? null : pathFrom(flags.output, session);
    if (file === null) {
      await copy(session, composed, form, async (lines) => {
        // A terminal would act on control characters in names, so they are made printable.
        output.raw(session.stdout.isTTY === true ? lines.map(printedLine).join('') : lines.join(''));
        await output.drained(session.signal);
      });
      return exitCodes.done;
    }
    await refusePublic(composed, file);
    const files = await writing(composed.texts, file, flags.force === true, (write) =>
      copy(session, composed, form, write),
    );
    output.object({ output: file, files });
    output.note(`${files} files written to ${file}.`);
    return exitCodes.done;
  });

const formOf = ({ output }: Session, { format, output: file }: ExportFlags): Form => {
  if (output.json && format === 'csv' && file === undefined)
    throw new AppError('bad-use', '--json prints JSON only.', 'Leave it out, or give --output FILE.');
  return format ?? (output.json ? 'json' : 'csv');
};

/** Returns how many files there are. */
const copy = async (
  { signal, output }: Session,
  { client }: Composed,
  form: Form,
  write: (lines: readonly string[]) => Promise<void>,
): Promise<number> => {
  let count = 0;
  if (form === 'csv') await write([byteOrderMark + csvLine(columns)]);
  for (let after: string | null = null; ;) {
    if (signal.aborted) throw new AppError('aborted', 'Stopped; what was written is incomplete.');
    const page: CommandAnswer<'report.export'> = await client.call('report.export', { after });
    await write(page.files.map((file) => output.clean(lineOf(output, file, form))));
    count += page.files.length;
    if (page.next === null) return count;
    after = page.next;
  }
};

/** Columns of the table, and keys of the objects. */
const columns = [
  'file_id',
  'queueId',
  'filename',
  'path',
  'public_link',
  'sizeBytes',
  'sha256',
  'uploadedAt',
  'expiresAt',
  'downloads',
  'recalledAt',
  'state',
  'reason',
  'inside',
  'size',
  'upload_date',
] as const;

const lineOf = ({ isMade }: Session['output'], file: ExportedFile, form: Form): string => {
  const cells: Record<(typeof columns)[number], string | number | null> = {
    ...fileJson(file),
    ...(file.path !== null && isMade(file.path) ? { path: null } : {}),
    recalledAt: isoOrNull(file.recalledAtMs),
    state: stateOf(file),
    reason: file.state === null ? null : reasonOf(file.state),
    inside: file.inside,
    // The values as the service reports them: the unit of its sizes is not specified (service.md §2).
    size: file.told.size ?? null,
    upload_date: file.told.upload_date ?? null,
  };
  return form === 'json' ? `${jsonLine(cells)}\n` : csvLine(columns.map((column) => cells[column]));
};

/** Our own terms for a file of another account, one that the service has lost, and one that another machine uploaded. */
const stateOf = ({ state, isGone, isOther }: ExportedFile): string => {
  if (isOther) return 'other-account';
  const isOffered = state === null || stateRow(state.kind).hasLink === true;
  return isGone && isOffered ? 'gone-from-service' : (state?.kind ?? 'elsewhere');
};

const reasonOf = (state: UploadState): string | null => {
  switch (state.kind) {
    case 'waiting':
    case 'held':
      return state.reason;
    case 'uncertain':
      return isBusy(state) ? 'busy' : null;
    case 'skipped':
      return state.rule;
    case 'failed':
      return state.code;
    case 'recalled':
      if (!state.dead) return linkStateOf(state) === 'answers' ? 'still-answers' : 'not-proven';
      return state.isExpired === true ? 'expired' : null;
    default:
      return null;
  }
};

/** `doctor --bundle FILE`: the text that the window shows and saves under Diagnostics. */
export const bundle = (session: Session, name: string): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { output } = session;
    const text = await createDiagnosis(composed, version)();
    const file = pathFrom(name, session);
    await refusePublic(composed, file);
    await writing(composed.texts, file, false, async (write) => {
      await write([text]);
      return 1;
    });
    output.object({ bundle: file });
    output.note(`Written to ${file}. Check it before you pass it on: it contains file names and links.`);
    return exitCodes.done;
  });

const printedLine = (line: string): string =>
  `${printable(line.replace(/\r?\n$/, '').replace(byteOrderMark, ''))}\n`;

/** In a watched folder the list of all links would be uploaded and become public. */
const refusePublic = async ({ settings, paths }: Composed, file: string): Promise<void> => {
  const dir = await paths.realFolder(dirname(file));
  const roots = await Promise.all(
    // If a folder's drive does not answer, its path from the settings is compared.
    watchedPaths(settings.current()).map((path) => paths.realFolder(path).catch(() => path)),
  );
  if (!roots.some((root) => dir === root || relativeTo(root, dir) !== null)) return;
  throw new AppError(
    'bad-use',
    'This file would be in a watched folder and become public.',
    'Choose a file elsewhere.',
  );
};

/** Without `force` an existing file is not touched; with it, the file is replaced once the new one is complete. */
const writing = async (
  texts: Texts,
  file: string,
  force: boolean,
  act: (write: (lines: readonly string[]) => Promise<void>) => Promise<number>,
): Promise<number> => {
  const text = await texts.create(file, force);
  try {
    const count = await act((lines) => text.write(lines.join('')));
    await text.finish();
    return count;
  } catch (error) {
    await text.discard();
    throw error;
  }
};
