// `import`: files of the account that another machine or profile has exported become known here, as if a list had shown
// them, with the size and SHA-256 that the export gives. A link is offered for a file of this machine only after it was
// read and served the same bytes (reconcile/older-ledger.ts): an export proves nothing.
import type { Handlers } from '../../../contract/commands.ts';
import { AppError, toAppError } from '../../../contract/errors.ts';
import { refusedLine, type ImportedFile } from '../../../contract/report.ts';
import { isLinkToSame } from '../../../contract/text/named-file.ts';
import { firstSeenAtMs } from '../../account/copies/first-seen.ts';
import { ofAnotherAccount } from '../../account/copies/removal.ts';
import { nowhere } from '../../shared/paths.ts';
import { pauseFor } from '../../shared/time.ts';
import type { Kit } from '../kit.ts';

/** Files in one transaction: half a second. Others that write wait for five at most, and try again every 100 ms. */
const mostAtOnce = 1000;
const pauseMs = 150;

export const importHandlers = (kit: Kit): Pick<Handlers, 'files.import'> => {
  const { ports, service } = kit;
  const { ledger, api } = ports;

  const hasOtherLink = ({ fileId, publicLink }: ImportedFile): boolean => {
    const known =
      ledger.uploads.byFileId(fileId)?.publicLink ?? ledger.remote.byId(fileId)?.public_link ?? null;
    return known !== null && !isLinkToSame(known, publicLink);
  };

  /** Throws `bad-use` for what the export of another machine of this account cannot have. */
  const check = (files: readonly ImportedFile[]): void => {
    const ids = new Set<ImportedFile['fileId']>();
    for (const file of files) {
      const { line, fileId, publicLink } = file;
      if (ids.has(fileId)) throw refusedLine(line, `the id ${fileId} stands in the file twice`);
      ids.add(fileId);
      if (!api.isSaneLink(publicLink))
        throw refusedLine(line, 'its link leads to a host that is neither the service’s nor in linkHosts');
      if (hasOtherLink(file)) throw refusedLine(line, `the file ${fileId} has another link here`);
    }
  };

  /**
   * The account of these files: the key reaches the files whose links it shows. Three are asked for: some may have been
   * deleted. Null: it shows none of them.
   */
  const accountOf = async (files: readonly ImportedFile[], signal: AbortSignal): Promise<number | null> => {
    const some = new Set([files.at(-1), files[0], files[files.length >> 1]]);
    for (const file of some) {
      if (file === undefined) continue;
      try {
        const { public_link: link, accountId } = await service.ask('user', signal, async (stop, key) => ({
          ...(await api.info(file.fileId, stop)),
          accountId: key.accountId,
        }));
        if (link !== undefined && isLinkToSame(link, file.publicLink)) return accountId;
      } catch (caught) {
        if (toAppError(caught).code !== 'not-found') throw caught;
      }
    }
    return null;
  };

  /** This machine ends the link, too. Its row has no file on the disk, and no content: this machine has not read it. */
  const takeOver = (file: ImportedFile & { expiresAtMs: number }): void => {
    const { fileId, publicLink, filename, sizeBytes, expiresAtMs: atMs } = file;
    const uploadedAtMs = file.uploadedAtMs ?? ports.clock.wallMs();
    const since = service.expiry.sinceMs(uploadedAtMs);
    const life = service.expiry.ofUpload({ folderId: null, expireWish: { atMs } }, since);
    kit.rows.insert({
      folderId: null,
      dir: nowhere,
      name: filename,
      present: false,
      stamp: sizeBytes === null ? null : { key: '', sizeBytes, inode: '', mtimeMs: 0, ctimeMs: 0 },
      state: { kind: 'uploaded' },
      door: 'command',
      ...{ fileId, publicLink, sentName: filename, uploadedAtMs },
      uploadedProvenMs: life.provenMs,
      wantedEnds: life.wanted,
    });
  };

  return {
    async 'files.import'({ files, takeExpiry }, signal) {
      check(files);
      const isKnown = ({ fileId, sha256 }: ImportedFile): boolean => {
        if (ledger.uploads.byFileId(fileId) !== null) return true;
        const seen = ledger.remote.byId(fileId);
        return seen !== null && (sha256 === null || seen.sha256 === sha256);
      };
      const isNew = files.some((file) => !isKnown(file));
      const accountId = isNew || takeExpiry ? await accountOf(files, signal) : ledger.accounts.present();
      if (accountId === null)
        throw new AppError(
          'bad-use',
          'The service shows the present key none of the files that were asked for: they are of another account, or deleted. Nothing was imported.',
          'Import them with a key of the account that they are in.',
        );
      const count = { files: files.length, new: 0, ends: 0 };
      const bring = (file: ImportedFile, firstAtMs: number): void => {
        const { fileId, filename, publicLink, size, uploadDate, uploadedAtMs, expiresAtMs } = file;
        if (ledger.uploads.byFileId(fileId) !== null || ledger.remote.byId(fileId)?.gone === true) return;
        // A list may have shown it meanwhile.
        if (hasOtherLink(file)) return;
        if (!isKnown(file)) {
          count.new += 1;
          const date = uploadDate ?? (uploadedAtMs === null ? null : new Date(uploadedAtMs).toISOString());
          const seen = {
            ...{ file_id: fileId, filename, public_link: publicLink },
            ...(size === null ? {} : { size }),
            ...(date === null ? {} : { upload_date: date.slice(0, 19).replace('T', ' ') }),
          };
          ledger.remote.saw(accountId, [seen], ports.clock.wallMs(), firstAtMs);
          if (file.sha256 !== null) ledger.remote.learn(fileId, file);
        }
        if (expiresAtMs === null) return;
        count.ends += 1;
        if (takeExpiry) takeOver({ ...file, expiresAtMs });
      };
      try {
        for (let from = 0; from < files.length; from += mostAtOnce) {
          if (from > 0) await pauseFor(ports.clock, pauseMs, signal);
          ledger.atomically(() => {
            if (ledger.accounts.present() !== accountId) throw ofAnotherAccount();
            const firstAtMs = firstSeenAtMs(ports);
            for (const file of files.slice(from, from + mostAtOnce)) bring(file, firstAtMs);
          });
        }
      } finally {
        kit.feed.filesChanged();
        kit.nudge();
      }
      return count;
    },
  };
};
