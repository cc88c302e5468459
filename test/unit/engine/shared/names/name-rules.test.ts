import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createIgnoreRules } from '../../../../../src-main/adapters/ignore.ts';
import { createNameRules, type NameVerdict } from '../../../../../src-main/engine/shared/names/name-rules.ts';
import { looksSecret, secretNames } from '../../../../../src-main/engine/shared/names/secret-names.ts';
import { systemFolders } from '../../../../../src-main/engine/shared/names/system-folders.ts';
import { marks, programs } from '../../../../../src-main/engine/shared/names/unfinished-marks.ts';
import { namedFile } from '../../../../../src-main/engine/shared/sent-name.ts';

const judge = (
  path: string,
  given: { ignore?: string[]; includeHidden?: boolean; holdSecrets?: boolean } = {},
) =>
  createNameRules(
    { ignore: [], includeHidden: false, holdSecrets: true, ...given },
    createIgnoreRules(),
  ).judge(namedFile(path));
const wanted: NameVerdict = { kind: 'wanted' };
const secret: NameVerdict = { kind: 'secret' };
const hidden: NameVerdict = { kind: 'skip', rule: 'hidden' };

describe('a name', () => {
  test.each([
    'film.mp4.part',
    'setup.exe.crdownload',
    'a.partial',
    'a.download',
    'a.opdownload',
    'a.aria2',
    'a.!ut',
    'SUB/A.PART',
    'a.zip.filepart',
    'a.!qB',
    'film.mkv.bc!',
    'film.mkv.xltd.cfg',
    'a.wkdownload',
    'a.fdmdownload',
    'data.csv_.gstmp',
    'a.iso.lftp-pget-status',
    'a.iso.cyberducksegment/1',
    '~syncthing~report.docx.tmp.x',
    'film.mp4.part-Frag12',
    'film.f137.mp4',
    'film.temp.mkv',
    'photo.jpg.nextcloud',
    '_UNPACK_film/film.mkv',
    '002.part.met',
    'Unconfirmed 4711.crdownload',
    'film.mkv.chunk0',
    'film.mkv.chunk12',
    'film.mkv.chunks',
  ])('of an unfinished download is skipped: %s', (path) => {
    expect(judge(path)).toMatchObject({ kind: 'skip', rule: 'partial' });
  });

  test.each([
    'a.tmp',
    'a.iso.temp',
    '~$report.docx',
    '.~lock.a.odt#',
    'notes.txt~',
    '.a.txt.swp',
    '.goutputstream-X1',
    '#a#',
    '.#a',
    '.DS_Store',
    'sub/Thumbs.db',
    'desktop.ini',
  ])('of a program’s own file is skipped: %s', (path) => {
    expect(judge(path)).toMatchObject({ kind: 'skip', rule: 'temporary' });
  });

  test.each([
    ...['report.pdf', 'a.tmp.txt', 'part', 'sub/deeper/photo.jpg', 'a.key.pub', 'environment.txt'],
    ...['id_ed25519.pub', 'ID_RSA.PUB'],
    // Extensions that other kinds of programs use, too.
    ...['Program.st', 'records.td', 'model.f16.gguf', 'notes.temp.docx', 'partial.txt'],
    ...['app.chunk.js', 'a.chunk1.txt', 'temp', 'chunks'],
    ...['_unpack_me.zip', 'aria2.conf', 'a.parts.pdf', 'download.html', 'a.metalink'],
  ])('that is ordinary is accepted: %s', (path) => {
    expect(judge(path)).toEqual(wanted);
  });

  test.each(['.env.example', '.env.sample', 'sub/.env.template', '.env.dist'])(
    'of a pattern for secrets is no secret: %s',
    (path) => {
      expect(judge(path, { includeHidden: true })).toEqual(wanted);
    },
  );

  test.each([
    ...[
      'server.pub.pem',
      'jwt_public.pem',
      'public.pem',
      'PublicKey.pem',
      'pubkey.der',
      'rpm-public-key.key',
    ],
    ...[
      'site.crt.pem',
      'site.cer.pem',
      'site.csr.pem',
      'id_rsa.pub.pem',
      'id_rsa.pub.bak',
      'server.pub copy.pem',
    ],
  ])('of a public key or a certificate is no secret: %s', (path) => {
    expect(judge(path)).toEqual(wanted);
  });

  test.each([
    ...['private.public.pem', 'republic.pem', 'pub.p12', 'publisher.key', 'cert.pem', 'public-private.pem'],
    ...['secret.pub.key', 'server.pub.kdbx', 'crt-server.pem', 'id_rsa.public.old.ppk'],
    ...['server.crt.key', 'server.csr.key', 'SITE.CER.KEY', 'server.crt.key.old', 'server.crt (1).key'],
  ])('that only begins like one of a public key is held: %s', (path) => {
    expect(judge(path)).toEqual(secret);
  });

  test('that looks like a secret is held, hidden or not: each row of the table, and its copies', () => {
    for (const { like, is } of secretNames) {
      const name = like.slice(like.lastIndexOf('/') + 1);
      const below = `sub/${like}`;
      expect([like, is.test(like) || is.test(name)]).toEqual([like, true]);
      for (const one of [below, below.toUpperCase(), `${below}.old`, `${below} copy`, `${below}.bak.2`])
        expect([one, judge(one, { includeHidden: true })]).toEqual([one, secret]);
    }
  });

  test.each([
    ...['ID_ED25519', 'keystore', '_netrc', 'credentials', '.envrc', 'AuthKey_ABC.p8', '.htpasswd'],
    ...[
      'application_default_credentials.json',
      'my-project-service_account-1f2e.json',
      'Chrome Passwords.csv',
    ],
    ...['terraform.tfstate.1690000000.backup', 'credentials - Copy (2).json', 'server-backup.key.old.1'],
    ...['safe.kdbx.bak.2', 'passwords.xlsx', 'Passwörter 2025.xlsx', 'Passwo\u0308rter.numbers'],
    ...[
      'Zugangsdaten.docx',
      'Mots de passe.ods',
      'Contraseñas.xlsx',
      '密码.xlsx',
      'Пароли.docx',
      'Senhas.pdf',
    ],
    ...['Passwort.xlsx', 'password list.xlsx', 'Liste der Kennwörter.ods', 'my logins (2).xlsx', 'key4.db'],
    ...['restic-password', '.vault_pass', 'db_password.txt', '.mylogin.cnf', 'release.pk8', 'cwallet.sso'],
    ...[
      'ntp.keys',
      'rsyncd.secrets',
      'passwd.client',
      'psk.txt',
      'admin.password',
      'deluge/auth',
      'pam_ldap.secret',
      'mgmt-users.properties',
    ],
    ...['logins.json', 'Login Data', 'cookies.sqlite', 'login.keyring', 'default_wallet', 'exodus.seco'],
  ])('that looks like a secret is held: %s', (path) => {
    expect(judge(path)).toEqual(secret);
  });

  test.each([
    'config',
    'config.json',
    'kube/config',
    'report.old',
    'notes (1).txt',
    'public.asc',
    'keynote.txt',
    'environment.md',
    'reset-password.json',
    'credentials-guide.pdf',
    'accounts.json',
    ...[
      'main.tf',
      'key',
      'reset password.pdf',
      'password policy.docx',
      'passwords.ts',
      'Kennwort vergessen.pdf',
    ],
    ...[
      'login.pdf',
      'parole.docx',
      'keyring.jpg',
      'shadow.png',
      'sam.txt',
      'default_wallet.svg',
      'cookies.pdf',
    ],
  ])('that is common for other files is no secret: %s', (path) => {
    expect(judge(path)).toEqual(wanted);
  });

  test('is judged with its folder where programs share a name, with either separator', () => {
    expect(judge('.kube/config', { includeHidden: true })).toEqual(secret);
    expect(looksSecret(namedFile('/home/me/.kube/config'))).toBe(true);
    expect(looksSecret(namedFile('C:\\Users\\me\\.docker\\config.json'))).toBe(true);
    expect(looksSecret(namedFile('/home/me/.kube/config.bak'))).toBe(true);
    expect(looksSecret(namedFile('/home/me/docker/config.json'))).toBe(false);
    expect(looksSecret(namedFile('/home/me/.docker\\config.json'))).toBe(true);
  });

  test('is judged at once however long it is', () => {
    expect(looksSecret(namedFile('.old'.repeat(50_000)))).toBe(false);
    expect(looksSecret(namedFile(`${'a-credentials-'.repeat(20_000)}x`))).toBe(false);
  });

  test("is no secret when the user's setting does not hold secrets", () => {
    expect(judge('server.pem', { holdSecrets: false })).toEqual(wanted);
    expect(judge('.env', { holdSecrets: false })).toEqual(hidden);
    expect(looksSecret(namedFile('readme.md'))).toBe(false);
  });

  test('that begins with a dot, or lies below such a folder, is hidden', () => {
    expect(judge('.profile')).toEqual(hidden);
    expect(judge('.git/config')).toEqual(hidden);
    expect(judge('.ssh/id_rsa')).toEqual(hidden);
    expect(judge('.git/config', { includeHidden: true })).toEqual(wanted);
    expect(judge('.ssh/id_rsa', { includeHidden: true })).toEqual(secret);
  });
});

