// The settings in force. The first of these that has a value wins: policy, command line, environment, the user's file,
// what the policy recommends, the default. The app and the command share the file; a process that learns of the other's
// change calls `reload`.
import { isDeepStrictEqual } from 'node:util';
import { AppError, toAppError } from '../../contract/errors.ts';
import {
  defaultSettings,
  isGuard,
  isSettingName,
  settingNames,
  type SettingName,
  type SettingOrigin,
  type Settings,
  type SettingView,
} from '../../contract/settings.ts';
import { formerSettings } from '../../contract/catalogue/settings.ts';
import type { SettingsPort } from '../../engine/ports/ports.ts';
import { homedir } from 'node:os';
import { accountHome, atHome, expandedPaths, realFileOr, realOr, withHome } from './setting-paths.ts';
import { refuseMisspelt } from './misspelt.ts';
import { checkedValue, mustBe, settingNamed } from './setting-text.ts';
import { whileLocked } from './settings-lock.ts';
import { tooOld } from './too-old.ts';
import { keepGoodCopy, readSettingsFile, writeSettingsFile, type RawSettings } from './settings-file.ts';

export type PolicyGiven = {
  /** As the administrator wrote them; they are checked here, like every other layer. */
  values: Record<string, unknown>;
  /** Defaults that the user may change. */
  recommended?: Record<string, unknown>;
  /** Where the policy is stored, for the sentence that names who locked a value. */
  source: string;
  /** Where each locked value is stored, of a policy in several files. */
  sources?: Readonly<Record<string, string>>;
};

export type SettingsStore = SettingsPort & {
  /** Every setting with its value, where it comes from and who locked it. */
  view(): SettingView[];
  /**
   * Checks a value and writes it to the user's file; `null` goes back to the default. Throws `bad-setting` when the
   * value is wrong or locked by policy, `disk` when it cannot be written. A value that the command line or the
   * environment overrides in this run is written all the same and counts from the next run on.
   */
  set(name: string, value: unknown): Promise<void>;
  /** Reads the file again. Throws like `openSettings` and then keeps what was in force. */
  reload(): void;
  /**
   * The policy may have changed. While it cannot be trusted or used, the settings in force stay, and nothing is
   * uploaded (`barred`). False: nothing has changed.
   */
  adoptPolicy(read: () => PolicyGiven): boolean;
  /** The value of this setting in each place that has one. */
  layers(name: SettingName): Readonly<Partial<Record<SettingOrigin, unknown>>>;
  /** What was ignored, as sentences. */
  warnings(): readonly string[];
  /** Settings that this version no longer has, as sentences: no one has to act. */
  former(): readonly string[];
};

type Layer = { origin: SettingOrigin; values: Partial<Record<SettingName, unknown>> };
type Kept = ReturnType<typeof usable>;
type InForce = {
  settings: Settings;
  origins: Map<SettingName, SettingOrigin>;
  warnings: string[];
  former: string[];
  layers: readonly Layer[];
};

type SettingsGiven = {
  file: string;
  policy: PolicyGiven;
  /** Given on the command line for this run. */
  overrides?: Partial<Record<SettingName, unknown>>;
  env?: NodeJS.ProcessEnv;
  /** The home of the account, for the paths of a policy. */
  home?: () => string;
  /** Throws `bad-setting` when this file is not, and cannot become, an audit file. */
  demandAuditFile?: (file: string) => void;
  /** What `~` stands for in the user's own settings. */
  userHome?: string;
  /** Of this program, for `minimumVersion`. */
  version: string;
  wallMs?: () => number;
};

/**
 * Throws `bad-setting` when the file cannot be understood, when something given on the command line or in the
 * environment is wrong, or when a wrong value of a security setting would be in force. Other wrong values and unknown
 * names are ignored with a warning.
 */
