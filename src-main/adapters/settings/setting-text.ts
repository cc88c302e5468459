// Settings in words: what each one must be, an example, and how it is typed on a command line. Problems are told from
// this table and never quote the wrong value, which may be a proxy address with a password or a key pasted by mistake.
import { resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import {
  checkSetting,
  isSettingName,
  mostFolders,
  settingNames,
  type SettingName,
} from '../../contract/settings.ts';

type Typed = 'text' | 'path' | 'number' | 'flag' | 'list';

export type SettingWords = { typed: Typed; must: string; example: string };

const flag: SettingWords = { typed: 'flag', must: 'must be true or false', example: 'true' };
const whole = (must: string, example: string): SettingWords => ({ typed: 'number', must, example });
const path: SettingWords = { typed: 'path', must: 'must be a path', example: '/home/me/Outtray' };
const roots: SettingWords = {
  typed: 'list',
  must: 'must be a list of at most 100 absolute folders',
  example: '~/Outtray,/srv/shared',
};
const span: SettingWords = {
  typed: 'text',
  must: 'must be none, or a time such as 30m, 1h, 7d or 2w, at most 3650d',
  example: '7d',
};
const types: SettingWords = {
  typed: 'list',
  must: 'must be a list of at most 500 endings of names, without the dot',
  example: 'pdf,png',
};

export const settingWords: Record<SettingName, SettingWords> = {
  baseUrl: {
    typed: 'text',
    must: 'must be an https: address (http: only for this machine itself) without user name, query and fragment',
    example: 'https://files.example.com/api/v1',
  },
  keyCommand: {
    typed: 'text',
    must: 'must be a program with its arguments, quotes around a word with spaces',
    example: 'pass show outtray',
  },
  folder: path,
  folders: {
    typed: 'list',
    must: `must be a list of at most ${mostFolders - 1} absolute folders`,
    example: '~/Screenshots,/srv/out',
  },
  recursive: flag,
  ignore: {
    typed: 'list',
    must: 'must be a list of at most 1,000 gitignore patterns of at most 500 characters',
    example: '*.log,build/',
  },
  includeHidden: flag,
  includeEmpty: flag,
  settleMs: whole('must be a whole number of milliseconds from 0 (automatic) to 600000', '0'),
  graceSeconds: whole('must be a whole number of seconds from 0 to 300', '30'),
  expireAfter: span,
  holdSecrets: flag,
  lookInside: flag,
  requireLookInside: flag,
  photoLocation: { typed: 'text', must: 'must be ask, keep or remove', example: 'remove' },
  burstFiles: whole('must be a whole number from 1 to 1000000', '200'),
  burstBytes: whole('must be a whole number of bytes, at least 1', '5000000000'),
  concurrentUploads: whole('must be a whole number from 1 to 16', '4'),
  requestsPerMinute: whole('must be a whole number from 1 to 100000', '50'),
  requestsPerDay: whole('must be a whole number from 1 to 100000000', '5000'),
  requestShare: whole('must be a number over 0 and at most 1', '0.5'),
  answerTimeoutMs: whole('must be a whole number of milliseconds, 0 for automatic', '600000'),
  reconcileAfterMs: whole('must be a whole number of milliseconds from 1000 to 86400000', '900000'),
  onAmbiguous: { typed: 'text', must: 'must be hold, adopt-verified or reupload', example: 'hold' },
  bandwidthBytesPerSecond: whole('must be a whole number of bytes a second, 0 for no limit', '1000000'),
  verifyAfterUpload: flag,
  releaseWatch: whole('must be a whole number of hours from 1 to 168', '24'),
  followEveryMinutes: whole('must be a whole number of minutes from 1 to 10080', '60'),
  agentRoots: roots,
  agentShare: whole('must be a number from 0 to 1', '0.1'),
  givenFolders: { typed: 'text', must: 'must be ask, zip or files', example: 'zip' },
  copyLink: { typed: 'text', must: 'must be never, dropped or always', example: 'dropped' },
  copyFormat: {
    typed: 'text',
    must: 'must be plain, markdown, html, bbcode or template',
    example: 'markdown',
  },
  copyTemplate: {
    typed: 'text',
    must: 'must be at most 500 characters with {link} in them, and {name}, {size}, {sha256}, {date} where wanted',
    example: '{name}: {link}',
  },
  notify: flag,
  proxy: {
    typed: 'text',
    must: 'must be system, none or an http: address without user name and password',
    example: 'http://proxy.example.com:3128',
  },
  caFile: { ...path, example: '/etc/ssl/certs/company.pem' },
  linkHosts: {
    typed: 'list',
    must: 'must be a list of at most 100 host names',
    example: 'files.example.com,cdn.example.com',
  },
  allowedRoots: roots,
  forbiddenRoots: roots,
  maxFileBytes: whole('must be a whole number of bytes, at least 1', '2000000000'),
  maxExpireAfter: span,
  allowedTypes: types,
  forbiddenTypes: types,
  auditFile: { typed: 'path', must: 'must be an absolute path', example: '~/outtray-audit.jsonl' },
  pasteShortcut: {
    typed: 'text',
    must: 'must be keys as CommandOrControl+Shift+U',
    example: 'CommandOrControl+Shift+U',
  },
  launchAtLogin: flag,
  quitOnClose: flag,
  updateMode: { typed: 'text', must: 'must be auto, notify or off', example: 'notify' },
  updateFeed: {
    typed: 'text',
    must: 'must be an https: address without user name, query and fragment',
    example: 'https://updates.example.com/outtray',
  },
  updateChannel: {
    typed: 'text',
    must: 'must be a name of small letters, digits and hyphens',
    example: 'latest',
  },
  language: { typed: 'text', must: 'must be system, en, de, es or zh', example: 'system' },
  allowPause: flag,
  allowCopy: flag,
  allowGivenFiles: flag,
  allowAccountChange: flag,
};

/**
 * A wrong value of these could send the key or the files elsewhere, make public what must not be, load a program from
 * elsewhere, or allow what an administrator forbids: nothing starts until they are right.
 */
const securitySettings: readonly SettingName[] = [
  'baseUrl',
  'keyCommand',
  'proxy',
  'caFile',
  'linkHosts',
  'holdSecrets',
  'lookInside',
  'requireLookInside',
  'auditFile',
  'photoLocation',
  'allowedRoots',
  'forbiddenRoots',
  'maxFileBytes',
  'maxExpireAfter',
  'allowedTypes',
  'forbiddenTypes',
  'agentRoots',
  'agentShare',
  'updateFeed',
  'allowPause',
  'allowCopy',
  'allowGivenFiles',
  'allowAccountChange',
];

export const isSecuritySetting = (name: SettingName): boolean => securitySettings.includes(name);

/** `null` stands for "back to the default". Throws `bad-setting`. */
export const checkedValue = (name: SettingName, value: unknown, where = ''): unknown => {
  if (value === null) return null;
  // The schema reads undefined as the default; here it means that the text could not be read.
  const result = value === undefined ? null : checkSetting(name, value);
  if (result?.ok === true) return result.value;
  throw badSetting(name, where);
};

/** `where`: the place in which the wrong value stands. */
const badSetting = (name: SettingName, where = ''): AppError => {
  const { must, example } = settingWords[name];
  return new AppError(
    'bad-setting',
    `${where === '' ? '' : `${where}: `}${name} ${must}.`,
    `For example: ${example}`,
  );
};

/** Throws `bad-setting` for a name that is none. */
export const settingNamed = (name: string): SettingName => {
  if (isSettingName(name)) return name;
  throw new AppError(
    'bad-setting',
    'There is no such setting.',
    `The settings are: ${settingNames.join(', ')}.`,
  );
};

const flags: Record<string, boolean> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
};

/**
 * What was typed for a setting, as the value to set: `default` gives null (back to the default); lists are separated
 * by commas or written as JSON; relative paths are taken from `cwd`. Throws `bad-setting`.
 */
export const parseSettingText = (name: string, text: string, cwd = process.cwd()): unknown => {
  const setting = settingNamed(name);
  const typed = text.trim();
  if (typed === 'default') return null;
  return checkedValue(setting, valueTyped(settingWords[setting].typed, typed, cwd));
};

const valueTyped = (as: Typed, text: string, cwd: string): unknown => {
  switch (as) {
    case 'text':
      return text;
    case 'path':
      return text === '' ? undefined : resolve(cwd, text);
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'flag':
      return flags[text.toLowerCase()];
    case 'list':
      return listTyped(text);
  }
};

const listTyped = (text: string): unknown => {
  // A pattern may begin with a bracket (`[ab]*.log`), so only a bracket before a quote or its end means JSON.
  if (/^\[\s*["\]]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
};
