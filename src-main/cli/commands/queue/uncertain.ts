// `held` and `resolve`: uploads that wait for a decision, and the files of the service that could be one of them.
import { requireSameAddress } from '../../../adapters/system/same-address.ts';
import { isStaying } from '../../../adapters/system/lock.ts';
import type { Candidate } from '../../../contract/answers.ts';
import { AppError, toWire } from '../../../contract/errors.ts';
import { isUncertain, isUnwanted, type UploadView } from '../../../contract/model.ts';
import { unwantedSentence } from '../../../contract/text/why.ts';
import { exitCodes, type ExitCode } from '../../exit-codes.ts';
import { completed, fileJson, ofView } from '../../../engine/state/file-json.ts';
import { findFiles } from '../../named-files.ts';
import { queueIdText, versionText } from '../../../contract/text/named-file.ts';
import { finishQueued } from '../upload.ts';
import { unlessInterrupted, within, type Session } from '../../session.ts';
import { fileIdsFrom, nameText } from '../../output/words.ts';

const guest = { kind: 'guest' } as const;

export const held = (session: Session): Promise<ExitCode> =>
  within(session, guest, async ({ client, ledger }) => {
    const { output } = session;
    const rows = await client.call('queue.held', {});
    const uncertain = rows.filter(isUncertain);
    // The service is asked only in this case, and only for a program: a person asks with `resolve ID`.
    const candidates =
      output.json && uncertain.length > 0
        ? await unlessInterrupted(session, () => client.call('queue.uncertain', {})).then(
            (found) => (row: UploadView) => ({
              // Null: it is in another account.
              candidates: found.find(({ id }) => id === row.id)?.candidates.map(candidateObject) ?? null,
            }),
            (error: unknown) => () => ({ candidates: null, candidates_error: toWire(error) }),
          )
        : null;
    for (const row of rows) {
      output.object({
        ...fileJson(completed(ledger, ofView(row))),
        version: versionText(row.asOfMs),
        ...heldFields(row),
        ...(isUncertain(row) && candidates !== null ? candidates(row) : {}),
      });
    }
    const cells = rows.map((row) => [queueIdText(row.id, row.asOfMs), reasonText(row), row.path]);
    output.table(cells, { right: [0] });
    if (rows.length === 0) output.note('Nothing is held.');
    if (rows.length > uncertain.length) output.note('`outtray confirm ID` uploads one of them.');
    if (rows.some(({ state }) => state.kind === 'held' && state.removable === true))
      output.note(
        '`outtray confirm --without-location ID` uploads a photo without the place where it was taken.',
      );
    if (uncertain.length > 0) {
      output.note(
        '`outtray resolve ID` shows what the service has for an uncertain one, and lets you decide.',
      );
    }
    return exitCodes.done;
  });

const heldFields = (row: UploadView) => ({
  reason: row.state.kind === 'held' ? row.state.reason : 'uncertain',
  ...(row.state.kind === 'held' && row.state.rule !== undefined
    ? { rule: row.state.rule, line: row.state.line ?? null }
    : {}),
  ...(row.state.kind === 'held' && row.state.removable !== undefined
    ? { removable: row.state.removable }
    : {}),
});

/** Includes the place of the finding: `secret-content: github, line 2`. */
const reasonText = (row: UploadView): string => {
  const { reason, rule, line } = heldFields(row);
  if (rule === undefined) return reason;
  return `${reason}: ${rule}${line === null ? '' : `, line ${line}`}`;
};

const candidateObject = ({ file, sameName, sameSize }: Candidate) => ({
  file_id: file.file_id ?? null,
  filename: file.filename ?? null,
  size: file.size ?? null,
  upload_date: file.upload_date ?? null,
  public_link: file.public_link ?? null,
  same_name: sameName,
  same_size: sameSize,
});

export type ResolveChoice = { adopt?: string; again?: boolean; drop?: boolean };

const choiceOf = ({ adopt, again, drop }: ResolveChoice): 'this-is-it' | 'again' | 'leave' | null => {
  if (adopt !== undefined) return 'this-is-it';
  if (again === true) return 'again';
  return drop === true ? 'leave' : null;
};

/** Without a choice: shows the candidates. */
export const resolve = async (session: Session, given: string, flags: ResolveChoice): Promise<ExitCode> => {
  const ended = await within(session, guest, async (composed) => {
    const { client, holder, ledger } = composed;
    const { output } = session;
    if (flags.again === true) requireSameAddress(composed);
    const [fileId] = flags.adopt === undefined ? [] : fileIdsFrom([flags.adopt]);
    const choice = choiceOf(flags);
    const [found] = await findFiles(session, { client }, [given], 'resolve');
    const id = found?.uploadId ?? 0;
    if (choice === null)
      return show(
        session,
        await unlessInterrupted(session, () => client.call('queue.candidates', { id })),
        id,
      );
    const input = { id, choice, ...(fileId === undefined ? {} : { fileId }) };
    const row = await unlessInterrupted(session, () => client.call('queue.resolve', input));
    const { state, publicLink } = row;
    output.object({ ...fileJson(completed(ledger, ofView(row))), state: state.kind });
    switch (choice) {
      case 'this-is-it':
        if (publicLink === null) throw new AppError('internal', 'The upload has no link.');
        output.line(publicLink);
        return exitCodes.done;
      case 'again':
        output.note(`${nameText(row.name)} is in the queue again.`);
        return isStaying(holder) ? exitCodes.done : { queued: row.id };
      case 'leave':
        if (!isUnwanted(state)) {
          output.line(`${nameText(row.name)} is left out.`);
          return exitCodes.done;
        }
        output.trouble(`${nameText(row.name)}: ${unwantedSentence(state) ?? ''}`);
        return exitCodes.someFailed;
    }
  });
  return typeof ended === 'object' ? await finishQueued(session, [ended.queued]) : ended;
};

const show = ({ output }: Session, candidates: readonly Candidate[], id: number): ExitCode => {
  for (const one of candidates) output.object({ queueId: queueIdText(id), ...candidateObject(one) });
  const rows = candidates.map(({ file, sameName, sameSize }) => [
    String(file.file_id ?? '?'),
    sameName ? 'same name' : '',
    sameSize ? 'same size' : '',
    nameText(file.filename ?? '?'),
    file.public_link ?? '?',
  ]);
  output.table(rows, { right: [0] });
  const found =
    candidates.length === 0 ? 'Nothing on the service looks like it.' : 'Compare them by their links.';
  output.note(
    `${found} \`outtray resolve ${queueIdText(id)} --adopt FILE_ID\` takes one of them, --again uploads the file again, --drop leaves it.`,
  );
  return exitCodes.done;
};
