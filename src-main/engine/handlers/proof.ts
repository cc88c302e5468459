// Release cards, whether public links serve what was sent, and which of them are followed.
import { call, wording } from '../../contract/text/wording.ts';
import type { Named } from '../../contract/text/named-file.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { CardResult, FollowedLink, FollowResult, VerifyResult } from '../../contract/answers.ts';
import type { Handlers } from '../../contract/commands.ts';
import { AppError, toWire } from '../../contract/errors.ts';
import { isTakenBack } from '../../contract/model.ts';
import type { CardFile } from '../../contract/text/card.ts';
import type { Followed } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { proveLink, type Promised } from '../account/copies/prove-link.ts';
import { idNow } from '../shared/links.ts';
import { joinPath } from '../shared/paths.ts';
import { sentContent } from '../shared/same-content.ts';
import { hasEnded } from './named/at-path.ts';
import { linksNamed, noLinkOf, whichFile } from './named/named.ts';
import type { Kit } from './kit.ts';

type Looked = Awaited<ReturnType<typeof linksNamed>>[number];

/** As `files.page` gives them. */
const pageSize = 500;

export const proofHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger } = ports;

  const look = (files: readonly Named[]) =>
    linksNamed(kit, files, () => 'Its SHA-256 is not known here: do this on the machine that uploaded it.');

  /** Handles these links in one transaction. */
  const follow = async (files: readonly Named[], act: (row: ReturnType<typeof linked>) => void) => {
    const named = await look(files);
    const results = ledger.atomically(() =>
      named.map((looked): FollowResult => {
        try {
          const row = linked(ledger, looked);
          const { id, fileId, publicLink } = row;
          act(row);
          const link = ledger.watched.byId('downloads', id);
          const path = joinPath(row.dir, row.name);
          return { fileId, path, publicLink, link: link && followedLink(link), error: null };
        } catch (caught) {
          return { ...failed(looked.file, caught), publicLink: null, link: null };
        }
      }),
    );
    kit.nudge();
    return { results, price: kit.watchedLinks.downloads.price() };
  };

  const verified = async (path: string | null, promised: Promised, signal: AbortSignal) => {
    const reason = await proveLink(ports, promised, signal);
    const { fileId, publicLink } = promised;
    return { fileId, path, publicLink, ok: reason === null, reason, error: null };
  };

  const verify = async (looked: Looked, signal: AbortSignal): Promise<VerifyResult> => {
    let row: ReturnType<typeof linked>;
    try {
      row = linked(ledger, looked);
    } catch (caught) {
      return { ...failed(looked.file, caught), publicLink: null, ok: null, reason: null };
    }
    const { publicLink, fileId } = row;
    const promised = { publicLink, fileId, ...sentContent(row) };
    const result = await verified(joinPath(row.dir, row.name), promised, signal);
    if (kit.watchedLinks.proofs.found(row.id, result.reason)) kit.nudge();
    return result;
  };

  /** The upload whose link serves this content. One that went as a copy serves another content than its file. */
  const sharedAs = (sha256: string): Upload | undefined =>
    ledger.uploads.uploadedBySha(sha256).find((row) => sentContent(row).sha256 === sha256);

  const allLinks = (): FileId[] => {
    const found: FileId[] = [];
    const query = { search: '', place: 'ours', sort: 'uploaded', descending: true, limit: pageSize } as const;
    for (let after: string | null = null; ;) {
      const page = ledger.views.page({ ...query, after });
      for (const { fileId, uploadId } of page.rows) {
        const row = uploadId === null ? null : ledger.uploads.byId(uploadId);
        if (fileId !== null && row !== null && !isTakenBack(row.state)) found.push(fileId);
      }
      if (page.next === null) return found;
      after = page.next;
    }
  };

  return {
    'files.follow': ({ files }) =>
      follow(files, (row) => {
        requireLive(ledger, row);
        kit.watchedLinks.downloads.follow(row);
      }),
    'files.unfollow': ({ files }) => follow(files, kit.watchedLinks.downloads.unfollow),
    'files.followed': () => ({
      links: ledger.watched
        .all('downloads')
        .toSorted((a, b) => a.sinceMs - b.sinceMs || a.uploadId - b.uploadId)
        .map(followedLink),
      price: kit.watchedLinks.downloads.price(),
    }),
    'files.card': async ({ files }) => (await look(files)).map((looked) => card(ledger, looked)),
    'files.linked': allLinks,
    async 'files.verify'(input, signal) {
      const results: VerifyResult[] = [];
      if ('card' in input) {
        for (const { fileId, sha256, sizeBytes, publicLink } of input.card) {
          const shared = sharedAs(sha256);
          const link = publicLink ?? shared?.publicLink ?? null;
          const mine = shared?.publicLink === link ? shared : undefined;
          const own = mine?.fileId ?? null;
          const size = sizeBytes ?? (mine === undefined ? null : sentContent(mine).sizeBytes);
          // Without a link and a size there is nothing to read.
          if (link === null)
            results.push({
              fileId,
              path: null,
              publicLink: null,
              ok: false,
              reason: 'unknown-content',
              error: null,
            });
          else
            results.push({
              ...(await verified(null, { publicLink: link, fileId: own, sha256, sizeBytes: size }, signal)),
              fileId: fileId ?? own,
            });
        }
        return results;
      }
      for (const looked of await look(input.files)) results.push(await verify(looked, signal));
      return results;
    },
  } satisfies Partial<Handlers>;
};

