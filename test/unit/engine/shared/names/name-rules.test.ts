import { describe, expect, test } from 'vitest';
import { createIgnoreRules } from '../../../../../src-main/adapters/ignore.ts';
import {
  createNameRules,
  looksSecret,
  type NameVerdict,
} from '../../../../../src-main/engine/shared/names/name-rules.ts';
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
    // Extensions that other kinds of programs use, too.
    ...['Program.st', 'records.td', 'model.f16.gguf', 'notes.temp.docx', 'partial.txt'],
    ...['app.chunk.js', 'a.chunk1.txt', 'temp', 'chunks'],
    ...['_unpack_me.zip', 'aria2.conf', 'a.parts.pdf', 'download.html', 'a.metalink'],
  ])('that is ordinary is accepted: %s', (path) => {
    expect(judge(path)).toEqual(wanted);
  });

  test.each([
    '.env',
    '.env.local',
    'prod.env',
    'id_rsa',
    'ID_ED25519.pub',
    'server.pem',
    'server.KEY',
    'safe.kdbx',
    'wallet.dat',
    'keystore',
    'my.wallet',
    '.netrc',
    '_netrc',
    'credentials',
    '.npmrc',
    '.git-credentials',
    'sub/vpn.ovpn',
    '.envrc',
    'ssh_host_ed25519_key',
    'AuthKey_ABC.p8',
    'release.jks',
    'putty.ppk',
    'secring.gpg',
    'my-private-key.asc',
    'safe.psafe3',
    'login.keychain-db',
    'Chrome Passwords.csv',
    '.pgpass',
    '.pypirc',
    '.htpasswd',
    'credentials.json',
    'application_default_credentials.json',
    'service-account.json',
    'my-project-service_account-1f2e.json',
    'client_secret_123.apps.json',
    'zoe_accessKeys.csv',
    'kubeconfig',
    'prod-kubeconfig.yaml',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    'terraform.tfstate.1690000000.backup',
    'prod.auto.tfvars',
    'secrets.yaml',
    'server.key.old',
    'server.key.bak',
    'server.pem.orig',
    'id_rsa copy',
    'credentials (1).json',
    'credentials - Copy (2).json',
    'server-backup.key.old.1',
    'safe.kdbx.bak.2',
  ])('that looks like a secret is held, hidden or not: %s', (path) => {
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
    'main.tf',
    'key',
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
