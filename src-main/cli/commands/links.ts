// `link NAME`, and `--open`: links that this machine knows. `card FILE…`: all facts about them.
import { createLinkCheck } from '../../adapters/api/links.ts';
import { openAddress } from '../../adapters/system/opener.ts';
import { AppError, fromWire } from '../../contract/errors.ts';
import { isTakenBack } from '../../contract/model.ts';
import { cardRows, cardText, type CardForm } from '../../contract/text/card.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { findFiles, namedFrom } from '../named-files.ts';
import { within, type Session, type Composed } from '../session.ts';

/** A user who opens more does so by mistake. */
const maxOpened = 10;

/** Prints the link of a file, and opens it if that is wanted. */
export const link = (session: Session, given: string, flags: { open?: boolean }): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { uploads, remote } = composed.ledger;
    const [found] = await findFiles(session, composed, [given], 'service');
    const { uploadId, fileId, path } = found ?? { uploadId: null, fileId: null, path: null };
    const row = uploadId === null ? null : uploads.byId(uploadId);
    const other = fileId === null ? null : remote.byId(fileId);
    const publicLink = row?.publicLink ?? other?.public_link ?? null;
    if (other?.gone === true)
      throw new AppError(
        'not-found',
        `The last list of the service did not show the file of ${given}: it may have been deleted there.`,
        '`outtray list --all` looks again; `outtray upload --again FILE` gives it another link.',
      );
    if (publicLink === null || (row !== null && isTakenBack(row.state)))
      throw new AppError(
        'not-found',
        `No link to ${given} is known here.`,
        '`outtray list --all` asks the service.',
      );
    session.output.object(fileJson(completed(composed.ledger, { uploadId, fileId, publicLink, path })));
    session.output.line(publicLink);
    if (flags.open === true) await openLinks(session, composed, [publicLink]);
    return exitCodes.done;
  });

/** Prints a release card, complete or not at all: a card that lacks a file would mislead. */
export const card = (session: Session, given: readonly string[], form: CardForm): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const { output } = session;
    const results = await client.call('files.card', { files: given.map((one) => namedFrom(session, one)) });
    const [first] = results.flatMap(({ error }) => error ?? []);
    if (first !== undefined) throw fromWire(first);
    const files = results.flatMap((result) => result.card ?? []);
    if (form === 'json') for (const row of cardRows(files)) output.object(row);
    else output.object({ format: form, card: cardText(files, form, 'en') });
    output.formed(cardText(files, form, 'en'));
    return exitCodes.done;
  });

/** Whether a link is on the service's own host, or on one that the settings name. */
export const isOfService = (settings: Composed['settings']): ((link: string) => boolean) => {
  const { baseUrl, linkHosts } = settings.current();
  return baseUrl === null ? () => false : createLinkCheck(new URL(baseUrl), linkHosts);
};

/** Opens only what the window would open as well: links on the service's own host, or on one that the settings name. */
export const openLinks = async (
  { output, env, platform }: Session,
  { settings }: Composed,
  links: readonly string[],
): Promise<void> => {
  const isAllowed = isOfService(settings);
  for (const one of links.slice(0, maxOpened)) {
    // Opens the parsed form, so that what was checked is what opens.
    if (isAllowed(one)) await openAddress(new URL(one).href, env, platform);
    else output.trouble(`${one} is not opened: its host is neither the service’s nor in linkHosts.`);
  }
  if (links.length > maxOpened) output.trouble(`Only the first ${maxOpened} links are opened.`);
};
