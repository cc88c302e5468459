// The facts in a row of the settings. Data only: what needs code is a check, named here and written in checks.ts.
import type { ItemCheck, TextCheck } from './checks.ts';

/** The part of an administrator's papers that lists a setting. */
export type Group = 'service' | 'folder' | 'limits' | 'after' | 'network' | 'updates' | 'app' | 'rights';

type Facts = {
  group: Group;
  /**
   * A wrong value could send the key or the files elsewhere, make public what must not be, load a program from
   * elsewhere, or allow what an administrator forbids: nothing starts until it is right.
   */
  guards?: true;
  /** Few need it: the command, settings.json and a policy file set it, the window and Group Policy do not show it. */
  tuning?: true;
  /** A watched folder may have a value of its own. */
  byFolder?: true;
  /** It decides with which account of which service files are shared. */
  account?: true;
  /**
   * What a page may set by itself: any value, or only these, which are the careful ones; `hand`: any value after a
   * press of the user; `never`: not even after a question. If it is missing, a dialog of the system asks. The rules of
   * folders follow the same.
   */
  page?: 'any' | 'hand' | 'never' | readonly (boolean | string)[];
};

/** `null` as default: the value may be null. `example`: if it is missing, the default, or that of the check. */
type Kinds =
  | { kind: 'flag'; default: boolean }
  | {
      kind: 'whole';
      min: number;
      /** null: no limit. */
      max: number | null;
      unit?: 'milliseconds' | 'seconds' | 'minutes' | 'bytes' | 'bytes a second';
      /** What 0 means. */
      zero?: 'automatic' | 'no limit';
      /** How many of its units make one unit in the window. */
      per?: number;
      default: number | null;
      example?: number;
    }
  | { kind: 'share'; mayBeZero: boolean; default: number; example?: number }
  | { kind: 'choice'; of: readonly [string, ...string[]]; default: string; example?: string }
  | { kind: 'text' | 'path'; check: TextCheck; default: string | null; example?: string }
  | { kind: 'list'; of: ItemCheck; most: number; default: readonly []; example?: readonly string[] };

export type SettingRow = Kinds & Facts;

type Plain<R extends SettingRow> = R extends { kind: 'flag' }
  ? boolean
  : R extends { kind: 'whole' | 'share' }
    ? number
    : R extends { kind: 'choice'; of: readonly (infer Choice)[] }
      ? Choice
      : R extends { kind: 'list' }
        ? string[]
        : string;

export type ValueOf<R extends SettingRow> = Plain<R> | (R['default'] extends null ? null : never);
