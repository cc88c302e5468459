// The checks of `outtray doctor`: each examines one thing that a user can repair, and gives the remedy.
import { call, wording, type Wording } from '../../contract/text/wording.ts';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { Check } from '../../contract/answers.ts';
import { AppError, toAppError, type ErrorCode } from '../../contract/errors.ts';
import { sharedDriveText } from '../../contract/text/formats.ts';
import { disks, type Disks } from '../files/disk.ts';
import { watchedPaths, type SettingName, type SettingOrigin } from '../../contract/settings.ts';
import type { Disk } from '../../engine/ports/files.ts';
import type { Keys, Places, SettingsPort } from '../../engine/ports/ports.ts';

/** Below this the ledger may fail to record. */
const minFreeBytes = 200_000_000;
/** Budgets are kept by time: a clock this far off makes them wrong. */
const maxClockSkewMs = 120_000;

type DoctorOptions = {
  settings: SettingsPort & {
    /** Each setting with the origin of its value. */
    view: () => readonly { name: SettingName; origin: SettingOrigin }[];
    warnings: () => readonly string[];
  };
  keys: Keys;
  places: Places;
  /** The ledger and the folder it is in. */
  data: {
    folder: string;
    /** Throws the reason why the ledger cannot be written. */
    probe: () => void;
    /** A damaged ledger that was set aside; null: there is none. */
    setAside: () => string | null;
    /** Throws the reason why this audit file cannot be written. */
    checkAudit: (file: string) => void;
  };
  /** One request. `serverDateMs`: the service's clock by the Date of its answer; null when it has none. */
  reach: (signal: AbortSignal) => Promise<{ plan: string; serverDateMs: number | null }>;
  system: {
    watches: () => Promise<{ ok: boolean; message: string; remedy: Wording }>;
    disks?: Pick<Disks, 'of' | 'hanging'>;
    /** Throws when the disk that a path leads to does not answer. */
    answers: (path: string) => Promise<unknown>;
    /** Between two scans, if other machines write to the folder's drive. */
    scanMinutes: (folder: string) => number | undefined;
    /** How many authorities the system's store has, and why none of them is trusted. */
    authorities: () => Promise<{ count: number; problem: string | null }>;
    /** The app's windows run without Chromium's sandbox. False where there are none. */
    isUnsandboxed: () => boolean;
  };
  wallMs: () => number;
};

