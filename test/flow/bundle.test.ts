// `upload --zip`: many files, one link. The same files give the same zip; a reason to hold one of them holds the zip.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { isDeep } from '../support/deep.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAx'.repeat(20)}\n-----END RSA PRIVATE KEY-----\n`;

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
});

const spooled = async (): Promise<string[]> => {
  const found = await readdir(path.join(place.home, 'spool'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return found.filter((one) => one.isFile()).map(({ name }) => name);
};
const isEmpty = () => eventually('the spool is empty', async () => (await spooled()).length === 0);

/** What another program's reader finds in the zip of this link: name and content of each file. */
const inside = async (link: string | undefined): Promise<Record<string, string>> => {
  const bytes = Buffer.from(await (await fetch(String(link?.trim()))).arrayBuffer());
  const file = path.join(place.root, 'fetched.zip');
  await writeFile(file, bytes);
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({n: z.read(n)[:100000].decode('latin-1') for n in z.namelist()}))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script, file], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>;
};

test('a folder becomes one link; names in any script, rules and symbolic links are treated as they should be', async () => {
  await place.put('sub/日本/ü b.txt', 'deep');
  await place.put('a.txt', 'one');
  await place.put('empty', '');
  await place.put('.git/config', 'hidden');
  await place.put('half.part', 'unfinished');
  await symlink('a.txt', path.join(place.folder, 'link'));
  if (process.platform !== 'win32') await place.put('back\\slash', 'x');
  const ended = await place.run(['upload', '--zip', place.folder]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('3 files left out: hidden (1), unfinished download (1), symbolic link (1).');
  expect(ended.stderr).toContain('in folder.zip');
  expect(service.files().map(({ filename }) => filename)).toEqual(['folder.zip']);
  expect(await inside(ended.stdout)).toEqual({
    'folder/a.txt': 'one',
    'folder/back_slash': 'x',
    'folder/empty': '',
    'folder/sub/日本/ü b.txt': 'deep',
  });
  await isEmpty();
  const why = await place.run(['why', path.join(place.folder, 'a.txt')]);
  expect(why.stdout).toContain(`It was packed into folder.zip (${ended.stdout.trim()}).`);
});

test('a zip is reported by its name, never by the place it was packed in; a zip with the content of another reports that one’s link', async () => {
  const file = await place.put('a.txt', 'one');
  const link = (await place.run(['upload', '--zip', '--name', 'first.zip', place.folder])).stdout.trim();
  await place.run(['upload', '--zip', '--name', 'second.zip', place.folder]);
  expect((await place.run(['why', file])).stdout).toBe(`It was packed into second.zip (${link}).\n`);
  for (const named of ['second.zip', 'q2', link])
    expect((await place.run(['why', named])).stdout).toBe(`Uploaded: ${link}\n`);

  const shown: string[] = [];
  for (const args of [
    ['verify', '--all'],
    ['follow', link],
    ['follow'],
    ['why', link],
    ['info', link],
    ['link', link],
    ['expire', link, '1d'],
    ['upload', '--zip', '--name', 'third.zip', place.folder],
    ['export'],
    ['export', '--format', 'json'],
    ['recall', link],
  ])
    for (const form of [[], ['--json']]) {
      if (args.join() === 'export' && form.length > 0) continue;
      const { code, stdout, stderr } = await place.run([...form, ...args]);
      expect([args, code]).toEqual([args, 0]);
      shown.push(stdout, stderr);
    }
  expect(shown.join('\n')).not.toContain('spool');
  expect(shown[0]).toBe('second.zip: the link serves exactly what was sent.\n');
});

test.runIf(process.platform === 'linux')('a folder whose name is not valid text is packed', async () => {
  const folder = Buffer.concat([Buffer.from(`${place.root}/d`), Buffer.of(0xff)]);
  await mkdir(folder);
  await writeFile(Buffer.concat([folder, Buffer.from('/a.txt')]), 'one');
  const before = ['sh', '-c', 'exec "$@" "$(printf "d\\377")"', 'sh'];
  const ended = await place.run(['upload', '--zip'], { before });
  expect(ended).toMatchObject({ code: 0 });
  expect(await inside(ended.stdout)).toEqual({ 'd_/a.txt': 'one' });
  await isEmpty();
});

test('the same content has the same link, whatever the times, the time zone and the order are', async () => {
  const one = await place.put('../one.txt', '1');
  await place.put('../two/one.txt', '2');
  const first = await place.run(['upload', '--zip', '--name', 'both.zip', 'one.txt', 'two'], {
    env: { TZ: 'Asia/Tokyo' },
  });
  expect(await inside(first.stdout)).toEqual({ 'one.txt': '1', 'two/one.txt': '2' });
  await utimes(one, 1, 1);
  await chmod(one, 0o755);
  const again = await place.run(['upload', 'two', 'one.txt', one, 'two/one.txt', '--zip', '--name=other'], {
    env: { TZ: 'America/Lima' },
  });
  expect([again.code, again.stdout]).toEqual([0, first.stdout]);
  expect(service.files()).toHaveLength(1);
  await isEmpty();
  // Two files of the same name do not hide each other.
  await place.put('../x/one.txt', 'another');
  const clash = await place.run(['upload', '--zip', 'one.txt', 'x/one.txt', 'two/one.txt']);
  expect(Object.keys(await inside(clash.stdout)).toSorted()).toEqual([
    'one (2).txt',
    'one (3).txt',
    'one.txt',
  ]);
  expect(service.files().at(-1)?.filename).toBe('files.zip');
});

test('a reason to hold one file holds the zip and names the file; confirming it holds for the same zip again', async () => {
  await place.put('keys/server.txt', pem);
  await place.put('id_rsa', 'by its name');
  await place.put('harmless.txt', 'nothing');
  const { code, lines } = await place.json(['upload', '--zip', place.folder]);
  expect(code).toBe(8);
  expect(lines.find(({ event }) => event === 'held')).toMatchObject({ reason: 'secret-name' });
  expect(service.files()).toEqual([]);
  const [held] = (await place.json(['held'])).lines;
  expect((await place.run(['held'])).stdout + (await place.run(['held'])).stderr).not.toContain('MIIE');
  const why = await place.run(['upload', '--zip', place.folder]);
  expect(why.stderr).toContain(
    'folder/id_rsa in this zip has a name that looks like a secret. 1 more of its files would be held, too.',
  );
  expect((await place.run(['confirm', String(held?.['queueId'])])).code).toBe(0);
  await place.run(['watch', place.folder, '--once', '--existing', 'skip']);
  await eventually('it is public', () => Promise.resolve(service.files().length === 1));
  await place.run(['cancel', `q${Number(String(held?.['queueId']).slice(1)) + 1}`]);
  await isEmpty();
});

test.runIf(isDeep)(
  'a file that is written while it is packed is reported, and everything is packed again',
  async () => {
    const log = await place.put('log.txt', '0');
    await place.put('large.bin', Buffer.alloc(200_000_000, 1));
    const running = place.start(['upload', '--zip', '--name', 'log.zip', place.folder]);
    await eventually('it is packed', async () => (await spooled()).includes('log.zip'));
    const other = path.join(place.root, 'other');
    await writeFile(other, '1');
    await rename(other, log);
    const ended = await running.ended;
    expect(ended.stderr).toContain(
      `${log} changed while it was being packed, so everything was packed again.`,
    );
    expect((await inside(ended.stdout))['folder/log.txt']).toBe('1');
    await isEmpty();
  },
);

test.runIf(isDeep)(
  'after a stop or a kill during packing, nothing is public and nothing is left behind',
  async () => {
    await place.put('large.bin', Buffer.alloc(300_000_000, 1));
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const running = place.start(['upload', '--zip', '--name', 'half.zip', place.folder]);
      await eventually('it is packed', async () => (await spooled()).includes('half.zip'));
      expect((await running.stop(signal)).code).toBe(signal === 'SIGINT' ? 130 : null);
    }
    await mkdir(path.join(place.root, 'none'));
    await place.run(['watch', path.join(place.root, 'none'), '--once']);
    await isEmpty();
    expect(service.files()).toEqual([]);
  },
);

