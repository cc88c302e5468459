// The checks of settings that need code, each under the name that rows use, with the words of its message.
import * as v from 'valibot';
import { spanOf } from '../expiry.ts';
import { isAllowedAddress } from '../text/address.ts';
import { commandWords } from '../text/command-words.ts';
import { mostInPattern } from '../text/ignore-pattern.ts';
import { versionFloorOf } from '../text/version-floor.ts';

type Check = {
  schema: v.GenericSchema<string, string>;
  /** Follows “must be ”; for an item of a list: “must be a list of at most 5 ”. */
  words: string;
  /** A value that passes the check; for an item of a list: a whole list. */
  example: string | readonly string[];
};

const address = v.pipe(
  v.string(),
  v.check(isAllowedAddress, 'must be an https: address (http: only for this machine itself)'),
  v.transform((text) => text.replace(/\/+$/, '')),
);

const absolute = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(/^(\/|~(?=$|[/\\])|[a-z]:[/\\]|\\\\)/i, 'must be an absolute path'),
);

const program = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.check((text) => commandWords(text) !== null, 'must be a program with its arguments'),
);

/** For settings that are one text or one path. */
export const textChecks = {
  /** Kept without a trailing slash. */
  address: {
    schema: address,
    words: 'an https: address (http: only for this machine itself) without user name, query and fragment',
    example: 'https://files.example.com/api/v1',
  },
  /** A program is loaded from there, so not even this machine itself may serve it unencrypted. */
  httpsAddress: {
    schema: v.pipe(
      address,
      v.check((text) => text.startsWith('https:'), 'must be an https: address'),
    ),
    words: 'an https: address without user name, query and fragment',
    example: 'https://updates.example.com/outtray',
  },
  program: {
    schema: program,
    words: 'a program with its arguments, quotes around a word with spaces',
    example: 'pass show outtray',
  },
  /** `none`, or a program. So short that the window's question shows all of it. */
  hook: {
    schema: v.pipe(v.string(), v.maxLength(300), program),
    words: 'none, or a program with its arguments, quotes around a word with spaces',
    example: 'logger -t outtray',
  },
  /** `none`, or a span as in contract/expiry.ts. */
  span: {
    schema: v.pipe(
      v.string(),
      v.regex(/^(none|[1-9]\d{0,8}[smhdw])$/, 'must be none or a time such as 7d'),
      v.check((text) => text === 'none' || spanOf(text) !== null, 'must be none or a time such as 7d'),
    ),
    words: 'none, or a time such as 30m, 1h, 7d or 2w, at most 3650d',
    example: '7d',
  },
  template: {
    schema: v.pipe(v.string(), v.maxLength(500), v.includes('{link}', 'must contain {link}')),
    words: 'at most 500 characters with {link} in them, and {name}, {size}, {sha256}, {date} where wanted',
    example: '{name}: {link}',
  },
  proxy: {
    schema: v.union([
      v.picklist(['system', 'none']),
      v.pipe(v.string(), v.regex(/^https?:\/\/[^\s@]+$/, 'must be system, none or an http: address')),
    ]),
    words: 'system, none or an http: address without user name and password',
    example: 'http://proxy.example.com:3128',
  },
  /**
   * Keys as Electron writes them. Letters need more than Shift: the shortcut also works while the user types in another
   * program.
   */
  keys: {
    schema: v.pipe(
      v.string(),
      v.regex(
        /^((shift|(commandorcontrol|cmdorctrl|command|cmd|control|ctrl|alt|option|altgr|super|meta))\+)*(f([1-9]|1\d|2[0-4])|printscreen)$|^(shift\+)?((commandorcontrol|cmdorctrl|command|cmd|control|ctrl|alt|option|altgr|super|meta)\+)+(shift\+)?([a-z0-9]|space|tab|insert|delete|home|end|pageup|pagedown|up|down|left|right)$/i,
        'must be keys as CommandOrControl+Shift+U',
      ),
    ),
    words: 'keys as CommandOrControl+Shift+U',
    example: 'CommandOrControl+Shift+U',
  },
  channel: {
    schema: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a name')),
    words: 'a name of small letters, digits and hyphens',
    example: 'latest',
  },
  version: {
    schema: v.pipe(
      v.string(),
      v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}( from \d{4}-\d\d-\d\d)?$/, 'must be a version such as 1.4.0'),
      v.check((text) => versionFloorOf(text) !== null, 'must have a day that there is'),
    ),
    words: 'a version, with the day from which it is required where that is not at once',
    example: '1.4.0 from 2027-03-01',
  },
  folderPath: { schema: v.pipe(v.string(), v.minLength(1)), words: 'a path', example: '~/Outtray' },
  filePath: { schema: v.string(), words: 'a path', example: '~/file' },
  absolutePath: { schema: absolute, words: 'an absolute path', example: '~/file' },
} as const satisfies Record<string, Check>;

/** For one entry of a list. */
export const itemChecks = {
  pattern: {
    schema: v.pipe(v.string(), v.maxLength(mostInPattern)),
    words: 'gitignore patterns of at most 500 characters',
    example: ['*.log', 'build/'],
  },
  /** Absolute, so that it means the same for every user of Outtray. */
  folder: { schema: absolute, words: 'absolute folders', example: ['~/Outtray', '/srv/shared'] },
  host: {
    schema: v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'must be a host name')),
    words: 'host names',
    example: ['files.example.com', 'cdn.example.com'],
  },
  ending: {
    schema: v.pipe(
      v.string(),
      v.regex(/^[^./\\\s][^/\\\s]{0,31}$/u, 'must be an ending without dot'),
      v.transform((ending) => ending.toLowerCase()),
    ),
    words: 'endings of names, without the dot',
    example: ['pdf', 'png'],
  },
} as const satisfies Record<string, Check>;

export type TextCheck = keyof typeof textChecks;
export type ItemCheck = keyof typeof itemChecks;
