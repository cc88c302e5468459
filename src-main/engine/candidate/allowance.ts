// The rules of an administrator (or a careful user) about what may become public: from which folders, how large, which
// types of files. They apply to every file, watched or given by path, when it has settled and again before its tail.
import { formatSize } from '../../contract/text/formats.ts';
import { call, wording } from '../../contract/text/wording.ts';
import type { UploadState } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import { relativeTo } from '../shared/paths.ts';
import { readingsOf, spellingsOf, type Names } from '../shared/sent-name.ts';
import type { Files, Place } from '../ports/files.ts';
import type { IntakeCandidate } from './candidate.ts';

export type Allowance = Pick<Settings, 'maxFileBytes' | 'allowedTypes' | 'forbiddenTypes'> & {
  allowedRoots: readonly Place[];
  forbiddenRoots: readonly Place[];
};

type Roots = Pick<Allowance, 'allowedRoots' | 'forbiddenRoots'>;

/** The rules in force. Where their folders lie is asked each time: a folder may be replaced by a link at any moment. */
export const allowanceOf = async (files: Pick<Files, 'place'>, settings: Settings): Promise<Allowance> => {
  const { maxFileBytes, allowedTypes, forbiddenTypes } = settings;
  return { maxFileBytes, allowedTypes, forbiddenTypes, ...(await rootsOf(files, settings)) };
};

export const rootsOf = async (
  files: Pick<Files, 'place'>,
  { allowedRoots, forbiddenRoots }: Pick<Settings, 'allowedRoots' | 'forbiddenRoots'>,
): Promise<Roots> => {
  const places = (paths: readonly string[]): Promise<Place[]> =>
    Promise.all(paths.map((path) => files.place(path)));
  return { allowedRoots: await places(allowedRoots), forbiddenRoots: await places(forbiddenRoots) };
};

export type Refusal = Extract<UploadState, { kind: 'failed' }> & {
  code: 'forbidden';
};

/** Null when the file may be shared. */
export const refusal = ({ place, names, sizeBytes }: IntakeCandidate, rules: Allowance): Refusal | null => {
  const root = rootProblem(place, rules);
  if (root !== null) return forbidden(`Files ${root} are not shared.`, 'Put it in another folder');
  const type = typeProblem(names, rules);
  if (type !== null) return forbidden(`${type} are not shared.`, 'Share another kind of file');
  if (rules.maxFileBytes !== null && sizeBytes > rules.maxFileBytes) {
    const most = formatSize('en', rules.maxFileBytes);
    return forbidden(
      `The file is larger than ${most}, the most that the rules here allow.`,
      'Split the file',
    );
  }
  return null;
};

/** Our own zip lies in the spool. The places of its files count instead, and they were judged when it was packed. */
export const ofZip = (rules: Allowance): Allowance => ({ ...rules, allowedRoots: [], forbiddenRoots: [] });

/** What is wrong with the place of a file or folder, as the end of a sentence; null when it may be shared. */
export const rootProblem = (place: Place, { allowedRoots, forbiddenRoots }: Roots): string | null => {
  const forbidden = forbiddenRoots.find((root) => mayLieIn(place, root));
  if (forbidden !== undefined) return `below ${forbidden.path}`;
  const isAllowed = allowedRoots.length === 0 || allowedRoots.some((root) => liesIn(place, root));
  return isAllowed ? null : `outside ${allowedRoots.map(({ path }) => path).join(', ')}`;
};

/** Whether it really lies there: by its real path, or because the root is one of the folders above it. */
export const liesIn = (place: Place, root: Place): boolean =>
  isBelowFolder(place, root) || root.names.slice(-1).some((base) => isWithin(base, realName(place)));

/** Whether it lies there by any of its names, also the written one, and whatever Unicode form its letters have. */
const mayLieIn = (place: Place, root: Place): boolean =>
  isBelowFolder(place, root) ||
  root.names.some((base) =>
    place.names.some(
      (name) => isWithin(base, name) || isWithin(base.normalize('NFC'), name.normalize('NFC')),
    ),
  );

const isBelowFolder = ({ folders }: Place, root: Place): boolean => {
  const [own = ''] = root.folders;
  return own !== '' && folders.includes(own);
};

const realName = ({ path, names }: Place): string => names.at(-1) ?? path;

const isWithin = (root: string, path: string): boolean => {
  const [base, below] = [comparable(root), comparable(path)];
  return base === below || relativeTo(base, below) !== null;
};

/** Windows ignores case and accepts both separators. */
const comparable = (path: string): string => {
  const isWindows = /^[a-z]:[\\/]|^\\\\/i.test(path);
  const whole = isWindows ? path.replaceAll('/', '\\').toLowerCase() : path;
  return whole.replace(isWindows ? /(?<=[^:\\])\\+$/ : /(?<=.)\/+$/, '');
};

/**
 * What is wrong with the type, as the beginning of a sentence. Allowed: the last ending of every reading. Forbidden:
 * any ending of any spelling, because programs and servers open `x.exe.txt` by either.
 */
const typeProblem = (
  names: Names,
  { allowedTypes, forbiddenTypes }: Pick<Allowance, 'allowedTypes' | 'forbiddenTypes'>,
): string | null => {
  const forbidden =
    forbiddenTypes.length === 0
      ? undefined
      : spellingsOf(names)
          .flatMap(endingsOf)
          .find((ending) => forbiddenTypes.includes(ending));
  if (forbidden !== undefined) return typed(forbidden);
  if (allowedTypes.length === 0) return null;
  const other = readingsOf(names)
    .map(lastEnding)
    .find((ending) => !allowedTypes.includes(ending));
  return other === undefined ? null : typed(other);
};

const typed = (ending: string): string =>
  ending === '' ? 'Files without an ending' : `Files of the type ${ending}`;

/**
 * Each ending alone and with those behind it: `x.tar.gz` has `tar`, `tar.gz`, `gz`. `.exe` has `exe`: Windows runs it,
 * web servers obey `.htaccess`, and a zip keeps such a name.
 */
const endingsOf = (name: string): string[] => {
  const endings = name.toLowerCase().split(/\s*\./).slice(1);
  return endings.flatMap((ending, at) => {
    const whole = endings.slice(at).join('.');
    return whole === ending ? [ending] : [whole, ending];
  });
};

/** Empty where there is none: `.pdf` is a hidden file and no PDF. */
const lastEnding = (name: string): string => /[^.][^]*\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const forbidden = (message: string, first: string): Refusal => ({
  kind: 'failed',
  code: 'forbidden',
  message,
  remedy: wording`${first}, or ask your administrator (${call('settings')} shows where it comes from).`,
});