const card = (ledger: Kit['ports']['ledger'], looked: Looked): CardResult => {
  try {
    const row = linked(ledger, looked);
    const path = joinPath(row.dir, row.name);
    requireLive(ledger, row);
    const { sha256, sizeBytes } = sentContent(row);
    if (sha256 === null || sha256 === '') throw isUnknown(path);
    const { fileId, publicLink, uploadedAtMs } = row;
    const filename = row.remoteName ?? row.sentName ?? row.name;
    const expiresAtMs = row.ends?.atMs ?? null;
    const file: CardFile = { fileId, filename, sizeBytes, sha256, publicLink, uploadedAtMs, expiresAtMs };
    return { fileId, path, card: file, error: null };
  } catch (caught) {
    return { ...failed(looked.file, caught), card: null };
  }
};

const requireLive = (
  { remote }: Kit['ports']['ledger'],
  { fileId, dir, name }: ReturnType<typeof linked>,
): void => {
  if (remote.isGone(fileId)) throw isGone(joinPath(dir, name));
};

const failed = (file: Named, caught: unknown) => ({ ...whichFile(file), error: toWire(caught) });

/** The upload whose link this file has. Throws `not-found`, or `bad-use` for a link that was taken back. */
const linked = (ledger: Kit['ports']['ledger'], { row: read }: Looked): Upload & { publicLink: string } => {
  const row = read();
  const { publicLink } = row;
  if (publicLink === null) throw noLinkOf(row);
  if (isTakenBack(row.state)) throw hasEnded(joinPath(row.dir, row.name));
  return { ...row, fileId: idNow(ledger, row), publicLink };
};

const followedLink = ({ fileId, path, publicLink, downloads, asOfMs, sinceMs }: Followed): FollowedLink => ({
  fileId,
  path,
  publicLink,
  downloads,
  asOfMs,
  sinceMs,
});

const isGone = (path: string): AppError =>
  new AppError(
    'not-found',
    `The last list of the service did not show ${path}: it may have been deleted there.`,
    wording`${call('list', '--all')} looks again; ${call('upload', '--again')} gives the file another link.`,
  );

const isUnknown = (path: string): AppError =>
  new AppError(
    'not-found',
    `The SHA-256 of what the link to ${path} serves is not known.`,
    wording`${call('upload', '--again')} sends the file again and keeps its SHA-256.`,
  );
