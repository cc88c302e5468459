// The settings as the catalogue has them: one schema for the window, `settings.json`, the command line and the policy.
import * as v from 'valibot';
import { itemChecks, textChecks } from './catalogue/checks.ts';
import type { SettingRow, ValueOf } from './catalogue/kinds.ts';
import { namesWith, type NamesWith } from './catalogue/rows-with.ts';
import { settingRows } from './catalogue/settings.ts';

type Rows = typeof settingRows;
export type SettingName = keyof Rows;
export type Settings = { [Name in SettingName]: ValueOf<Rows[Name]> };

export const settingNames = Object.keys(settingRows) as SettingName[];

export const rowOf = (name: SettingName): SettingRow => settingRows[name];

/** The settings of a kind. */
export type NameOfKind<Kind extends SettingRow['kind']> = NamesWith<Rows, { kind: Kind }>;

const valueSchema = (row: SettingRow): v.GenericSchema => {
  switch (row.kind) {
    case 'flag':
      return v.boolean();
    case 'whole':
      return v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(row.min),
        v.maxValue(row.max ?? Number.MAX_SAFE_INTEGER),
      );
    case 'share':
      return v.pipe(
        v.number(),
        row.mayBeZero ? v.minValue(0) : v.gtValue(0, 'must be over 0'),
        v.maxValue(1),
      );
    case 'choice':
      return v.picklist(row.of);
    case 'text':
    case 'path':
      return textChecks[row.check].schema;
    case 'list':
      return v.pipe(v.array(itemChecks[row.of].schema), v.maxLength(row.most));
  }
};

const entryOf = (name: SettingName) => {
  const row = rowOf(name);
  const schema = valueSchema(row);
  return v.optional(row.default === null ? v.nullable(schema) : schema, row.default);
};

/** A test checks every row: types cannot show that the schema of a row accepts its values. */
type Entries = { [Name in SettingName]: v.OptionalSchema<v.GenericSchema<Settings[Name]>, Settings[Name]> };
const entries: Record<string, unknown> = Object.fromEntries(
  settingNames.map((name) => [name, entryOf(name)]),
);
export const settingsSchema = v.object(entries as Entries);

export const isGuard = (name: SettingName): boolean => rowOf(name).guards === true;

/** Settings that a watched folder may have of its own. */
export const folderSettings = namesWith(settingRows, { byFolder: true });
type FolderSetting = (typeof folderSettings)[number];

/** The rules of a watched folder's own. `paused`: its files wait, while those of other folders are uploaded. */
export type OwnRules = { [Name in FolderSetting]?: Settings[Name] } & { paused?: boolean };
type OwnEntries = {
  [Name in keyof OwnRules]-?: v.ExactOptionalSchema<v.GenericSchema<Required<OwnRules>[Name]>, undefined>;
};
const ownEntries: Record<string, unknown> = Object.fromEntries(
  folderSettings.map((name) => [name, v.exactOptional(settingsSchema.entries[name].wrapped)]),
);
export const ownRulesSchema = v.object({
  ...(ownEntries as Omit<OwnEntries, 'paused'>),
  paused: v.exactOptional(v.boolean()),
});
/** The rules in force in a folder: its own, and the settings where it has none. */
export type FolderRules = Required<OwnRules>;
export type FolderRule = keyof FolderRules;

export const folderRules: readonly FolderRule[] = [...folderSettings, 'paused'];

export const isFolderRule = (name: string): name is FolderRule => folderRules.some((one) => one === name);

/**
 * The rules of a folder with this one changed, or what is wrong with the value. Value null: the folder has none of its
 * own.
 */
export const withRule = (
  own: OwnRules,
  name: FolderRule,
  value: unknown,
): { ok: true; own: OwnRules } | { ok: false; problem: string } => {
  const { [name]: _before, ...others } = own;
  const result = v.safeParse(ownRulesSchema, value === null ? others : { ...others, [name]: value });
  return result.success ? { ok: true, own: result.output } : { ok: false, problem: result.issues[0].message };
};

/** The watched folders, the first one first. */
export const watchedPaths = ({ folder, folders }: Pick<Settings, 'folder' | 'folders'>): string[] => [
  ...new Set([...(folder === null ? [] : [folder]), ...folders]),
];

/** Where a value comes from; the first that is set wins. */
export type SettingOrigin = 'policy' | 'command-line' | 'environment' | 'user' | 'recommended' | 'default';

export type SettingView = {
  [Name in SettingName]: {
    name: Name;
    value: Settings[Name];
    origin: SettingOrigin;
    /** Set when the value is locked: a sentence that names who locked it. */
    lockedBy: string | null;
  };
}[SettingName];

/** The values a setting chooses from; empty for a free one. */
export const settingChoices = (name: SettingName): readonly string[] => {
  const row = rowOf(name);
  if (row.kind === 'flag') return ['true', 'false'];
  return row.kind === 'choice' ? row.of : [];
};

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingRows, name);

export const defaultSettings = (): Settings => v.parse(settingsSchema, {});

/** One value against the schema: the clean value, or a message that names what is wrong. */
export const checkSetting = (
  name: SettingName,
  value: unknown,
): { ok: true; value: unknown } | { ok: false; problem: string } => {
  const result = v.safeParse(settingsSchema.entries[name], value);
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, problem: result.issues[0].message };
};