export const createDoctor = (options: DoctorOptions) => {
  const { settings, keys, data, system } = options;

  /** Follows links. Asks no disk that may hang. */
  const diskOf = (path: string): Disk => {
    const { of, hanging } = system.disks ?? disks;
    return of(hanging(path)?.path ?? path);
  };

  const checkSettings = (): Promise<Check> => {
    const warnings = settings.warnings();
    return Promise.resolve({
      name: 'settings',
      ok: warnings.length === 0,
      message: `${warnings.length === 0 ? 'All settings are valid.' : warnings.join(' ')}${originsText(settings.view())}`,
      remedy:
        warnings.length === 0
          ? ''
          : (settings.barred()?.remedy ??
            wording`Correct settings.json, or run ${call('settings', 'unset NAME')}; a policy is your administrator's.`),
    });
  };

  const checkFolder = async (): Promise<Check> => {
    const folders = watchedPaths(settings.current());
    if (folders.length === 0) {
      return {
        name: 'folder',
        ok: null,
        message: 'No folder is chosen.',
        remedy: wording`Run ${call('watch', 'DIR')}.`,
      };
    }
    let drives = '';
    for (const [at, folder] of folders.entries()) {
      const real = await options.places.acceptFolder(folder);
      await options.places.assertApart(real, folders.slice(0, at));
      const minutes = system.scanMinutes(real);
      if (minutes !== undefined) drives += ` ${folder} is on ${sharedDriveText(minutes)}.`;
      await access(folder, constants.R_OK | constants.X_OK).catch((cause: unknown) => {
        throw new AppError('locked', `${folder} cannot be read.`, 'Give your account read permission.', {
          cause,
        });
      });
    }
    return fine('folder', `${folders.join(', ')} can be read.${drives}`);
  };

  const checkDisk = async (): Promise<Check> => {
    const { bavail, bsize } = await statfs(data.folder);
    const freeBytes = bavail * bsize;
    data.probe();
    const free = `${Math.floor(freeBytes / 1_000_000)} MB are free`;
    if (freeBytes < minFreeBytes)
      return {
        name: 'disk',
        ok: false,
        message: `Only ${free} where the ledger is kept.`,
        remedy: 'Free up disk space.',
      };
    return warned(fine('disk', `${free} for the ledger.${setAsideText()}`), {
      danger: dangerOf('The data folder', diskOf(data.folder)),
      remedy: 'Move it to a local disk, and name that folder in OUTTRAY_HOME.',
    });
  };

  const setAsideText = (): string => {
    const file = data.setAside();
    return file === null ? '' : ` One that was damaged, or of an earlier version, was set aside as ${file}.`;
  };

  /** Only where a policy, or the user, names a file. */
  const checkAudit = async (file: string): Promise<Check> => {
    const disk = diskOf(file);
    // The check itself cannot be abandoned.
    if (disk.mayHang) await system.answers(file);
    data.checkAudit(file);
    return warned(fine('audit', `The audit file ${file} can be written.`), {
      danger: dangerOf('It', disk),
      remedy: 'Name a file on a local disk in the setting auditFile.',
    });
  };

  const checkWatcher = async (): Promise<Check> => ({ name: 'watcher', ...(await system.watches()) });

  const checkCertificates = async (): Promise<Check> => {
    const { count, problem } = await system.authorities();
    const { caFile } = settings.current();
    const beside = caFile === null ? '' : ` Those in ${caFile} (setting caFile) are trusted as well.`;
    return problem === null
      ? fine('certificates', `The ${count} certificate authorities of this system are trusted.${beside}`)
      : {
          name: 'certificates',
          ok: null,
          message: `The certificate authorities of this system cannot be read (${problem}); only those that come with Outtray are trusted.${beside}`,
          remedy: caFile === null ? 'A company’s own authority can be named in the setting caFile.' : '',
        };
  };

  return async (signal: AbortSignal): Promise<Check[]> => {
    const { auditFile } = settings.current();
    const local = await Promise.all([
      safely('settings', checkSettings),
      safely('keychain', () => checkKeychain(keys)),
      safely('folder', checkFolder),
      safely('watcher', checkWatcher),
      safely('disk', checkDisk),
      safely('certificates', checkCertificates),
      ...(auditFile === null ? [] : [safely('audit', () => checkAudit(auditFile))]),
    ]);
    return [...local, ...checkSandbox(system.isUnsandboxed()), ...(await checkService(options, signal))];
  };
};

const checkService = async (
  options: Pick<DoctorOptions, 'reach' | 'wallMs'>,
  signal: AbortSignal,
): Promise<Check[]> => {
  try {
    const { plan, serverDateMs } = await options.reach(signal);
    const skewMs = serverDateMs === null ? null : options.wallMs() - serverDateMs;
    const isOff = skewMs !== null && Math.abs(skewMs) > maxClockSkewMs;
    return [
      fine('network', 'The service answers.'),
      fine('key', `The service accepts the key (plan ${plan}).`),
      {
        name: 'clock',
        ok: skewMs === null ? null : !isOff,
        message:
          skewMs === null
            ? 'The service does not say what time it is.'
            : isOff
              ? `This machine's clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service's.`
              : "This machine's clock agrees with the service's.",
        remedy: isOff ? 'Let the system set its clock by network time.' : '',
      },
    ];
  } catch (caught) {
    const { code, message, remedy } = toAppError(caught);
    // The errors of commands arrive as data: only the code shows whether the service answered.
    const answered = ['key-refused', 'unknown-key', 'plan', 'limit'].includes(code);
    if (notAsked.includes(code))
      return [{ name: 'network', ok: null, message: `Not tried: ${message}`, remedy, code }];
    return [
      answered ? fine('network', 'The service answers.') : failing('network', code, message, remedy),
      ...(answered ? [failing('key', code, message, remedy)] : []),
    ];
  }
};