describe('patterns of the user', () => {
  test('skip a file and record the pattern that matched', () => {
    expect(judge('sub/a.log', { ignore: ['*.log'] })).toEqual({
      kind: 'skip',
      rule: 'ignored',
      pattern: '*.log',
    });
    expect(judge('build/a.txt', { ignore: ['build/'] })).toMatchObject({
      rule: 'ignored',
      pattern: 'build/',
    });
  });

  test('come after the built-in ones and can override them', () => {
    expect(judge('a.part', { ignore: ['!*.part'] })).toEqual(wanted);
    expect(judge('a.tmp', { ignore: ['!*.part'] })).toMatchObject({ rule: 'temporary' });
  });

  test('cannot release a secret', () => {
    expect(judge('server.pem', { ignore: ['!*.pem'] })).toEqual(secret);
  });

  test('that are invalid are refused', () => {
    expect(() => judge('a', { ignore: ['[open'] })).toThrow('never closed');
  });
});

describe('the temporary name that rsync gives', () => {
  test.each(['.film.mkv.aB3dEf', '.report.Zzzzzz'])(
    'is recognised even where hidden files are uploaded: %s',
    (path) => {
      expect(judge(path, { includeHidden: true })).toMatchObject({ kind: 'skip', rule: 'partial' });
    },
  );
  test.each(['.eslintrc.config', '.data.sha256', '.NAME.BACKUP', '.profile', '.x.sample'])(
    'is not that of other hidden files: %s',
    (path) => {
      expect(judge(path, { includeHidden: true })).toEqual(wanted);
    },
  );
});