test('wrong use is reported, and packs nothing', async () => {
  await place.put('a.txt', 'a');
  await mkdir(path.join(place.root, 'none'));
  await symlink('folder', path.join(place.root, 'linked'));
  for (const args of [
    ['--zip'],
    ['--zip', '-'],
    ['--zip', 'gone'],
    ['--zip', 'none'],
    ['--zip', 'linked'],
    ['--zip', '--name', '../x.zip', 'folder'],
    ['--zip', 'a.txt', '-', '--name', 'a'],
    ['--zip', '--size', '1', 'a.txt'],
    ['--name', 'a.zip', 'a.txt'],
    ['--zip', 'folder', '--expire', 'soon'],
    ['--zip', '--name', `${'n'.repeat(300)}.zip`, 'folder'],
  ])
    expect([args, (await place.json(['upload', ...args])).code]).toEqual([args, 2]);
  expect([await spooled(), service.requests()]).toEqual([[], []]);
  await place.run(['settings', 'set', 'maxFileBytes', '100']);
  expect((await place.json(['upload', '--zip', 'folder'])).code).toBe(8);
  if (process.getuid?.() !== 0) {
    await chmod(place.folder, 0o000);
    expect((await place.json(['upload', '--zip', 'folder'])).code).not.toBe(0);
    await chmod(place.folder, 0o755);
  }
  await unlink(path.join(place.folder, 'a.txt'));
});

test('--detach packs, returns and continues; --expire and --json apply to the zip', async () => {
  await place.put('a.txt', 'a');
  const detached = await place.json(['upload', '--zip', '--detach', 'folder']);
  expect(detached.code).toBe(0);
  expect(detached.lines.map(({ event }) => event)).toEqual(['queued', 'idle']);
  await eventually('it is public', () => Promise.resolve(service.files().length === 1));
  await isEmpty();
  await place.put('b.txt', 'b');
  const { lines } = await place.json(['upload', '--zip', 'folder', '--expire', '7d']);
  const uploaded = lines.find(({ event }) => event === 'uploaded');
  expect(uploaded?.['expiresAt']).toMatch(/Z$/);
  const bytes = await (await fetch(String(uploaded?.['public_link']))).arrayBuffer();
  expect(uploaded?.['sha256']).toBe(createHash('sha256').update(Buffer.from(bytes)).digest('hex'));
});
