// Whether a file is unfinished although its name does not show it: a control file of the program that writes it lies
// beside it, or beside a folder above it. The file waits as long as the control file is there.
import { isByPerson } from '../../contract/model.ts';
import type { Files, Found, Place } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { joinPath, splitPath } from '../shared/paths.ts';
import { controls, type Control } from '../shared/names/unfinished-marks.ts';

/** `sizeBytes` null: a folder. */
type Named = { name: string; sizeBytes: number | null };

const controlsOf = ({ name, sizeBytes }: Named): readonly Control[] =>
  controls.filter(({ ofFolders, of, ofEmpty }) => {
    if (sizeBytes === null) return ofFolders === true;
    return of?.test(name) !== false && (ofEmpty !== true || sizeBytes === 0);
  });

const isControl = ({ isSize }: Control, sizeBytes: number | null): boolean =>
  sizeBytes !== null && isSize?.(sizeBytes) !== false;

/** What programs keep beside a file: `page.odt.autosave`, `app.data-journal`; `page-autosave.odt`. */
const companions: readonly RegExp[] = [
  /^(.+\.[^.]+)[-._~](?:auto-?saved?|journal|wal|shm|partial|incomplete|ckpt|checkpoint|resume|lck|inflight)$/i,
  /^(.+)[-._~]auto-?saved?(\.[^.]+)$/i,
];

/** The names of files that this one may belong to: it is none to share beside one of them. */
const filesOf = ({ name, sizeBytes }: Named): string[] => {
  const named = companions.flatMap((companion) => {
    const [, stem, end = ''] = companion.exec(name) ?? [];
    return stem === undefined ? [] : [stem + end, stem].flatMap((one) => [one, one.replace(/^\./, '')]);
  });
  const control = controls.find((one) => one.isSize !== undefined && name.endsWith(one.end));
  const sized =
    control !== undefined && isControl(control, sizeBytes) ? [name.slice(0, -control.end.length)] : [];
  return [...new Set([...named, ...sized])].filter((one) => one !== '' && one !== name);
};

/** `sizeOf`: of a file in the same folder; null: it is not there. */
const controlAmong = (one: Named, sizeOf: (name: string) => number | null): string | null => {
  const control = controlsOf(one).find((other) => isControl(other, sizeOf(one.name + other.end)));
  if (control !== undefined) return one.name + control.end;
  return filesOf(one).some((file) => sizeOf(file) !== null) ? one.name : null;
};

/** Gives for each file or folder of a listing the name of the control file beside it; null: none. */
export const controlsIn = (
  listed: readonly Pick<Found, 'name' | 'type' | 'stamp'>[],
): ((one: Pick<Found, 'name' | 'type' | 'stamp'>) => string | null) => {
  const sizes = new Map(listed.map(({ name, stamp }) => [name, stamp?.sizeBytes ?? null]));
  return ({ name, type, stamp }) =>
    controlAmong({ name, sizeBytes: sizeIn(type, stamp) }, (other) => sizes.get(other) ?? null);
};

/** Null: a folder. */
const sizeIn = (type: Found['type'], stamp: Found['stamp']): number | null =>
  type === 'folder' ? null : (stamp?.sizeBytes ?? 0);

/**
 * The path of the control file for which the file of this row waits: see `controlOf`. Not for our own zips. A control
 * file that a person gave or confirmed waits for nothing.
 */
export const unfinishedBy = async (
  { files, ledger }: Pick<Ports, 'files'> & { ledger: Pick<Ports['ledger'], 'folders'> },
  { folderId, dir, name, door, confirmed }: Upload,
  sizeBytes: number,
): Promise<string | null> => {
  const root = folderId === null ? null : (ledger.folders.byId(folderId)?.path ?? null);
  const path = joinPath(dir, name);
  const control = await controlBefore(files, path, sizeBytes, root);
  return control === path && (confirmed || isByPerson(door)) ? null : control;
};

/**
 * The path of the control file for which this file or folder waits. Its own path if it is a control file itself. Null:
 * no control file was found. Asks the disk.
 */
export const controlOf = (
  files: Pick<Files, 'look'>,
  place: Place,
  { type, stamp }: Pick<Found, 'type' | 'stamp'>,
): Promise<string | null> => controlBefore(files, place.path, sizeIn(type, stamp), null);

/** `root`: folders from here up are not asked about; null: all are. */
const controlBefore = async (
  files: Pick<Files, 'look'>,
  path: string,
  sizeBytes: number | null,
  root: string | null,
): Promise<string | null> => {
  for (let at = path, size = sizeBytes; at !== root; size = null) {
    const { dir, name } = splitPath(at);
    if (dir === at || name === '') return null;
    const sizes = new Map<string, number>();
    for (const asked of namesToAsk({ name, sizeBytes: size })) {
      const found = await files.look(joinPath(dir, asked)).catch(() => null);
      const bytes = found?.stamp?.sizeBytes;
      if (bytes !== undefined) sizes.set(asked, bytes);
    }
    const control = controlAmong({ name, sizeBytes: size }, (other) => sizes.get(other) ?? null);
    if (control !== null) return joinPath(dir, control);
    at = dir;
  }
  return null;
};

const namesToAsk = (one: Named): string[] => {
  return [...controlsOf(one).map(({ end }) => one.name + end), ...filesOf(one)];
};

/** The names of the files for which this one may be the control file. */
export const controlled = (name: string): string[] =>
  controls.filter(({ end }) => name.endsWith(end)).map(({ end }) => name.slice(0, -end.length));

/** The program whose control file this is. */
export const programOf = (control: string): string =>
  controls.find(({ end }) => control.endsWith(end))?.program ?? '';
