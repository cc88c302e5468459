// Which file a person means by a link, a path, an id or a name. A name that several files have is refused, with a list
// of them.
import { call, see, wording, type Wording } from '../../../contract/text/wording.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import type { NamedFor } from '../../../contract/catalogue/choices.ts';
import { AppError, toAppError } from '../../../contract/errors.ts';
import { mayBeKept, mayBeThere, mayResolve, stateRow } from '../../../contract/model.ts';
import {
  isOnOtherHost,
  isSameLink,
  plainPartOf,
  queueIdText,
  type Named,
  type NamedByWord,
  type NamedExactly,
} from '../../../contract/text/named-file.ts';
import type { Ledger, SeenRemote } from '../../ports/ledger.ts';
import type { Upload } from '../../ports/uploads.ts';
import { idNow } from '../../shared/links.ts';
import { joinPath } from '../../shared/paths.ts';
import { idText, isKnownAt, linkedAt, linkedOf, rowAt } from './at-path.ts';
import type { Kit } from '../kit.ts';

/** `row` null: another machine uploaded the file. `fileId` null: no id leads to it now. */
export type NamedRow = { row: Upload; fileId: FileId | null } | { row: null; fileId: FileId };

/** At most this many files with one name are examined. A person cannot choose from more. */
const mostNamed = 500;
const mostTold = 10;

/**
 * The uploads with a link that these name. The disk is asked first. Then `row` reads the present row in the caller's
 * transaction. It throws `not-found`. Throws `ambiguous` if one may mean several. `elsewhere`: what can be done about a file
 * of another machine.
 */
export const linksNamed = (
  kit: Kit,
  files: readonly Named[],
  elsewhere: (fileId: FileId) => Wording,
  first: (kit: Kit, file: Named) => Promise<NamedRow> = withLink,
): Promise<{ file: Named; row: () => Upload }[]> => {
  const { uploads } = kit.ports.ledger;
  return Promise.all(
    files.map(async (file) => {
      const read = await first(kit, file).then(
        ({ row, fileId }) =>
          (): Upload => {
            const now = row === null ? uploads.byFileId(fileId) : uploads.byId(row.id);
            if (now === null) throw notOurs(fileId, fileId === null ? '' : elsewhere(fileId));
            return now;
          },
        (error: unknown) => {
          // Nothing is done about the others either: it would be done before the person has answered.
          if (toAppError(error).code === 'ambiguous') throw error;
          return (): never => {
            throw error;
          };
        },
      );
      return { file, row: read };
    }),
  );
};

const withLink = (kit: Kit, file: Named): Promise<NamedRow> => fileNamed(kit, file, 'link');
/** The file whose link this names, else one that has none yet. */
export const withOrWithoutLink = (kit: Kit, file: Named): Promise<NamedRow> =>
  withLink(kit, file).catch((error: unknown) => {
    if (toAppError(error).code !== 'not-found') throw error;
    return fileNamed(kit, file, 'path');
  });

/** The part of an answer that shows which file was named. */
export const whichFile = (file: Named): { fileId: FileId | null; path: string | null } => {
  const written = ('name' in file ? file.else : undefined) ?? file;
  return {
    fileId: 'fileId' in written ? written.fileId : null,
    path: 'path' in written ? written.path : null,
  };
};

/**
 * Whether this names a file by its path: a word does if a file lies or lay there. Throws `ambiguous` if it is also the
 * id or the link of another file.
 */
export const isAtPath = async (kit: Kit, file: Named, use: NamedFor): Promise<boolean> => {
  if (!('path' in file)) return false;
  if (!('name' in file)) return true;
  if (!isKnownAt(kit, file.path) && !(await mayLie(kit, file))) return false;
  const other = file.else === undefined ? null : knownAs(kit, file.else, use);
  if (other === null) return true;
  const here = await atPath(kit, file.path, use).catch(() => null);
  if (here !== null && here.row !== null && here.row.id === other.row?.id) return true;
  throw ambiguousWord(kit, file, file.path, other);
};

/** A disk that cannot be read may have it; but a link is hardly a path, and may be too long for one. */
const mayLie = async ({ ports }: Kit, { path, else: other }: NamedByWord): Promise<boolean> => {
  const isLink = other !== undefined && 'link' in other;
  return (await ports.files.look(path).catch(() => (isLink ? null : 'there'))) !== null;
};