describe('a file in a system folder', () => {
  test.each([
    'System Volume Information/IndexerVolumeGuid',
    '$RECYCLE.BIN/S-1-5-21/$R1.docx',
    'sub/recycler/a.txt',
    'FOUND.000/FILE0000.CHK',
    '@eaDir/photo.jpg@SynoEAStream',
    '#recycle/letter.docx',
    '@Recycle/letter.docx',
    'lost+found/#12',
    '~snapshot/daily/a.txt',
    'LOST.DIR/12',
    'Network Trash Folder/a.txt',
    '_gsdata_/a.txt',
  ])('is skipped: %s', (path) => {
    expect(judge(path)).toMatchObject({ kind: 'skip', rule: 'system' });
  });

  test.each([
    '.Trash-1000/files/a.txt',
    '.Trashes/501/a.txt',
    '.Spotlight-V100/Store-V2/a',
    '.fseventsd/0001',
    '.snapshots/1/snapshot/a.txt',
    '.zfs/snapshot/now/a.txt',
    '.sync/Archive/a.txt',
    '.stfolder/syncthing-folder.txt',
    '.stversions/a.txt',
    '.dropbox.cache/a.txt',
  ])('is skipped even where hidden files are uploaded: %s', (path) => {
    expect(judge(path, { includeHidden: true })).toMatchObject({ kind: 'skip', rule: 'system' });
  });

  test.each([
    'recycler',
    'lost+found',
    'my recycler/a.txt',
    'snapshot/a.txt',
    'found.000.txt',
    'RECYCLED.pdf',
  ])('is distinguished from a file or folder with an ordinary name: %s', (path) => {
    expect(judge(path)).toEqual(wanted);
  });

  test('is uploaded when the person allows that folder', () => {
    expect(judge('lost+found/a.txt', { ignore: ['!lost+found/'] })).toEqual(wanted);
  });
});

