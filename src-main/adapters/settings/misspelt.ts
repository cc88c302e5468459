// A name in a policy that is no setting. One that looks like a misspelt guard stops the start: ignoring it would
// silently lift the guard. Any other unknown name is a warning: a policy may be newer than this program. A person who
// typed an unknown name gets the nearest ones.
import { AppError } from '../../contract/errors.ts';
import { formerSettings } from '../../contract/catalogue/settings.ts';
import { isGuard, settingNames, type SettingName } from '../../contract/settings.ts';

/** The share of a name that may be wrong: `forbiddenFolders` still means `forbiddenRoots`, `theme` means nothing. */
const mostWrong = 0.4;
/** No setting's name is half as long; longer ones are not compared. */
const maxLength = 60;
/** No path to a setting is longer. */
const maxWritten = 200;
/** A shorter first word proves little: a setting of a newer program may begin with `max`, `link` or `key`. */
const shortestWord = 5;
/** Policies are nested by mistake, one or two levels deep. */
const maxDepth = 3;

/** Throws `bad-setting` for a name that looks like a guard's, also for one inside the value of an unknown name. */
export const refuseMisspelt = (
  values: Readonly<Record<string, unknown>>,
  placeOf: (name: string) => string,
): void => {
  for (const [name, value] of Object.entries(values)) {
    if (isOurs(name)) continue;
    const guard = guardMeant(name) ?? guardInside(value);
    if (guard === null) continue;
    throw new AppError(
      'bad-setting',
      `${placeOf(name)}: there is no setting of the name ${JSON.stringify(name.slice(0, 50))}. It looks like the guard ${guard}, so nothing is uploaded until it is corrected.`,
      `Ask your administrator to correct the name or to remove it.`,
    );
  }
};

const isOurs = (name: string): boolean =>
  settingNames.some((one) => one === name) || Object.hasOwn(formerSettings, name);

/** Also finds a guard behind the path to it, as in `Outtray.holdSecrets`. */
const guardMeant = (name: string): SettingName | null => {
  for (const part of [name, ...name.slice(0, maxWritten).split(/[./\\:]/)]) {
    const guard = guardNear(part) ?? guardAlike(part);
    if (guard !== null) return guard;
  }
  return null;
};

/** The guard with the most similar name, if it is similar enough; else null. */
const guardNear = (name: string): SettingName | null => {
  const written = folded(name);
  if (written === '' || written.length > maxLength) return null;
  const near = settingNames
    .map((one) => ({ one, wrong: distance(written, folded(one)) }))
    .toSorted((a, b) => a.wrong - b.wrong || Number(isGuard(b.one)) - Number(isGuard(a.one)))[0];
  if (near === undefined || !isGuard(near.one)) return null;
  return near.wrong <= Math.floor(near.one.length * mostWrong) ? near.one : null;
};

/** A guard with the same first word, where no other setting has that word: `allowedFolders`, `auditLog`. */
const guardAlike = (name: string): SettingName | null => {
  const first = firstWord(name);
  if (first.length < shortestWord || isOurs(name)) return null;
  const alike = settingNames.filter((one) => firstWord(one) === first);
  return alike.every(isGuard) ? (alike[0] ?? null) : null;
};

/** `audit` of `auditFile`, `Audit-File` and `AUDIT_FILE`. */
const firstWord = (name: string): string => (/[A-Z]?[a-z]+|[A-Z]+/.exec(name)?.[0] ?? '').toLowerCase();

/** As many as a person reads at once. */
const mostNear = 3;

/** The names that a person may have meant: those that have the word in them first, then the nearest. */
export const nearestNames = (name: string): SettingName[] => {
  const written = folded(name).slice(0, maxLength);
  const far = (one: SettingName): number =>
    distance(written, folded(one)) - (written !== '' && folded(one).includes(written) ? maxLength : 0);
  return settingNames.toSorted((a, b) => far(a) - far(b)).slice(0, mostNear);
};

/** A guard in an object of an unknown name, as in `{"security": {"holdSecrets": true}}`. */
const guardInside = (value: unknown, depth = 1): SettingName | null => {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return null;
  for (const [name, inner] of Object.entries(value)) {
    const guard = guardMeant(name) ?? guardInside(inner, depth + 1);
    if (guard !== null) return guard;
  }
  return null;
};

/** `Hold-Secrets`, `hold_secrets` and `holdSecrets` are one name for a reader. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Letters to change, add, leave out or swap with the next one (optimal string alignment). */
const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
};