/** The one file that is named. Throws `not-found`, or `ambiguous` where several may be meant. */
export const fileNamed = async (kit: Kit, file: Named, use: NamedFor): Promise<NamedRow> => {
  if ('name' in file) return await byWord(kit, file, use);
  return 'path' in file ? await atPath(kit, file.path, use) : exactly(kit, file, use);
};

/** A path comes first, then an id or a link, then a name. Throws `ambiguous` if two of them are known here. */
const byWord = async (kit: Kit, word: NamedByWord, use: NamedFor): Promise<NamedRow> => {
  if (await isAtPath(kit, word, use)) return await atPath(kit, word.path, use);
  if (word.else === undefined) return byName(kit, word.name, use);
  const [row] = kit.ports.ledger.uploads.named(word.name, 1);
  if (row === undefined) return exactly(kit, word.else, use);
  const other = knownAs(kit, word.else, use);
  if (other === null || other.row?.id === row.id) return byName(kit, word.name, use);
  throw ambiguousWord(kit, word, joinPath(row.dir, row.name), other);
};

/** Null for an id or a link that is not known here. Commands of the queue take no id of the service. */
const knownAs = (kit: Kit, file: NamedExactly, use: NamedFor): NamedRow | null => {
  if ('fileId' in file && (isOfQueue(use) || kit.ports.ledger.remote.byId(file.fileId) === null)) {
    const row = isOfQueue(use) ? null : kit.ports.ledger.uploads.byFileId(file.fileId);
    return row === null ? null : ours(kit, row);
  }
  try {
    return exactly(kit, file, use);
  } catch {
    return null;
  }
};

const ambiguousWord = (
  { ports }: Kit,
  { name, path: asPath }: NamedByWord,
  path: string,
  { row, fileId }: NamedRow,
): AppError => {
  const link = row?.publicLink ?? (fileId === null ? null : ports.ledger.remote.byId(fileId)?.public_link);
  const id = fileId ?? (row === null ? '' : queueIdText(row.id));
  const isHere = path === asPath && !/https?:/i.test(name);
  const second = /^id:/i.test(name) ? (typeof link === 'string' ? 'its link' : 'its path') : `id:${id}`;
  return new AppError(
    'ambiguous',
    `${name} is the file ${path}, and also ${row === null ? `file ${id} of another machine` : joinPath(row.dir, row.name)} (${[id, link].filter(Boolean).join(', ')}).`,
    `Write ${isHere ? `./${name}` : path} for the first, ${second} for the second.`,
  );
};

/** The one that this id or link means, or may mean. */
const exactly = (kit: Kit, file: NamedExactly, use: NamedFor): NamedRow => {
  const { uploads } = kit.ports.ledger;
  if ('fileId' in file) {
    if (isOfQueue(use)) throw noQueueId(file.fileId);
    const row = uploads.byFileId(file.fileId);
    return row === null ? { row: null, fileId: file.fileId } : ours(kit, row);
  }
  if ('queueId' in file) {
    const row = uploads.byId(file.queueId);
    if (row !== null) return ours(kit, row);
    throw new AppError('not-found', `There is no upload ${queueIdText(file.queueId)}.`, see('queue'));
  }
  const found = byLink(kit, file.link);
  if (found.row === null && isOfQueue(use)) throw notOurs(found.fileId, see('queue'));
  return found;
};

const isOfQueue = (use: NamedFor): use is keyof typeof inQueue => Object.hasOwn(inQueue, use);

/** Which uploads a command of the queue is for. A name means one of those first. */
const inQueue = {
  confirm: ({ state }: Upload) => stateRow(state.kind).mayConfirm === true,
  cancel: ({ state }: Upload) => stateRow(state.kind).mayCancel === true,
  retry: ({ state }: Upload) => stateRow(state.kind).mayRetry === true || mayBeKept(state),
  resolve: mayResolve,
};

const ours = ({ ports }: Kit, row: Upload): NamedRow => ({ row, fileId: idNow(ports.ledger, row) });

const atPath = async (kit: Kit, path: string, use: NamedFor): Promise<NamedRow> => {
  if (use === 'link' || use === 'service') {
    const linked = await linkedAt(kit, path);
    if (linked !== null) return ours(kit, linked);
    const row = use === 'link' ? await rowAt(kit, path) : null;
    if (row === null || row instanceof AppError || !mayBeThere(row.state)) throw noLinkAt(path);
    return ours(kit, row);
  }
  const row = await rowAt(kit, path);
  if (row instanceof AppError) throw row;
  if (row === null) throw new AppError('not-found', `No upload of ${path} is known here.`, 'Check the path.');
  return ours(kit, row);
};