/** A name for each pattern of the tables; folders end in `/`. */
const namesOfRules = (letter: string): string[] => [
  ...[...marks.keys(), ...systemFolders.keys()].map((pattern) =>
    pattern
      .replace(/\[0-9\]/g, '7')
      .replace(/[*?]/g, letter)
      .replace(/\\/g, ''),
  ),
  ...programs.flatMap(({ shape }) => (shape === undefined ? [] : [shape.like])),
];

describe('below a folder with any name that a pattern of the tables matches', () => {
  const asFile = (name: string): string => (name.endsWith('/') ? `${name}a.txt` : name);
  const files = [
    ...[...namesOfRules('x').map(asFile), ...secretNames.map(({ like }) => like)],
    ...[
      'holiday.jpg',
      'draft.psd',
      'own.part',
      'build/a.txt',
      '.profile',
      '.git/config',
      'a.txt',
      'b/c/d.txt',
    ],
  ];
  const folders = [
    ...namesOfRules('x'),
    ...namesOfRules('F'),
    'My.Projects',
    'cafe.deadbeef',
    '.a.gitrepo',
  ].map((name) => name.replace(/\/$/, ''));

  test.each([true, false])('each rule holds as it does above it; hidden files too: %s', (includeHidden) => {
    const rules = createNameRules(
      { ignore: ['*.psd', 'build/', '!own.part', '/a.txt'], includeHidden, holdSecrets: true },
      createIgnoreRules(),
    );
    const verdict = (path: string): NameVerdict => rules.judge(namedFile(path));
    const rightOf = new Map(files.map((file) => [file, verdict(`sub/${file}`)]));
    const wrong: unknown[] = [];
    let open = 0;
    for (const folder of folders) {
      const isOpen = verdict(`${folder}/holiday.jpg`).kind === 'wanted';
      if (isOpen) open += 1;
      for (const file of isOpen ? files : ['holiday.jpg', '.profile'])
        for (const above of [folder, `sub/${folder}`, `${folder}/sub`]) {
          const found = verdict(`${above}/${file}`);
          const isRight = isOpen ? isDeepStrictEqual(found, rightOf.get(file)) : found.kind === 'skip';
          if (!isRight) wrong.push([`${above}/${file}`, found]);
        }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(open).toBeGreaterThan(0);
  });

  test('a pattern of the user that is the same as a built-in one is the user’s', () => {
    const ignore = ['*.part', 'lost+found/', '*.????????', '.*.??????', '*.tmp'];
    for (const path of [
      'a.part',
      'lost+found/a',
      'My.Projects/a.txt',
      'x/My.Projects/b/c.txt',
      'a.tmp',
      '.a.abcdef',
    ])
      expect(judge(path, { ignore })).toMatchObject({ rule: 'ignored' });
  });
});
