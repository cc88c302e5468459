// `link NAME`, and `--open`: links that this machine knows.
import { createLinkCheck } from '../../adapters/api/links.ts';
import { openAddress } from '../../adapters/system/opener.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { isTakenBack, type FileRow } from '../../contract/model.ts';
import { linkOf } from '../../engine/shared/same-content.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../output/file-json.ts';
import { findFiles, namedFrom } from '../named-files.ts';
import { within, type Session, type Composed } from '../session.ts';

const pageSize = 500;
/** A user who opens more does so by mistake. */
const maxOpened = 10;

type Linked = Pick<FileRow, 'fileId' | 'uploadId' | 'name' | 'path'> & { publicLink: string };

/** Prints the links of a name, newest first; for a path, the link of its current file comes first. */
export const link = (session: Session, name: string, flags: { open?: boolean }): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const named = namedFrom(session, name);
    if (!('path' in named)) return await linkOfOne(session, composed, name, flags.open === true);
    const [path = null] = 'name' in named ? [] : await composed.engine.spell([named.path]);
    const own = path === null ? null : await linkAt(composed, path);
    const others = filesNamed(composed, path ?? name, path !== null).filter(
      ({ fileId }) => fileId !== own?.fileId,
    );
    const found = own === null ? others : [own, ...others];
    if (found.length === 0) {
      const message = `No file called ${name} has a link that this machine knows.`;
      throw new AppError('not-found', message, '`outtray list --all` asks the service.');
    }
    for (const one of found) {
      session.output.object(fileJson(completed(composed.ledger, { ...one, filename: one.name })));
      session.output.line(one.publicLink);
    }
    if (flags.open !== true) return exitCodes.done;
    if (path !== null && own === null && found.length > 1) {
      const message = `Several files were uploaded from ${path}, and none of them is the one that is there now.`;
      throw new AppError('bad-use', message, 'Open the link that you mean.');
    }
    const first = found.slice(0, 1).map(({ publicLink }) => publicLink);
    await openLinks(session, composed, first);
    return exitCodes.done;
  });

/** Prints the link of a file that is named by its link or an id. */
const linkOfOne = async (
  session: Session,
  composed: Composed,
  given: string,
  isOpened: boolean,
): Promise<ExitCode> => {
  const { uploads, remote } = composed.ledger;
  const [{ uploadId, fileId, path } = { uploadId: null, fileId: null, path: null }] = await findFiles(
    session,
    composed,
    [given],
    'service',
  );
  const row = uploadId === null ? null : uploads.byId(uploadId);
  const other = fileId === null ? null : remote.byId(fileId);
  const publicLink = row?.publicLink ?? other?.public_link ?? null;
  if (publicLink === null || (row !== null && isTakenBack(row.state)))
    throw new AppError(
      'not-found',
      `No link to ${given} is known here.`,
      '`outtray list --all` asks the service.',
    );
  session.output.object(fileJson(completed(composed.ledger, { uploadId, fileId, publicLink, path })));
  session.output.line(publicLink);
  if (isOpened) await openLinks(session, composed, [publicLink]);
  return exitCodes.done;
};

/** The link that the file at this path has, or shares; null: none, or it may be one of several. */
const linkAt = async ({ client, ledger: { uploads } }: Composed, path: string): Promise<Linked | null> => {
  const { upload } = await client.call('file.why', { path }).catch((error: unknown) => {
    if (toAppError(error).code === 'not-found') return { upload: null };
    throw error;
  });
  const row = upload === null ? null : uploads.byId(upload.id);
  const publicLink = row === null ? null : linkOf(uploads, row);
  if (row === null || publicLink === null) return null;
  const { fileId, id } = (row.publicLink === null ? uploads.byId(row.sameAsId ?? 0) : null) ?? row;
  return { fileId, uploadId: id, name: row.name, path, publicLink };
};

const filesNamed = ({ ledger }: Composed, name: string, isPath: boolean): Linked[] => {
  const search = isPath ? (name.split(/[/\\]/).at(-1) ?? name) : name;
  const found: Linked[] = [];
  for (let after: string | null = null; ;) {
    const query = {
      search,
      place: 'all',
      sort: 'uploaded',
      descending: true,
      after,
      limit: pageSize,
    } as const;
    const page = ledger.views.page(query);
    for (const row of page.rows) {
      const { publicLink } = row;
      const isIt = isPath ? row.path === name : row.name === name;
      const own = row.uploadId === null ? null : ledger.uploads.byId(row.uploadId);
      if (own !== null && isTakenBack(own.state)) continue;
      if (isIt && publicLink !== null) found.push({ ...row, publicLink });
    }
    if (page.next === null) return found;
    after = page.next;
  }
};

/** Opens only what the window would open as well: links on the service's own host, or on one that the settings name. */
export const openLinks = async (
  { output, env, platform }: Session,
  { settings }: Composed,
  links: readonly string[],
): Promise<void> => {
  const { baseUrl, linkHosts } = settings.current();
  const isAllowed = baseUrl === null ? () => false : createLinkCheck(new URL(baseUrl), linkHosts);
  for (const one of links.slice(0, maxOpened)) {
    // Opens the parsed form, so that what was checked is what opens.
    if (isAllowed(one)) await openAddress(new URL(one).href, env, platform);
    else output.trouble(`${one} is not opened: its host is neither the service’s nor in linkHosts.`);
  }
  if (links.length > maxOpened) output.trouble(`Only the first ${maxOpened} links are opened.`);
};
