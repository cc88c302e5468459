// A service may give an id again. So an id that the ledger knows rules an entry of the list out only with its link, and a
// list may leave links out. Then the id is asked for its link.
import type { FileId } from '../../contract/text/file-id.ts';
import { toAppError } from '../../contract/errors.ts';
import type { Lane, RemoteFile } from '../../contract/model.ts';
import { isLinkToSame } from '../../contract/text/named-file.ts';
import { concernsAll } from '../account/forbidden.ts';
import { firstSeenAtMs } from '../account/copies/first-seen.ts';
import type { Ask } from '../limiter/ask.ts';
import type { Ports } from '../ports/ports.ts';

type Tables = Pick<Ports['ledger'], 'uploads' | 'remote'>;

const knownLinkOf = ({ uploads, remote }: Tables, fileId: FileId): string | null =>
  uploads.byFileId(fileId)?.publicLink ?? remote.byId(fileId)?.public_link ?? null;

/** Whether the entry shows the link that the ledger knows for its id: then it is the same file. */
export const isSameFile = (tables: Tables, { file_id: fileId, public_link: link }: RemoteFile): boolean => {
  const known = fileId === undefined ? null : knownLinkOf(tables, fileId);
  return known !== null && link !== undefined && isLinkToSame(known, link);
};

/** An entry with an id. */
export type EntryWithId = RemoteFile & { file_id: FileId };
/** `most`: the most requests. */
export type Asking = { ask: Ask; lane: Lane; signal: AbortSignal; most: number };
/** `same`, `others`: the files that had their ids before, or others. `doubtful`: not known, since their links are not. */
export type IdsAsked = { same: FileId[]; others: EntryWithId[]; doubtful: RemoteFile[] };

/** Asks for the links of these entries. The ledger knows afterwards whose the ids are. Throws what concerns all requests. */
export const askIds = async (
  { ledger, api, clock }: Pick<Ports, 'ledger' | 'api' | 'clock'>,
  files: readonly RemoteFile[],
  { ask, lane, signal, most }: Asking,
): Promise<IdsAsked> => {
  const asked: IdsAsked = { same: [], others: [], doubtful: [] };
  const shown = async (fileId: FileId, isLinkKnown: boolean): Promise<RemoteFile> => {
    try {
      return await ask(lane, signal, async (stop, { accountId }) => {
        const file = { ...(await api.info(fileId, stop)), file_id: fileId };
        // Where no link was known, this one does not tell whether it is the file before. So it is asked again next time.
        if (isLinkKnown)
          ledger.remote.saw(accountId, [file], clock.wallMs(), firstSeenAtMs({ ledger, clock }));
        return file;
      });
    } catch (caught) {
      const error = toAppError(caught);
      if (concernsAll(error) || error.code === 'aborted' || error.code === 'rate') throw error;
      return {};
    }
  };
  for (const [index, file] of files.entries()) {
    const { file_id: fileId } = file;
    if (fileId === undefined) continue;
    const known = knownLinkOf(ledger, fileId);
    const full: EntryWithId = {
      ...file,
      ...(index < most ? await shown(fileId, known !== null) : {}),
      file_id: fileId,
    };
    if (known === null || full.public_link === undefined) asked.doubtful.push(full);
    else if (isLinkToSame(known, full.public_link)) asked.same.push(fileId);
    else asked.others.push(full);
  }
  return asked;
};