const byLink = (kit: Kit, link: string): NamedRow => {
  const { ledger } = kit.ports;
  const part = plainPartOf(link);
  const rows = ledger.uploads.withLink(part, mostNamed);
  const others = ledger.remote.withLink(part, mostNamed);
  const row = rows.find(({ publicLink }) => isSameLink(publicLink ?? '', link));
  if (row !== undefined) return ours(kit, row);
  const other = others.find(({ public_link }) => isSameLink(public_link ?? '', link));
  if (other !== undefined) return { row: null, fileId: other.file_id };
  const known = [
    ...rows.map(({ publicLink }) => publicLink),
    ...others.map(({ public_link }) => public_link),
  ];
  const elsewhere = known.find((one) => isOnOtherHost(one ?? '', link));
  throw new AppError(
    'not-found',
    `${link} is not a link this machine knows.`,
    typeof elsewhere === 'string'
      ? `This one is at another address: ${elsewhere}.`
      : wording`${call('list', '--all')} asks the service for all links of the account.`,
  );
};

const byName = (kit: Kit, name: string, use: NamedFor): NamedRow => {
  const { ledger } = kit.ports;
  const rows = ledger.uploads.named(name, mostNamed);
  if (use !== 'link' && use !== 'service') {
    const meant = isOfQueue(use) ? rows.filter(inQueue[use]) : rows;
    const [first = rows[0], second] = meant;
    if (first === undefined) throw noneNamed(name);
    if (second !== undefined) throw severalNamed(ledger, name, meant, []);
    return ours(kit, first);
  }
  const linked = linkedOf(ledger, rows);
  const open = use === 'link' && linked.length === 0 ? rows.filter(({ state }) => mayBeThere(state)) : [];
  if (open.length > 1) throw severalNamed(ledger, name, open, []);
  const isOther = ({ file_id, gone }: SeenRemote): boolean =>
    !gone && ledger.uploads.byFileId(file_id) === null;
  const others = ledger.remote.named(name, mostNamed).filter(isOther);
  // Only a file of this machine can be meant, where there is one.
  const rivals = use === 'link' && linked.length + open.length > 0 ? [] : others;
  if (linked.length + rivals.length > 1) throw severalNamed(ledger, name, linked, rivals);
  const [row] = [...linked, ...open];
  if (row !== undefined) return ours(kit, row);
  const [other] = rivals;
  if (other !== undefined) return { row: null, fileId: other.file_id };
  throw noneNamed(name);
};

const noneNamed = (name: string): AppError => {
  if (/^\d+$/.test(name))
    return new AppError(
      'bad-use',
      `An id is a whole number, 1 or higher. No file is called ${name}.`,
      see('list'),
    );
  return new AppError(
    'not-found',
    `No file called ${name} is known here.`,
    wording`Check the name or the path; ${call('list', '--all')} asks the service for all files of the account.`,
  );
};

const severalNamed = (
  ledger: Ledger,
  name: string,
  rows: readonly Upload[],
  others: readonly SeenRemote[],
): AppError => {
  const all = [
    ...rows.map((row) => `${idText(ledger, row)} (${joinPath(row.dir, row.name)})`),
    ...others.map(({ file_id, public_link }) => `${file_id} (${public_link ?? 'of another machine'})`),
  ];
  const more = all.length > mostTold ? ` and ${all.length - mostTold} more` : '';
  return new AppError(
    'ambiguous',
    `Several files are called ${name}: ${all.slice(0, mostTold).join(', ')}${more}.`,
    'Name the one that you mean by its id, its path or its link.',
  );
};

const noQueueId = (fileId: FileId): AppError =>
  new AppError(
    'bad-use',
    `${fileId} is the id of a file at the service. Ids of the queue begin with q: q${fileId}.`,
    see('queue'),
  );

export const noLinkAt = (path: string): AppError =>
  new AppError(
    'not-found',
    `No file at ${path} has a link that this machine knows.`,
    wording`${call('why', 'PATH')} says where a file is; ${call('cancel', 'PATH')} takes back what waits.`,
  );

export const noLinkOf = (row: Upload): AppError =>
  new AppError(
    'bad-use',
    `Upload ${queueIdText(row.id)} has no link.`,
    wording`${call('why', queueIdText(row.id))} says why; ${call('cancel', queueIdText(row.id))} takes back what waits.`,
  );

const notOurs = (fileId: FileId | null, remedy: Wording): AppError =>
  new AppError('not-found', `This machine did not upload file ${fileId}.`, remedy);
