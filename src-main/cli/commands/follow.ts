// `follow FILE…` tells of downloads of links, `unfollow` ends it; `follow` alone lists what is followed. Each says what
// the checks cost.
import type { FollowedLink, FollowPrice, FollowResult, FollowWait } from '../../contract/commands.ts';
import { fromWire } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { isoOrNull, nameText, table } from '../output/words.ts';
import { namedFrom } from '../named-files.ts';
import { within, type Session } from '../session.ts';
import { spanInWords } from './recall.ts';

export const follow = (session: Session, given: readonly string[]): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, holder }) => {
    const { output } = session;
    if (given.length === 0) {
      const { links, price } = await client.call('files.followed', {});
      for (const link of links) output.object(fieldsOf(link));
      const rows = links.map(({ fileId, path, downloads }) => [
        `${fileId}`,
        downloads === null ? '–' : `${downloads}`,
        nameText(path),
      ]);
      for (const line of table(rows)) output.line(line);
      tellPrice(output, price);
      return exitCodes.done;
    }
    const { results, price } = await client.call('files.follow', {
      files: given.map((one) => namedFrom(session, one)),
    });
    const code = tellResults(session, results, given, 'followed');
    tellPrice(output, price);
    if (holder === null && price.links > 0) output.note('Links are checked while Outtray runs.');
    return code;
  });

export const unfollow = (session: Session, given: readonly string[]): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const { results, price } = await client.call('files.unfollow', {
      files: given.map((one) => namedFrom(session, one)),
    });
    const code = tellResults(session, results, given, 'unfollowed');
    tellPrice(session.output, price);
    return code;
  });

const tellResults = (
  { output }: Session,
  results: readonly FollowResult[],
  given: readonly string[],
  event: 'followed' | 'unfollowed',
): ExitCode => {
  const failed = results.flatMap(({ error }) => error ?? []);
  if (failed[0] !== undefined && results.length === 1) throw fromWire(failed[0]);
  for (const [index, { fileId, path, publicLink, link, error }] of results.entries()) {
    if (error !== null) {
      output.object({ error, file_id: fileId, path });
      output.trouble(`${given[index] ?? ''}: ${error.message} ${error.remedy}`);
      continue;
    }
    const downloads = link === null ? {} : { downloads: link.downloads };
    output.object({ event, file_id: fileId, path, public_link: publicLink, ...downloads });
    const text =
      event === 'followed'
        ? 'its next download is told at once, further ones each morning'
        : 'its downloads are no longer told';
    output.line(`${nameText(path ?? '')}: ${text}.`);
  }
  return failed.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

const fieldsOf = ({ fileId, path, publicLink, downloads, asOfMs, sinceMs }: FollowedLink) => ({
  file_id: fileId,
  path,
  public_link: publicLink,
  downloads,
  asOf: isoOrNull(asOfMs),
  since: isoOrNull(sinceMs),
});

const tellPrice = (
  output: Session['output'],
  { links, requestsPerDay, dayLimit, everyMs, waits }: FollowPrice,
): void => {
  const everySeconds = Math.round(everyMs / 1000);
  output.object({ event: 'price', links, requestsPerDay, dayLimit, everySeconds, waits });
  output.note(
    links === 0
      ? 'No link is followed, so nothing is asked.'
      : `${links === 1 ? '1 link is' : `${links} links are`} followed: up to ${requestsPerDay} of ${dayLimit} requests a day, each link every ${spanInWords(everySeconds)}. No check is made while uploads wait, or once half of the day’s requests are used.`,
  );
  if (waits !== null) output.note(`The check that is due waits: ${waitTexts[waits]}.`);
};

const waitTexts: Record<FollowWait, string> = {
  requests: 'the requests are short',
  uploads: 'uploads come first',
  service: 'the service cannot be asked now',
};
