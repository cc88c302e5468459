// The lines that are shown of the corpus when its passwords are made of words and signs of which names are made.
import { afterAll, expect, test } from 'vitest';
import { decode } from '../../src-main/adapters/inspect/decode.ts';
import { excerptOf, masked } from '../../src-main/adapters/inspect/excerpt.ts';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { shapes } from '../../src-main/adapters/inspect/secrets/shapes.ts';
import { tokenRows } from '../../src-main/adapters/inspect/secrets/token-shapes.ts';
import { madeFrom, type Made } from '../support/corpus/made.ts';
import { kindsOf } from '../support/corpus/samples.ts';

const kinds = ['seen', 'unseen', 'blind'].flatMap((part) => kindsOf(`${part}-secrets`));

const inspect = createInspect();
afterAll(() => inspect.close());

/** A maker with this password, and all that it made. */
const makerWith = (password: string): { made: Made; values: string[] } => {
  const values: string[] = [];
  const from = madeFrom(1);
  const entries = Object.entries(from).map(([name, make]) => [
    name,
    (...given: never[]) => {
      const value: unknown = name === 'password' ? password : (make as (...of: never[]) => unknown)(...given);
      if (typeof value === 'string' && value.length > 2) values.push(value);
      return value;
    },
  ]);
  return { made: Object.fromEntries(entries) as Made, values };
};

test.each(['salt-vault-token-42', 'MyToken=9xQ!zz', 'secret-key:9xQ!zz', 'db-password-77'])(
  'the excerpt of a line with %s occurs on the line without its values',
  { timeout: 120_000 },
  async (password) => {
    const wrong: unknown[] = [];
    let shownAt = 0;
    for (const { name, make } of kinds) {
      const { made, values } = makerWith(password);
      const bytes = make(made);
      const [found] = await inspect.findIn({ kind: 'text', bytes });
      if (found?.kind !== 'secret' || found.line === null) continue;
      const { rule, line } = found;
      const shown = excerptOf({ kind: 'text', bytes }, { rule, line });
      // The armour of a key is of the key.
      if (shown === null || shown.startsWith('-----')) continue;
      shownAt += 1;
      let rest = decode(bytes).split('\n')[line - 1] ?? '';
      for (const value of values.sort((one, other) => other.length - one.length))
        rest = rest.replaceAll(value, '\0').replaceAll(JSON.stringify(value).slice(1, -1), '\0');
      const words = shown.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (!words.every((word) => rest.includes(word))) wrong.push({ name, rule, shown });
    }
    expect(wrong).toEqual([]);
    expect(shownAt).toBeGreaterThan(100);
  },
);

/** Each piece of four characters of such a value. */
const piecesOf = (value: string): string[] =>
  Array.from({ length: Math.max(0, value.length - 3) }, (_, at) => value.slice(at, at + 4));

/** What these find has a form that no password of words has. */
const ofForm = new Set([...tokenRows.map(({ rule }) => rule), 'jwk', 'registry', 'token', 'webhook']);

test.each(
  [...new Set([...shapes.map(({ rule }) => rule), 'address', 'command', 'table'])].filter(
    (rule) => !ofForm.has(rule),
  ),
)('the excerpt of the rule %s shows no four characters of a password of words', (rule) => {
  for (const value of ['my!Token=9xQ!zz', 'a vault: 9xQ!zz', 'Pepper→9xQ!zz']) {
    for (const line of [`WIFI:S:a;P:${value};`, `user_a="${value}"`, `first ${value}`]) {
      const shown = masked(line, rule) ?? '';
      expect(piecesOf(value).filter((piece) => shown.includes(piece))).toEqual([]);
    }
  }
});

test.each([
  ['a row of a table', 'table', 'https://bank.example,bob,secret-token,note', null],
  ['a row of a table with a word', 'table', 'https://bank.example,bob,password,note', null],
  ['an argument', 'command', 'sshpass -p MyToken=9xQ!zz ssh bob@example.com', null],
  ['.pgpass', 'address', 'db.example.com:5432:shop:bob:my-token:9xQ!zz', null],
  ['an address of another scheme', 'address', 'ftp2://bob:my-token=9xQ!zz@example.com', null],
  ['a network', 'wifi', 'WIFI:T:WPA;S:Home;P:a!token=9xQ!zz;;', null],
  ['a user of a login module', 'userlist', 'DigestLoginModule required user_a="a token: 9xQ!zz";', null],
  ['a rule that is new', 'new-rule', 'connection a!token=9xQ!zz', null],
  ['words of a wallet', 'wallet', '1. salt 2. pepper 3. token 4. victory', null],
  ['words of a wallet behind a name', 'wallet', 'recovery phrase salt pepper token victory', null],
  ['an entry of 1Password', 'exported-password', '"value":"my-token: 9xQ!a","name":"password"', null],
  ['.netrc', 'assignment', 'machine a login b password MyToken=9xQ!zz', 'password ••••••••'],
  ['a value before its name', 'assignment', 'secret-token # password', null],
  ['words in quotes', 'assignment', 'password: "secret token: Zq9xK2!"', null],
  ['words', 'assignment', 'password: my secret token = staple', null],
  [
    'a user',
    'assignment',
    '<username>my-auth-token</username><password>Zq9xK2!b</password>',
    '<password>••••••••',
  ],
  ['a value of the name before', 'assignment', '{"password":"secret-token","victory":"Zq7xK2vB9wN4"}', null],
  ['a password that begins like its name', 'assignment', 'password=PasswordKestrel17!', 'password=••••••••'],
])('words that could be a name are not shown where they may be a value: %s', (_, rule, line, shown) => {
  expect(masked(line, rule)).toBe(shown);
});