export const openSettings = ({
  file,
  policy: policyAtFirst,
  overrides = {},
  env = {},
  home = accountHome,
  demandAuditFile,
  userHome = homedir(),
  version,
  wallMs = Date.now,
}: SettingsGiven): SettingsStore => {
  const listeners = new Set<(settings: Settings) => void>();
  const fromOutside = [
    outside('command-line', 'Command line', overrides),
    outside('environment', 'Environment', fromEnvironment(env)),
  ];

  let managed = managedBy(policyAtFirst, { env, home });

  const read = (raw: RawSettings, policy = managed): InForce =>
    layered(raw, policy, { file, fromOutside, userHome });

  const atFirst = readSettingsFile(file);
  let inForce = read(atFirst);
  keepGoodCopy(file, atFirst);
  let unusablePolicy: AppError | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();

  /** `changed`: a change of what is locked counts as well. */
  const adopt = (next: InForce, changed = !isDeepStrictEqual(next.settings, inForce.settings)) => {
    inForce = next;
    if (changed) for (const hear of listeners) hear(next.settings);
  };

  const lockedBy = (name: SettingName): string | null => {
    if (Object.hasOwn(managed.locked.values, name))
      return `Set by your administrator in ${managed.placeOf(name)}.`;
    if (name !== 'lookInside' || !inForce.settings.requireLookInside) return null;
    return lockedBy('requireLookInside') ?? 'The setting requireLookInside is on.';
  };

  const floor = () => tooOld(inForce.settings.minimumVersion, { version, nowMs: wallMs() });

  const write = async (name: SettingName, value: unknown) => {
    const raw = rawWith(file, name, value);
    read(raw); // What cannot be in force is not written.
    await writeSettingsFile(file, raw);
    keepGoodCopy(file, raw);
    // Anew: a policy may have arrived meanwhile.
    adopt(read(raw));
  };

  return {
    current: () => inForce.settings,
    isLocked: (name) => lockedBy(name) !== null,
    onChange(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    view: () =>
      settingNames.map((name) => {
        const origin = inForce.origins.get(name) ?? 'default';
        // Name and value belong together, which a mapped union cannot express.
        return { name, value: inForce.settings[name], origin, lockedBy: lockedBy(name) } as SettingView;
      }),
    async set(name, value) {
      const setting = settingNamed(name);
      const locked = lockedBy(setting);
      if (locked !== null)
        throw new AppError('bad-setting', `${setting} is locked. ${locked}`, 'Ask your administrator.');
      const checked = checkedValue(setting, value);
      if (setting === 'auditFile' && typeof checked === 'string') demandAuditFile?.(atHome(checked));
      const written = lastWrite.then(() => whileLocked(file, () => write(setting, checked)));
      lastWrite = written.catch(() => {});
      await written;
    },
    reload: () => adopt(read(readSettingsFile(file))),
    barred: () => unusablePolicy ?? floor()?.bars ?? null,
    adoptPolicy(readPolicy) {
      const before = unusablePolicy?.message;
      unusablePolicy = null;
      let now = inForce;
      let isNews = false;
      try {
        const next = managedBy(readPolicy(), { env, home });
        now = read(readSettingsFile(file), next);
        isNews = !isDeepStrictEqual(next.locked.values, managed.locked.values);
        managed = next;
      } catch (error) {
        unusablePolicy = toAppError(error);
      }
      isNews ||= before !== unusablePolicy?.message || !isDeepStrictEqual(now.settings, inForce.settings);
      adopt(now, isNews);
      return isNews;
    },
    layers: (name) =>
      Object.fromEntries(
        inForce.layers
          .filter(({ values }) => Object.hasOwn(values, name))
          .map(({ origin, values }) => [origin, values[name]]),
      ),
    warnings: () => [
      ...(unusablePolicy === null ? [] : [unusablePolicy.message]),
      ...(floor()?.sentences ?? []),
      ...inForce.warnings,
    ],
    former: () => inForce.former,
  };
};

/** All layers together, the strongest first. */
const layered = (
  raw: RawSettings,
  { locked, recommended }: Pick<ReturnType<typeof managedBy>, 'locked' | 'recommended'>,
  { file, fromOutside, userHome }: { file: string; fromOutside: readonly Layer[]; userHome: string },
): InForce => {
  const given: Layer[] = [{ origin: 'policy', values: locked.values }, ...fromOutside];
  const isGiven = (name: SettingName) => given.some(({ values }) => Object.hasOwn(values, name));
  const user = usable(
    raw,
    () => file,
    (name) => isGuard(name) && !isGiven(name),
  );
  const layers: Layer[] = [
    ...given,
    { origin: 'user', values: user.values },
    { origin: 'recommended', values: recommended.values },
  ];
  return {
    ...merge(layers, userHome),
    layers,
    warnings: [...locked.warnings, ...recommended.warnings, ...user.warnings],
    former: [...locked.former, ...recommended.former, ...user.former],
  };
};

/** What the file would be with this value; null: with none. */
const rawWith = (file: string, name: SettingName, value: unknown): RawSettings => {
  const { [name]: _before, ...before } = readSettingsFile(file);
  const others = Object.fromEntries(
    Object.entries(before).filter(([one]) => !Object.hasOwn(formerSettings, one)),
  );
  return value === null ? others : { ...others, [name]: value };
};

const outside = (origin: 'command-line' | 'environment', place: string, raw: RawSettings): Layer => ({
  origin,
  values: usable(
    raw,
    () => place,
    () => true,
  ).values,
});

/** Checks the values of a policy. */
const managedBy = (policy: PolicyGiven, { env, home }: Required<Pick<SettingsGiven, 'env' | 'home'>>) => {
  const placeOf = (name: string): string => policy.sources?.[name] ?? policy.source;
  const part = (values: RawSettings, place: (name: string) => string): Kept => {
    refuseMisspelt(values, place);
    return usable(values, place, isGuard, (name, value) =>
      expandedPaths(name, value, { source: place(name), env, home }),
    );
  };
  return {
    placeOf,
    locked: part(policy.values, placeOf),
    recommended: part(policy.recommended ?? {}, () => policy.source),
  };
};

const fromEnvironment = (env: NodeJS.ProcessEnv): RawSettings => {
  const baseUrl = env['OUTTRAY_BASE_URL'] ?? '';
  return baseUrl === '' ? {} : { baseUrl };
};

/**
 * The values that can be used. A wrong one throws where it `must` be right; elsewhere it is left out with a warning. An
 * exception of `prepare` is thrown for every setting.
 */
const usable = (
  raw: RawSettings,
  placeOf: (name: string) => string,
  must: (name: SettingName) => boolean,
  prepare: (name: SettingName, value: unknown) => unknown = (_, value) => value,
) => {
  const values: Partial<Record<SettingName, unknown>> = {};
  const warnings: string[] = [];
  const former: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const source = placeOf(name);
    if (Object.hasOwn(formerSettings, name)) {
      former.push(`${source}: Outtray no longer has the setting ${name}. ${formerSettings[name]}`);
      continue;
    }
    if (!isSettingName(name)) {
      warnings.push(
        `${source}: there is no setting of the name ${JSON.stringify(name.slice(0, 50))}; ignored.`,
      );
      continue;
    }
    const prepared = prepare(name, value);
    try {
      values[name] = checkedValue(name, prepared, source);
    } catch (error) {
      if (must(name)) throw error;
      warnings.push(`${source}: ${name} ${mustBe(name)}; ignored.`);
    }
  }
  return { values, warnings, former };
};

/** The first layer that has a value wins; `null` in a layer is the default. */
const merge = (layers: readonly Layer[], userHome: string): Pick<InForce, 'settings' | 'origins'> => {
  const settings: RawSettings = defaultSettings();
  const origins = new Map<SettingName, SettingOrigin>();
  for (const name of settingNames) {
    const layer = layers.find(({ values }) => Object.hasOwn(values, name));
    if (layer === undefined) continue;
    settings[name] = layer.values[name] ?? settings[name];
    origins.set(name, layer.origin);
  }
  // Every value has passed its own schema.
  const valid = withHome(settings as Settings, userHome);
  if (valid.requireLookInside) valid.lookInside = true;
  const isOfPolicy = (name: SettingName): boolean =>
    ['policy', 'recommended'].includes(origins.get(name) ?? '');
  // A folder that the user chose is stored by its real path already.
  if (isOfPolicy('folder') && valid.folder !== null) valid.folder = realOr(valid.folder);
  if (isOfPolicy('folders')) valid.folders = valid.folders.map(realOr);
  // The audit file is never shared, whatever path names it.
  if (valid.auditFile !== null) valid.auditFile = realFileOr(valid.auditFile);
  return { settings: valid, origins };
};