const checkKeychain = async (keys: Keys): Promise<Check> => {
  const state = await keys.state();
  const name = 'keychain';
  switch (state.kind) {
    case 'stored':
      return fine(name, `The key is in the keychain (it ends in ${state.lastFour}).`);
    case 'environment':
      return fine(name, `The key comes from OUTTRAY_API_KEY (it ends in ${state.lastFour}).`);
    case 'command':
      return fine(name, `The key comes from the key command (it ends in ${state.lastFour}).`);
    case 'session':
      return failing(name, 'keychain-unavailable', 'The key is kept for this session only.', state.remedy);
    case 'absent':
      return failing(name, 'key-missing', 'No key is stored.', wording`Run ${call('login')}.`);
    case 'locked':
      return failing(name, 'keychain-locked', 'The keychain is locked.', state.remedy);
    case 'unavailable':
      return failing(
        name,
        'keychain-unavailable',
        state.message ?? 'No keychain answers on this machine.',
        state.remedy,
      );
  }
};

/** Reported only when the sandbox is off: the AppImage found no user namespaces, or the user switched it off. */
const checkSandbox = (isUnsandboxed: boolean): Check[] =>
  isUnsandboxed
    ? [
        {
          name: 'sandbox',
          ok: null,
          message: 'Outtray is running without Chromium’s sandbox (--no-sandbox).',
          remedy:
            'The deb or rpm includes the AppArmor profile that allows it; for an AppImage see “Linux” in the administrator’s guide.',
        },
      ]
    : [];

/** With these codes no request was made. */
const notAsked: readonly ErrorCode[] = [
  'key-missing',
  'keychain-locked',
  'keychain-unavailable',
  'budget',
  'disk',
  'ledger',
];

/** Names only values that were set; `outtray settings` lists the defaults. */
const originsText = (origins: readonly { name: SettingName; origin: SettingOrigin }[]): string =>
  (['policy', 'command-line', 'environment', 'user', 'recommended'] as const)
    .map((origin) => {
      const names = origins.filter((one) => one.origin === origin).map(({ name }) => name);
      return names.length === 0 ? '' : ` From ${originWords[origin]}: ${names.join(', ')}.`;
    })
    .join('');

const originWords: Record<SettingOrigin, string> = {
  policy: 'your administrator',
  'command-line': 'the command line',
  environment: 'the environment',
  user: 'you',
  recommended: 'your administrator’s recommendations',
  default: 'nobody',
};

/** Why this disk is a bad place for `what`; null: it is a good one. */
const dangerOf = (what: string, { kind, isShared, mayHang, keepsInodes }: Disk): string | null => {
  const stop = 'as long as that does not answer, Outtray stands still';
  if (isShared) return `${what} is on a network drive (${kind}): ${stop}.`;
  if (mayHang) return `${what} is on a drive that another program answers for (${kind}): ${stop}.`;
  // Here only the file systems of USB sticks keep no inodes.
  return keepsInodes
    ? null
    : `${what} is on a drive without permissions (${kind}): other users of this machine may read it.`;
};

const warned = (check: Check, { danger, remedy }: { danger: string | null; remedy: Wording }): Check =>
  danger === null ? check : { ...check, ok: null, message: `${check.message} ${danger}`, remedy };

const fine = (name: string, message: string): Check => ({ name, ok: true, message, remedy: '' });

const failing = (name: string, code: ErrorCode, message: string, remedy: Wording): Check => ({
  name,
  ok: false,
  message,
  remedy,
  code,
});

const safely = async (name: string, check: () => Promise<Check>): Promise<Check> => {
  try {
    return await check();
  } catch (caught) {
    const { code, message, remedy } = toAppError(caught);
    return failing(name, code, message, remedy);
  }
};
