// The rules of our own that search texts for secrets: what they find, what they leave alone, and what they cost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { findAddress } from '../../src-main/adapters/inspect/secrets/addresses.ts';
import { findAssignment } from '../../src-main/adapters/inspect/secrets/assignments.ts';
import { plainOf } from '../../src-main/adapters/inspect/secrets/plain.ts';
import { findShape } from '../../src-main/adapters/inspect/secrets/shape.ts';
import { shapes } from '../../src-main/adapters/inspect/secrets/shapes.ts';
import { findInTable } from '../../src-main/adapters/inspect/secrets/tables.ts';
import { madeForms } from '../support/corpus/forms.ts';
import { isDeep } from '../support/deep.ts';

let inspect: ReturnType<typeof createInspect>;
beforeAll(() => {
  inspect = createInspect();
});
afterAll(() => inspect.close());

const found = (text: string | Buffer) => inspect.findIn({ kind: 'text', bytes: Buffer.from(text) });

test.each(madeForms())('finds the secret in $name', async ({ content }) => {
  expect(await found(content)).toHaveLength(1);
});

test.each([
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['lines that end as on Windows', (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'))],
])('finds them in %s', async (_, bytes) => {
  for (const { name, content } of madeForms()) {
    expect([name, (await found(bytes(content))).length]).toEqual([name, 1]);
  }
});

test.each([
  ['netlify', ['nfp_', 'nfo_', 'nfu_'], 36],
  ['figma', ['figd_', 'figo_', 'figu_'], 40],
  ['fly', ['fm1r_', 'fm2_', 'fm2a_', 'fm2r_'], 80],
  ['yandex', ['y0_', 'y1_', 'y6_'], 55],
] as const)('finds a bare token of %s with each of its beginnings', async (rule, beginnings, length) => {
  const rest = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO1pQ3rS5tU7vW9x'.slice(0, length);
  for (const beginning of beginnings) {
    const token = beginning + rest.padEnd(length, 'Zq7Wx3');
    expect([beginning, await found(`see ${token} there\n`)]).toEqual([
      beginning,
      [expect.objectContaining({ kind: 'secret', rule })],
    ]);
  }
});

test('reports the line in a mail whose lines are folded', async () => {
  const password = ['Tiger', '482!', 'xyz'].join('');
  const mail = `Content-Transfer-Encoding: quoted-printable\n\none=\n two =3D=\n three\n\nPassword=3A ${password}\n`;
  expect(await found(mail)).toEqual([{ kind: 'secret', rule: 'assignment', line: 7 }]);
});

/** What stands in the place of a secret, and is not one. */
test.each([
  'DB_PASSWORD=${DB_PASSWORD}',
  'DB_PASSWORD=$DB_PASSWORD1',
  'DB_PASSWORD=%DB_PASSWORD1%',
  'DB_PASSWORD=changeme123',
  'API_TOKEN=<your-token-1>',
  'API_KEY=your-api-key-1234',
  'password: xxxxxxxx1',
  'password: ********',
  'password: !Ref DbPassword1',
  'password: !vault |',
  'password: "{{ vault_db_password1 }}"',
  'password: vault:secret/data/db1#password',
  'password: op://vault1/item2/password',
  'password: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-1',
  'password: ENC[AES256_GCM,data:p673w==,iv:YY=,type:str]',
  'password_file: /run/secrets/db_password1',
  'password: /run/secrets/db-1',
  'token: true',
  '"password": { "type": "string", "minLength": 12 }',
  '"password": "At least 8 characters"',
  '"password.wrong": "Das Passwort stimmt nicht, noch 3 Versuche"',
  '<input type="password" name="password" id="password1" placeholder="8 characters">',
  '<label for="password2">Password</label>',
  'const token = getToken2(request);',
  'const password = form.password2;',
  'password = os.environ["DB_PASSWORD2"]',
  'const apiKey = process.env.API_KEY2',
  'String password = config.getString("db2.password");',
  'if (password == oldPassword2) return;',
  'token: Token2,',
  'publicKeyToken="b77a5c561934e089"',
  'public_key: MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  'cacheKey: 3f2c5b7d9e1a4c6f8b0d2e4a6c8e0f1a',
  'csrf_token = "3f2c5b7d9e1a4c6f8b0d2e4a6c8e0f1a"',
  'integrity: sha512-z1UyAc4NZBKZ0QwRYJfJ1dEUqGpPHdWOTqTOVYVQoMOuJrcHZQJZVQYw==',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer <token-of-32-letters>',
  'postgres://user:password@localhost:5432/db',
  'https://user:pass@example.com/',
  'https://${USER}:${PASSWORD}@example.com/',
  'curl -u user:password https://example.com',
  'username,password\nkim,\nlee,********\n',
  'id,name,token\n1,apple,word\n2,pear,word\n',
  'the token is valid for 15 minutes',
  'Your password must have 8 letters and 1 digit.',
])('leaves alone: %s', async (text) => {
  expect(await found(`${text}\n`)).toEqual([]);
});

/** A text is searched in pieces of this many letters. */
const pieceLetters = 128 * 1024;
const fill = (part: string): string =>
  part.repeat(Math.ceil(pieceLetters / part.length)).slice(0, pieceLetters);
const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
/** Several times the usual cost at most; quadratic time takes seconds. */
const mostMs = 500;

/** What stands between one try and the next. */
const between = isDeep ? ['', 'A1b2', ' ', '-', '"', '<a>', '\n', '=', ':'] : ['', ' '];

test('a text that nearly fits a shape again and again takes bounded time', () => {
  for (const shape of shapes) {
    for (const begin of shape.near) {
      for (const behind of between) {
        expect(cpuMs(() => findShape(shape, fill(begin + behind)))).toBeLessThan(mostMs);
      }
    }
  }
});

const nearly = [
  ...[
    'password',
    'password=',
    'password: ',
    '"password":"',
    'password ',
    'password\t|',
    '<password',
    'secret ("',
  ],
  ...[
    '<key>password</key>\n',
    'token: Bearer ',
    'Authorization: Basic ',
    "identified by '",
    'DB_PASSWORD ',
    '--password ',
  ],
  ...[
    'the password is ',
    'name: password\n',
    'pat-',
    'A B password ',
    'otpauth://a?secret=',
    '://',
    '://a:',
    'curl -u ',
  ],
  ...[
    'sshpass -p ',
    'mysql -p',
    'net use /user:a ',
    'a:1:a:b:',
    'url,password\n',
    '"a","password"\n',
    '{\\rtf1\\par',
    '<p',
  ],
  ...['&lt;', '=\n=3D', '> ', '\\u0041', '%41', 'LS0tLS1CRUdJTi'],
];

test('a text of names without values takes bounded time', () => {
  for (const begin of nearly) {
    for (const behind of between) {
      const text = fill(begin + behind);
      for (const search of [findAssignment, findAddress, findInTable, plainOf]) {
        expect(cpuMs(() => search(text))).toBeLessThan(mostMs);
      }
    }
  }
});
