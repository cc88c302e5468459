// `link NAME`, and `--open`: links that this machine knows.
import { resolve } from 'node:path';
import { createLinkCheck } from '../../adapters/api/links.ts';
import { openAddress } from '../../adapters/system/opener.ts';
import { AppError } from '../../contract/errors.ts';
import { isTakenBack, type FileRow } from '../../contract/model.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { within, type Session, type Composed } from '../session.ts';

const pageSize = 500;
/** More would only be opened by mistake. */
const maxOpened = 10;

/** Prints the links of a name, or of the file at a path, newest first. */
export const link = (session: Session, name: string, flags: { open?: boolean }): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const found = filesNamed(composed, session, name);
    if (found.length === 0) {
      const message = 'No file of this name has a link that this machine knows.';
      throw new AppError('not-found', message, '`outtray list --all` asks the service.');
    }
    for (const { fileId, name: filename, publicLink, path } of found) {
      session.output.object({ file_id: fileId, filename, public_link: publicLink, path });
      session.output.line(publicLink);
    }
    if (flags.open === true)
      await openLinks(
        session,
        composed,
        found.slice(0, 1).map(({ publicLink }) => publicLink),
      );
    return exitCodes.done;
  });

const filesNamed = (
  { ledger }: Composed,
  { cwd }: Session,
  name: string,
): (FileRow & { publicLink: string })[] => {
  const path = /[/\\]/.test(name) ? resolve(cwd, name) : null;
  const search = path === null ? name : (path.split(/[/\\]/).at(-1) ?? name);
  const found: (FileRow & { publicLink: string })[] = [];
  for (let after: string | null = null; ;) {
    const query = {
      search,
      place: 'all',
      sort: 'uploaded',
      descending: true,
      after,
      limit: pageSize,
    } as const;
    const page = ledger.uploads.page(query);
    for (const row of page.rows) {
      const { publicLink } = row;
      const isIt = path === null ? row.name === name : row.path === path;
      const own = row.uploadId === null ? null : ledger.uploads.byId(row.uploadId);
      if (own !== null && isTakenBack(own.state)) continue;
      if (isIt && publicLink !== null) found.push({ ...row, publicLink });
    }
    if (page.next === null) return found;
    after = page.next;
  }
};

/** Only those that the window would open as well: on the service's own host, or one that the settings name. */
export const openLinks = async (
  { output, env, platform }: Session,
  { settings }: Composed,
  links: readonly string[],
): Promise<void> => {
  const { baseUrl, linkHosts } = settings.current();
  const isAllowed = baseUrl === null ? () => false : createLinkCheck(new URL(baseUrl), linkHosts);
  for (const one of links.slice(0, maxOpened)) {
    // As parsed, so that what was judged is what is opened.
    if (isAllowed(one)) await openAddress(new URL(one).href, env, platform);
    else output.trouble(`${one} is not opened: its host is neither the service’s nor in linkHosts.`);
  }
  if (links.length > maxOpened) output.trouble(`Only the first ${maxOpened} links are opened.`);
};
