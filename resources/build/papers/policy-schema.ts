// The JSON schema of a policy, from the one schema of the settings, and the shape of each setting read back from it.
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import {
  defaultSettings,
  settingNames,
  settingsSchema,
  type SettingName,
} from '../../../src-main/contract/settings.ts';
import { recommendedNames, settingsWords } from './settings-words.ts';

/** How a value is written in a registry, a property list and a table. */
export type Shape =
  | { kind: 'flag' }
  | { kind: 'whole'; min: number; max: number }
  | { kind: 'fraction'; mayBeZero: boolean }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'list' }
  | { kind: 'text' };

export const policySchema = (): Record<string, unknown> => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Outtray policy',
  description: 'Settings decided by an administrator. The API key is never one of them.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    recommended: {
      title: 'Recommended settings',
      description: 'Defaults that the user may change.',
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        recommendedNames.map((name) => [name, { $ref: `#/properties/${name}` }]),
      ),
    },
    ...Object.fromEntries(
      settingNames.map((name) => [
        name,
        {
          title: settingsWords[name].title,
          description: settingsWords[name].text,
          ...inPolicy(shapeless(name)),
          default: defaultSettings()[name],
        },
      ]),
    ),
  },
});

/** A policy may begin a path with a variable, which the settings themselves do not know. */
const inPolicy = (schema: JsonSchema): JsonSchema => {
  const { items } = schema;
  const isRoots = typeof items === 'object' && !Array.isArray(items) && items.pattern?.startsWith(rootStart);
  return isRoots === true
    ? { ...schema, items: { ...items, pattern: items.pattern?.replace(rootStart, `${rootStart}[$%]|`) } }
    : schema;
};

const rootStart = '^(\\/|';

/** Checks that a schema cannot express (of addresses) are left to Outtray; `null` is "the default" everywhere. */
const shapeless = (name: SettingName): JsonSchema => {
  const {
    $schema: _own,
    default: _given,
    ...rest
  } = toJsonSchema(settingsSchema.entries[name], {
    errorMode: 'ignore',
    typeMode: 'input',
  });
  return rest;
};

export const shapeOf = (name: SettingName): Shape => shapeIn(shapeless(name), name);

const shapeIn = (schema: JsonSchema, name: SettingName): Shape => {
  const branches = (schema.anyOf ?? []).filter(
    (branch): branch is JsonSchema => typeof branch === 'object' && branch.type !== 'null',
  );
  const [only, ...others] = branches;
  if (only !== undefined) return others.length === 0 ? shapeIn(only, name) : { kind: 'text' };
  if (schema.enum !== undefined) return { kind: 'choice', choices: schema.enum.map(String) };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'flag' };
    case 'integer':
      return { kind: 'whole', min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER };
    case 'number':
      return { kind: 'fraction', mayBeZero: schema.minimum === 0 };
    case 'array':
      return { kind: 'list' };
    case 'string':
      return { kind: 'text' };
    default:
      throw new Error(`No shape is known for the setting ${name}: ${JSON.stringify(schema)}`);
  }
};

/** A policy of a team, as sample. Every value is one the settings take; a test says so. */
export const samplePolicy = {
  baseUrl: 'https://files.example.com/api/v1',
  linkHosts: ['files.example.com', 'cdn.example.com'],
  allowedRoots: ['~/Outtray'],
  forbiddenRoots: ['~/Outtray/Private'],
  maxFileBytes: 2_000_000_000,
  maxExpireAfter: '31d',
  requireLookInside: true,
  auditFile: '~/outtray-audit.jsonl',
  forbiddenTypes: ['exe', 'msi'],
  holdSecrets: true,
  requestShare: 0.05,
  proxy: 'http://proxy.example.com:3128',
  caFile: '/etc/ssl/certs/example-ca.pem',
  updateMode: 'auto',
  updateFeed: 'https://updates.example.com/outtray',
  updateChannel: 'latest',
  allowAccountChange: false,
  recommended: { copyLink: 'always' },
} satisfies Partial<Record<SettingName | 'recommended', unknown>>;

/** For the guide: name, what it takes, default, what it is for. */
export const settingsTable = (): string =>
  [
    '| name | value | default | what it decides |',
    '| --- | --- | --- | --- |',
    ...settingNames.map((name) =>
      [
        '',
        ` \`${name}\` `,
        ` ${valueWords(shapeOf(name))} `,
        ` \`${JSON.stringify(defaultSettings()[name])}\` `,
        ` ${settingsWords[name].text} `,
        '',
      ].join('|'),
    ),
  ].join('\n');

const valueWords = (shape: Shape): string => {
  switch (shape.kind) {
    case 'flag':
      return 'true or false';
    case 'whole':
      return shape.max >= Number.MAX_SAFE_INTEGER
        ? `whole number from ${shape.min}`
        : `whole number, ${shape.min} to ${shape.max}`;
    case 'fraction':
      return shape.mayBeZero ? 'number, 0 to 1' : 'number over 0, at most 1';
    case 'choice':
      return shape.choices.join(', ');
    case 'list':
      return 'list of texts';
    case 'text':
      return 'text';
  }
};
