// What is shown of a line with a secret: never more than the name of the value, and always eight dots.
import { expect, test } from 'vitest';
import { excerptOf, masked } from '../../src-main/adapters/inspect/excerpt.ts';
import { createDice } from '../support/simulation/dice.ts';

/** In parts, so that no scanner takes this file for a leak. */
const value = ['Zq7', 'xK2', 'vB9', 'wN4', 'tR8', 'mL3'].join('');
const dots = '••••••••';

const excerpt = (content: string | Uint8Array, line: number | null = 1, rule = 'assignment'): string | null =>
  excerptOf({ kind: 'text', bytes: Buffer.from(content) }, { rule, line });

test.each([
  ['DB_PASSWORD=?', 'DB_PASSWORD='],
  ['aws_secret_access_key   =   ?', 'aws_secret_access_key = '],
  ['  "accessKey": "?",', '"accessKey": '],
  ["'password' => '?'", "'password' => "],
  ['<password>?</password>', '<password>'],
  ['<password encoding="x">?</password>', '<password>'],
  ['<td>Password</td><td>?</td>', null],
  ['Passwort:?', 'Passwort:'],
  ['password = "?" # the password', 'password = '],
  ['export GH_TOKEN=?', 'GH_TOKEN='],
  ['spring.datasource.password=?', 'spring.datasource.password='],
  ['Secret access key: ?', 'Secret access key: '],
  ['define("DB_PASSWORD", "?")', '"DB_PASSWORD",'],
  ['conn.setPassword("?")', 'conn.setPassword('],
  ['machine a login b password ?', 'password '],
  ['tool --api-key ?', 'api-key '],
  ['API_KEY_2=?', 'API_KEY='],
  ['Authorization: Bearer ?', 'Authorization: '],
  ['密码：?', '密码：'],
  ['Contraseña: ?', 'Contraseña: '],
  ['Password:\n\n?', 'Password:'],
  ['{"user":"my-api-key","password":"?"}', '"password":'],
  ['- { name: "DB_PASSWORD", value: "?" }', '"DB_PASSWORD",'],
  ['The password is ?', 'password '],
  ['Environment=BOT_TOKEN=?', 'BOT_TOKEN='],
  ['- name: DB_PASSWORD\n  value: ?', 'DB_PASSWORD '],
  ['//registry.example.com/:_authToken=?', 'authToken='],
  ['| Password | ? | api-token |', 'Password|'],
  ['パスワード：?', 'パスワード：'],
  // A name of its own is shown from its first known word on.
  ['acme_payroll_db_password=?', '…db_password='],
  ['user7f3_password=?', '…password='],
])('for %j it shows %j', (line, shown) => {
  expect(masked(line.replaceAll('?', value), 'assignment')).toBe(shown === null ? null : shown + dots);
});

test.each([
  ['two secrets', `db_password=${value} api_token=${value}`, 'db_password='],
  ['a value that stands before its name, too', `${value}: password = ${value}`, 'password = '],
  ['a value of another one before it', `x token=${value} my_${value}_password=abc`, 'token='],
  ['a value that the search leaves alone', `password = "${value} and more"`, null],
  ['a value of another kind than the search finds', 'password: changeme', null],
  ['a very long value', `api_key=${value.repeat(5_000)}`, 'api_key='],
  ['a name far behind', `${' '.repeat(1_100)}password=${value}`, null],
  ['its secret at its start', `${value} is what we use`, null],
  ['its secret at its start, and a name behind', `${value} = password`, null],
  [
    'five keys of JSON',
    `{"id":"${value}","password":"${value}","token":"${value}","a":"${value}","b":1}`,
    '"password":',
  ],
  ['a stand-in before the secret', `{"password":"changeme","token":"${value}"}`, '"token":'],
  ['a name that has the value in it', `${value}_password=${value}`, null],
  ['a name that is the value', `secretToken=secretToken`, null],
  ['a value that has the name in it', `password=password-${value}`, 'password='],
  ['no name', `curl -u ada:${value} https://example.com`, null],
  ['letters that cannot be seen in the name', `pass\u200bword=${value}`, null],
  ['letters that turn it round', `\u202epassword\u202c=${value}`, null],
  ['a table', `ada,${value},https://example.com`, null],
  ['base64', Buffer.from(`password=${value}`).toString('base64'), null],
  ['base64 behind a name', `auth: ${Buffer.from(`ada:${value}`).toString('base64')}`, 'auth: '],
  ['nothing', '', null],
  ['a name alone', 'the password', null],
])('a line with %s', (_, line, shown) => {
  expect(masked(line, 'assignment')).toBe(shown === null ? null : shown + dots);
});

