// Which upload a path means. Several may have lain at one path: a file was renamed over another one, its folder was
// removed, or it was given by path, too. The file that is there now decides; if it cannot, a person names an id.
import { call, wording } from '../../../contract/text/wording.ts';
import { AppError, toAppError } from '../../../contract/errors.ts';
import { isTakenBack } from '../../../contract/model.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import { isSameVersion } from '../../shared/file-version.ts';
import { idNow } from '../../shared/links.ts';
import { splitPath } from '../../shared/paths.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Kit } from '../kit.ts';

/** `by` lies or lay at the path; `linked` has the link that it has or shares. */
type Claim = { by: Upload; linked: Upload };

/** Uploads at one path that are looked through. */
const mostAtPath = 500;

/** Whether an upload is, or was with a link, at this path. */
export const isKnownAt = (kit: Kit, path: string): boolean => rowsAt(kit, path).rows.length > 0;

/** The links that these have or share, each once. A dead or replaced link counts only if there is no other. */
export const linkedOf = (ledger: Ledger, rows: readonly Upload[]): Upload[] => [
  ...new Map(claims(ledger, rows).map(({ linked }) => [linked.id, linked])).values(),
];

/** The upload whose link a file at this path has, or had last. Throws `bad-use` where several had one. */
export const linkedAt = async (kit: Kit, path: string): Promise<Upload | null> =>
  (await claimAt(kit, path))?.linked ?? null;

/** The upload of the file that lies at this path, or lay there last, with or without a link. An error names several. */
export const rowAt = async (kit: Kit, path: string): Promise<Upload | AppError | null> => {
  const { known, rows } = rowsAt(kit, path);
  if (known !== null && rows.length === 1) return known;
  const there = await thoseThere(kit, path, rows);
  const own = there.find(({ present }) => present) ?? there[0] ?? known;
  return own ?? (await claimAt(kit, path).then((claim) => claim?.by ?? null, toAppError));
};

/** `known`: the row of its watched folder, else of the file as given. `rows`: that one and those with links. */
const rowsAt = ({ ports, discovery }: Kit, path: string): { known: Upload | null; rows: Upload[] } => {
  const { uploads } = ports.ledger;
  const { dir, name } = splitPath(path);
  const watched = discovery.choice.folderIdOf(path);
  const known = uploads.presentAt(watched, dir, name) ?? uploads.presentAt(null, dir, name);
  const all = uploads.atPath(dir, name, mostAtPath);
  return { known, rows: all.filter(({ id, publicLink }) => id === known?.id || publicLink !== null) };
};

const claimAt = async (kit: Kit, path: string): Promise<Claim | null> => {
  const { rows } = rowsAt(kit, path);
  const all = claims(kit.ports.ledger, rows);
  if (all.length === 0) return null;
  const there = isOne(all) ? [] : claims(kit.ports.ledger, await thoseThere(kit, path, rows));
  const [meant] = [all, there, there.filter(({ by }) => by.present)].find(isOne) ?? [];
  if (meant === undefined) throw severalAt(kit.ports.ledger, path, there.length > 0 ? there : all);
  return meant;
};

/** The rows with exactly the version of the file that is there now. None if the disk shows no file. */
const thoseThere = async ({ ports }: Kit, path: string, rows: readonly Upload[]): Promise<Upload[]> => {
  const found = await ports.files.look(path).catch(() => null);
  const key = found?.stamp?.key ?? null;
  return key === null ? [] : rows.filter(({ stamp }) => isSameVersion(stamp?.key ?? null, key));
};

/** A version that a newer one at this path has replaced does not count, nor a dead link beside a living one. */
const claims = (ledger: Ledger, rows: readonly Upload[]): Claim[] => {
  const { uploads, remote } = ledger;
  const all = rows.flatMap((by): Claim[] => {
    const isCopy = by.present && by.state.kind === 'skipped' && by.sameAsId !== null;
    const linked = isCopy ? uploads.byId(by.sameAsId ?? 0) : by;
    return linked === null || linked.publicLink === null ? [] : [{ by, linked }];
  });
  const ids = new Set(all.map(({ linked }) => linked.id));
  const last = all.filter(
    ({ linked: { state } }) => !(state.kind === 'superseded' && ids.has(state.byId ?? 0)),
  );
  const living = last.filter(
    ({ linked }) => !isTakenBack(linked.state) && !remote.isGone(idNow(ledger, linked)),
  );
  return living.length > 0 ? living : last.slice(0, 1);
};

const isOne = (of: readonly Claim[]): boolean => new Set(of.map(({ linked }) => linked.id)).size === 1;

/** By which a person names this upload: a service's id may be that of another file now. */
export const idText = (ledger: Ledger, row: Upload): string =>
  String(idNow(ledger, row) ?? queueIdText(row.id));

const severalAt = (ledger: Ledger, path: string, of: readonly Claim[]): AppError => {
  const links = new Map(
    of.map(({ linked }) => [linked.id, `${idText(ledger, linked)} (${linked.publicLink ?? ''})`]),
  );
  return new AppError(
    'ambiguous',
    `Several files were uploaded from ${path}, and the disk does not show which one is meant: ${[...links.values()].join(', ')}.`,
    'Name the one that you mean by its id.',
  );
};

export const hasEnded = (path: string): AppError =>
  new AppError(
    'bad-use',
    `The link to ${path} is dead, or is being taken back.`,
    wording`${call('upload')} gives the file another link.`,
  );
