// What an administrator may forbid the user; each is a setting. One check for commands, window and tray.
import type { Right } from './catalogue/calls.ts';
import { eachHandler, type Handlers } from './commands.ts';
import { AppError } from './errors.ts';
import { rowOf, type SettingName, type Settings, type SettingView } from './settings.ts';

export type RightSettings = { current(): Settings; view(): readonly SettingView[] };

const refusals: Record<Right, string> = {
  allowPause: 'Uploads cannot be paused',
  allowCopy: 'Nothing can be copied to the clipboard',
  allowGivenFiles: 'Only files in the watched folder are shared',
  allowAccountChange: 'The account cannot be changed',
};

export const isAccountSetting = (name: SettingName): boolean => rowOf(name).account === true;

/** For what is pasted or piped in: it lies in no folder. Throws `not-allowed`. */
export const requireNoRoots = ({ allowedRoots }: Pick<Settings, 'allowedRoots'>): void => {
  if (allowedRoots.length === 0) return;
  throw new AppError(
    'not-allowed',
    `Only what is below ${allowedRoots.join(', ')} is shared (setting allowedRoots), and what is pasted or piped in is in no folder.`,
    'Save it there as a file and upload that file, or ask your administrator.',
  );
};

/** Throws `not-allowed`. */
export const requireRight = (settings: RightSettings, right: Right): void => {
  if (settings.current()[right]) return;
  const lockedBy = settings.view().find(({ name }) => name === right)?.lockedBy ?? null;
  const why = `${refusals[right]}: the setting ${right} is false.`;
  throw lockedBy === null
    ? new AppError('not-allowed', why, `Set ${right} to true.`)
    : new AppError('not-allowed', `${why} ${lockedBy}`, 'Ask your administrator.');
};

/** The same handlers, each behind the right that its row names. */
export const withRights = (handlers: Handlers, settings: RightSettings): Handlers =>
  eachHandler(handlers, ({ right }, handle) =>
    right === undefined
      ? handle
      : (input, signal) => {
          requireRight(settings, right);
          return handle(input, signal);
        },
  );
