// `follow FILE…` reports downloads of links, `--stop` ends it; `follow` alone lists the followed links. Each prints what
// the checks cost.
import { isoOrNull } from '../../contract/text/formats.ts';
import { isStaying } from '../../adapters/system/lock.ts';
import type { FollowedLink, FollowPrice, FollowResult, FollowWait } from '../../contract/answers.ts';
import { AppError, fromWire } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { troubleText } from '../output/typed.ts';
import { waitText } from '../output/words.ts';
import { namedFrom } from '../named-files.ts';
import { within, type Composed, type Session } from '../session.ts';

export const follow = (
  session: Session,
  given: readonly string[],
  { stop = false }: { stop?: boolean },
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, holder, ledger }) => {
    const { output } = session;
    if (given.length === 0) {
      if (stop)
        throw new AppError(
          'bad-use',
          'No file is named.',
          '`outtray follow` lists the links that are followed.',
        );
      const { links, price } = await client.call('files.followed', {});
      for (const link of links) output.object(fieldsOf(ledger, link));
      const rows = links.map(({ fileId, path, downloads }) => [
        `${fileId}`,
        downloads === null ? 'not asked yet' : `${downloads} ${downloads === 1 ? 'download' : 'downloads'}`,
        output.named(path),
      ]);
      output.table(rows);
      tellPrice(output, price);
      return exitCodes.done;
    }
    const { results, price } = await client.call(stop ? 'files.unfollow' : 'files.follow', {
      files: given.map((one) => namedFrom(session, one)),
    });
    const code = tellResults(session, ledger, results, given, stop ? 'unfollowed' : 'followed');
    tellPrice(output, price);
    if (!stop && !isStaying(holder) && price.links > 0)
      output.note('Links are checked only while Outtray runs.');
    return code;
  });

const tellResults = (
  { output }: Session,
  ledger: Composed['ledger'],
  results: readonly FollowResult[],
  given: readonly string[],
  event: 'followed' | 'unfollowed',
): ExitCode => {
  const failed = results.flatMap(({ error }) => error ?? []);
  if (failed[0] !== undefined && results.length === 1) throw fromWire(failed[0]);
  for (const [index, result] of results.entries()) {
    const { path, link, error } = result;
    const file = fileJson(completed(ledger, { ...result, downloads: link?.downloads ?? null }));
    if (error !== null) {
      output.object({ error, ...file });
      output.trouble(`${given[index] ?? ''}: ${troubleText(error)}`);
      continue;
    }
    output.object({ event, ...file });
    const text =
      event === 'followed'
        ? 'its next download is reported at once, later ones each morning'
        : 'its downloads are no longer reported';
    output.line(`${output.pathText(path ?? '')}: ${text}.`);
  }
  return failed.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

const fieldsOf = (ledger: Composed['ledger'], link: FollowedLink) => ({
  ...fileJson(completed(ledger, link)),
  asOf: isoOrNull(link.asOfMs),
  since: isoOrNull(link.sinceMs),
});

const tellPrice = (
  output: Session['output'],
  { links, requestsPerDay, dayLimit, everyMs, waits }: FollowPrice,
): void => {
  const everySeconds = Math.round(everyMs / 1000);
  output.object({ event: 'price', links, requestsPerDay, dayLimit, everySeconds, waits });
  output.note(
    links === 0
      ? 'No link is followed, so no requests are made.'
      : `${links === 1 ? '1 link is' : `${links} links are`} followed: up to ${requestsPerDay} of ${dayLimit} requests a day, each link every ${waitText(everyMs)}. Nothing is checked while uploads are waiting, or once half of the day’s requests are used.`,
  );
  if (waits !== null) output.note(`The next check is waiting: ${waitTexts[waits]}.`);
};

const waitTexts: Record<FollowWait, string> = {
  requests: 'requests are running low',
  uploads: 'uploads come first',
  service: 'the service cannot be reached now',
};