test('for an address it shows the scheme, and for a private key its armour without foreign words', () => {
  const of = (line: string, rule = 'address'): string | null => masked(line, rule);
  expect(of(`DATABASE_URL=postgres://ada:${value}@db.example.com/x?token=${value}`)).toBe(
    `postgres://${dots}`,
  );
  expect(of(`https://ada:${value}@example.com?access_token=${value}`)).toBe(`https://${dots}`);
  expect(of(`${value}://ada:${value}@example.com`)).toBeNull();
  // No name was found on its line so far.
  expect(of(`password=${value}`)).toBeNull();
  const armoured = (label: string): string => `${['-----', 'BEGIN ', label].join('')}-----`;
  for (const label of [
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
    'SSH2 ENCRYPTED PRIVATE KEY',
  ])
    expect(of(`key: "${armoured(label)}\\n${value}`, 'privatekey')).toBe(`${armoured(label)} ${dots}`);
  expect(of(armoured(`${value.toUpperCase()} PRIVATE KEY`), 'privatekey')).toBeNull();
});

test('beside a value that is recognised by its shape, any key counts unless there is a better one', () => {
  expect(masked(`{"key": "${value}", "id": 1}`, 'github')).toBe(`"key": ${dots}`);
  expect(masked(`"AccessKeyId": "${value}",`, 'aws')).toBe(`"AccessKeyId": ${dots}`);
  expect(masked(`"key": 7, "token": "${value}"`, 'github')).toBe(`"token": ${dots}`);
  expect(masked(`"key": "${value}"`, 'assignment')).toBeNull();
  expect(masked(`client = Client('${value}')`, 'github')).toBeNull();
  expect(masked(`"key": "mysql://root:${value}@10.2.1.7/shop"`, 'database-connection-string')).toBe(
    `mysql://${dots}`,
  );
});

test('the line is found in any encoding, and not guessed', () => {
  const content = `first\r\npassword: "${value}"\r\nlast`;
  const shown = `password: ${dots}`;
  expect(excerpt(content, 2)).toBe(shown);
  expect(excerpt(Buffer.from(`\ufeff${content}`, 'utf16le'), 2)).toBe(shown);
  expect(excerpt(Buffer.from(`\ufeff${content}`, 'utf16le').swap16(), 2)).toBe(shown);
  expect(excerpt(Buffer.from(content, 'utf16le'), 2)).toBe(shown);
  expect(excerpt(Buffer.from(`pässe\npassword=${value}`, 'latin1'), 2)).toBe(`password=${dots}`);
  expect(excerpt(content, null)).toBeNull();
  expect(excerpt(content, 3)).toBeNull();
  expect(excerpt(content, 4)).toBeNull();
  // Some rules take these for the end of a line.
  expect(excerpt(`a\rb\npassword=${value}`, 2)).toBeNull();
  expect(excerpt(`a\u2028b\npassword=${value}`, 2)).toBeNull();
  expect(excerpt(Buffer.from([0xff, 0xfe, 0xd8]), 1)).toBeNull();
});

test('no part of a value is revealed, wherever it stands, nor its length', () => {
  const dice = createDice(7);
  const names = [
    'password',
    'DB_PASSWORD',
    'apiKey',
    'client-secret',
    'token',
    'user',
    'Secret access key',
    'pass',
  ];
  const joints = [
    '=',
    ': ',
    ' = ',
    '":"',
    ' => ',
    '>',
    ' ',
    '(',
    '://',
    '@',
    ',',
    '|',
    '\t',
    '&',
    '?',
    ': "',
    '-',
    '_',
  ];
  const letters = 'BCDFGHJKLMNQRVWXZ0123456789';
  const drawn = (length: number): string =>
    'Q7' +
    Array.from({ length: length - 2 }, () => letters.charAt(dice.whole(0, letters.length - 1))).join('');
  let shownAt = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const parts = Array.from({ length: dice.whole(2, 10) }, () =>
      dice.pick([() => dice.pick(names), () => dice.pick(joints), () => '\0', () => '\x01'])(),
    ).join('');
    const rule = dice.pick(['assignment', 'address', 'github']);
    const secrets = [drawn(20), drawn(dice.whole(18, 40))];
    const [shown, other] = secrets.map((secret) =>
      masked(parts.replaceAll('\0', secret).replaceAll('\x01', secret.toLowerCase()), rule),
    );
    // A line in which the search finds nothing is not held, so there is none of it.
    if (shown === null || shown === undefined || other === null) continue;
    expect(JSON.stringify([parts, shown])).toBe(JSON.stringify([parts, other]));
    shownAt += 1;
    expect(shown.endsWith(dots) && shown.length <= 60).toBe(true);
    const rest = shown.slice(0, -dots.length).toLowerCase();
    const pieces = secrets.flatMap((secret) =>
      Array.from({ length: secret.length - 2 }, (_, from) => secret.slice(from, from + 3).toLowerCase()),
    );
    expect({ parts, shown, found: pieces.filter((piece) => rest.includes(piece)) }).toMatchObject({
      found: [],
    });
  }
  expect(shownAt).toBeGreaterThan(500);
});
