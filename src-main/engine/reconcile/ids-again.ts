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
import { plain } from '../shared/sent-name.ts';

type Tables = Pick<Ports['ledger'], 'uploads' | 'remote'>;

const knownLinkOf = ({ uploads, remote }: Tables, fileId: FileId): string | null =>
  uploads.byFileId(fileId)?.publicLink ?? remote.byId(fileId)?.public_link ?? null;

/** Whether the entry shows the link that the ledger knows for its id: then it is the same file. */
export const isSameFile = (tables: Tables, { file_id: fileId, public_link: link }: RemoteFile): boolean => {
  const known = fileId === undefined ? null : knownLinkOf(tables, fileId);
  return known !== null && link !== undefined && isLinkToSame(known, link);
};

/** Whether the names are alike. The service may change the case of a name or put a number before it. */
export const isNamedLike = (sentName: string, { filename }: RemoteFile): boolean => {
  const own = plain(sentName);
  return filename === undefined || filename === sentName || (own.length > 0 && plain(filename).includes(own));
};

/**
 * Whether an entry with one of our ids may be what was sent under this name. It is not, without a question, if it still
 * shows the name that our file got, in a service that keeps names.
 */
export const mayBeAnother = (
  { uploads }: Pick<Tables, 'uploads'>,
  sentName: string,
  file: RemoteFile,
): boolean => {
  const ours = file.file_id === undefined ? null : uploads.byFileId(file.file_id);
  if (ours === null || isNamedLike(sentName, file)) return true;
  if (ours.state.kind === 'recalled' || ours.state.kind === 'gone') return true;
  const sent = ours.sentName ?? '';
  return file.filename !== (ours.remoteName ?? sent) || !isNamedLike(sent, file);
};

/** An entry with an id. */
export type EntryWithId = RemoteFile & { file_id: FileId };
export const hasId = (file: RemoteFile): file is EntryWithId => file.file_id !== undefined;
export type Asking = { ask: Ask; lane: Lane; signal: AbortSignal };
/** `same`, `others`: the files that had their ids before, or others. `doubtful`: not known, since their links are not. */
export type IdsAsked = { same: FileId[]; others: EntryWithId[]; doubtful: RemoteFile[] };

/** Asks for the links of these entries. The ledger knows afterwards whose the ids are. Throws what concerns all requests. */
export const askIds = async (
  { ledger, api, clock }: Pick<Ports, 'ledger' | 'api' | 'clock'>,
  files: readonly EntryWithId[],
  { ask, lane, signal }: Asking,
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
  for (const file of files) {
    const { file_id: fileId } = file;
    const known = knownLinkOf(ledger, fileId);
    const full: EntryWithId = {
      ...file,
      ...(await shown(fileId, known !== null)),
      file_id: fileId,
    };
    if (known === null || full.public_link === undefined) asked.doubtful.push(full);
    else if (isLinkToSame(known, full.public_link)) asked.same.push(fileId);
    else asked.others.push(full);
  }
  return asked;
};
