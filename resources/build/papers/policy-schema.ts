// The JSON schema of a policy, from the one schema of the settings, and the page of settings.
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import type { SettingRow } from '../../../src-main/contract/catalogue/kinds.ts';
import {
  defaultSettings,
  rowOf,
  settingNames,
  settingsSchema,
  type SettingName,
} from '../../../src-main/contract/settings.ts';
import { policyWords, recommendedNames } from './policy-words.ts';

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
          title: policyWords.settings[name].title,
          description: policyWords.settings[name].text,
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

/** A sample policy of a team. A test checks that the settings accept every value. */
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

/** Markdown of resources/docs/settings.md: each setting's name, accepted values, default and purpose. */
export const settingsPage = (): string =>
  [
    '# All settings',
    '',
    'The names are the same everywhere: in `outtray settings set NAME VALUE`, in a policy, and in `settings.json`. `outtray settings`',
    'shows each with its value and where that comes from; `outtray settings unset NAME` brings the default back. Most of them are',
    'in the window’s _Settings_ too; an administrator [decides them for everybody](admin-guide.md#decide-settings-for-everybody).',
    'In JSON, `null` is no value. `npm run papers` writes this page.',
    '',
    '| name | value | default | what it decides |',
    '| --- | --- | --- | --- |',
    ...settingNames.map((name) =>
      [
        '',
        ` \`${name}\` `,
        ` ${valueWords(rowOf(name))} `,
        ` \`${JSON.stringify(defaultSettings()[name])}\` `,
        ` ${policyWords.settings[name].text} `,
        '',
      ].join('|'),
    ),
    '',
  ].join('\n');

const valueWords = (row: SettingRow): string => {
  switch (row.kind) {
    case 'flag':
      return 'true or false';
    case 'whole':
      return row.max === null ? `whole number from ${row.min}` : `whole number, ${row.min} to ${row.max}`;
    case 'share':
      return row.mayBeZero ? 'number, 0 to 1' : 'number over 0, at most 1';
    case 'choice':
      return row.of.join(', ');
    case 'list':
      return 'list of texts';
    case 'text':
    case 'path':
      return 'text';
  }
};
