// `doctor --service`: tests on the service itself what the promises depend on. It uploads files, so it asks first.
import { AppError, toAppError } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { askBefore, canAsk, unlessInterrupted, within, type Session } from '../session.ts';
import { troubleText } from '../output/typed.ts';

const question =
  'This makes about 15 requests to the account: it uploads 4 files (80 kB in all, one of them only in part) and deletes them again. Continue?';

export const trial = async (session: Session, consented: boolean): Promise<ExitCode> => {
  const { output } = session;
  if (!consented) {
    if (!canAsk(session)) {
      const message = 'This uploads and deletes files of the account.';
      throw new AppError('bad-use', message, 'Add --yes to agree.');
    }
    await askBefore(session, question, 'Nothing was done.');
  }
  return within(session, { kind: 'guest' }, async ({ client }) => {
    const checks = await unlessInterrupted(session, () => client.call('app.trial', {})).catch(
      (caught: unknown) => {
        throw session.signal.aborted ? leftOver(toAppError(caught)) : caught;
      },
    );
    for (const check of checks) {
      output.object(check);
      const mark = check.ok === null ? '?' : check.ok ? '✓' : '!';
      output.line(`${mark} ${check.name}: ${troubleText(check)}`);
    }
    return checks.some((check) => check.ok === false) ? exitCodes.wrongUse : exitCodes.done;
  });
};

const leftOver = (error: AppError): AppError =>
  new AppError(
    'aborted',
    'Interrupted.',
    'Files named outtray-check-… may still be in the account: see `outtray list`, then `outtray delete ID`.',
    { cause: error },
  );
