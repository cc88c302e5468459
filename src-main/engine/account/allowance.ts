// The rules of an administrator (or a careful user) about what may become public: from which folders, how large, which
// types of files. They apply to every file, watched or given by hand, when it has settled. Pure.
import type { UploadState } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import { relativeTo } from '../shared/paths.ts';

export type Allowance = Pick<
  Settings,
  'allowedRoots' | 'forbiddenRoots' | 'maxFileBytes' | 'allowedTypes' | 'forbiddenTypes'
>;

export type Refusal = Extract<UploadState, { kind: 'failed' }> & {
  code: 'outside' | 'refused' | 'too-large';
};

/** Null when the file may be shared. `path` is absolute. */
export const refusal = (path: string, sizeBytes: number, rules: Allowance): Refusal | null => {
  const root = rootProblem(path, rules);
  if (root !== null) return failed('outside', `Files ${root} are not shared.`, 'Put it in another folder');
  const ending = endingOf(path);
  const isListed = rules.allowedTypes.length === 0 || rules.allowedTypes.includes(ending);
  if (!isListed || rules.forbiddenTypes.includes(ending)) {
    const kind = ending === '' ? 'Files without an ending' : `Files of the type ${ending}`;
    return failed('refused', `${kind} are not shared.`, 'Share another kind of file');
  }
  if (rules.maxFileBytes !== null && sizeBytes > rules.maxFileBytes) {
    return failed(
      'too-large',
      `The file has ${sizeBytes} bytes; the settings allow ${rules.maxFileBytes}.`,
      'Split the file',
    );
  }
  return null;
};

/** A zip of ours lies in the spool. The places of its files count, and each was looked at when it was packed. */
export const ofZip = (rules: Allowance): Allowance => ({ ...rules, allowedRoots: [], forbiddenRoots: [] });

/** What is wrong with the place of a file or folder, as the end of a sentence; null when it may be shared. */
export const rootProblem = (
  path: string,
  { allowedRoots, forbiddenRoots }: Pick<Allowance, 'allowedRoots' | 'forbiddenRoots'>,
): string | null => {
  const forbidden = forbiddenRoots.find((root) => isWithin(root, path));
  if (forbidden !== undefined) return `below ${forbidden}`;
  const isAllowed = allowedRoots.length === 0 || allowedRoots.some((root) => isWithin(root, path));
  return isAllowed ? null : `outside ${allowedRoots.join(', ')}`;
};

const isWithin = (root: string, path: string): boolean => {
  const [base, below] = [comparable(root), comparable(path)];
  return base === below || relativeTo(base, below) !== null;
};

/** Windows does not tell capitals from small letters, and reads both separators. */
const comparable = (path: string): string => {
  const isWindows = /^[a-z]:[\\/]|^\\\\/i.test(path);
  const whole = isWindows ? path.replaceAll('/', '\\').toLowerCase() : path;
  return whole.replace(isWindows ? /(?<=[^:\\])\\+$/ : /(?<=.)\/+$/, '');
};

const endingOf = (path: string): string => {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
};

const failed = (code: Refusal['code'], message: string, advice: string): Refusal => ({
  kind: 'failed',
  code,
  message,
  remedy: `${advice}, or ask your administrator (\`outtray settings\` shows where it comes from).`,
});
