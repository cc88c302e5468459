// Files given by folder and by list, links by name, and the other options of an upload.
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { posixTest } from '../support/posix.ts';
import { eventually } from '../support/flow/poll.ts';
import { isDeep } from '../support/deep.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { type Place, untilAlone } from '../support/flow/place.ts';

const service = await ownService();
const place = await ownPlace(service, { settings: { ignore: ['*.log'] } });

const stored = (): string[] =>
  service
    .files()
    .map(({ filename }) => filename)
    .toSorted();

test('upload -r takes the files in a folder, by the rules of the watched one, and follows no symbolic link', async () => {
  for (const name of ['a.txt', 'sub/b.txt', 'sub/deep/c.txt', 'sub/noise.log', '.hidden/d.txt', 'x.part'])
    await place.put(`../given/${name}`, `content of ${name}`);
  await symlink('/etc', path.join(place.root, 'given/link'));
  const refused = await place.run(['upload', 'given']);
  expect(refused).toMatchObject({ code: 8, stderr: expect.stringMatching(/upload --recursive/) as string });
  const ended = await place.run(['upload', '-r', 'given']);
  expect(ended.stderr).toBe(
    '4 files left out: hidden (1), symbolic link (1), matches an ignore pattern (1), unfinished download (1).\n',
  );
  expect(ended.code).toBe(0);
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stored()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  await mkdir(path.join(place.root, 'empty'));
  expect(await place.run(['upload', '-r', 'empty'])).toMatchObject({ code: 0, stdout: '' });
});

test('--files-from takes paths from a file and from standard input, separated by line feeds or NUL, whatever bytes they have', async () => {
  await place.put('../line.txt', 'line');
  const odd = Buffer.concat([Buffer.from(`${place.root}/new\nline-`), Buffer.from([0xe9])]);
  await writeFile(odd, 'odd');
  const lines = await place.run(['upload', '--files-from', '-'], { stdin: 'line.txt\n\nnot there.txt\n' });
  expect(lines.code).toBe(8);
  expect(lines.stderr).toMatch(/^not there\.txt: There is no such file\./);
  await writeFile(path.join(place.root, 'list'), Buffer.concat([odd, Buffer.from('\0line.txt')]));
  const listed = await place.run(['upload', '-0', '--files-from', 'list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(stored()).toHaveLength(5);
  await writeFile(path.join(place.root, 'list'), Buffer.from('\ufeffline.txt\n', 'utf16le'));
  expect((await place.run(['upload', '--files-from', 'list'])).code).toBe(0);
  expect((await place.run(['upload', '--files-from', '-'], { stdin: '\ufeffline.txt\n' })).code).toBe(0);
  expect((await place.run(['upload', '--files-from', 'no list'])).code).toBe(2);
  expect(await place.run(['upload', '--files-from', '-'])).toMatchObject({ code: 0, stdout: '' });
});

posixTest('it has no pipes with names')('--files-from reads a pipe to its end', async () => {
  const pipe = path.join(place.root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reading = place.start(['upload', '--files-from', pipe], { process: true });
  execFileSync('sh', ['-c', `{ echo line.txt; sleep 0.2; echo given/a.txt; } > '${pipe}'`]);
  const ended = await reading.ended;
  expect([ended.code, ended.stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
});

(isDeep ? posixTest('it has no pipes with names') : test.skip)(
  'Ctrl-C interrupts --files-from while nothing is written to its pipe',
  async () => {
    const pipe = path.join(place.root, 'empty pipe');
    execFileSync('mkfifo', [pipe]);
    const waiting = place.start(['upload', '--files-from', pipe], { process: true });
    // Nothing shows that it has begun to read.
    await new Promise((later) => setTimeout(later, 1500));
    expect((await waiting.stop('SIGINT')).code).toBe(130);
  },
);

test('link prints the link of one file without a request; 2 for a name of several, 5 when there is none', async () => {
  await place.run(['upload', '--again', 'line.txt']);
  const { link } = service.files().findLast(({ filename }) => filename === 'line.txt') ?? { link: '' };
  const before = service.requests().length;
  expect(await place.run(['link', 'line.txt'])).toMatchObject({ code: 0, stdout: `${link}\n` });
  expect((await place.run(['link', 'line.txt'], { cwd: place.home })).code).toBe(2);
  expect((await place.run(['link', 'given/a.txt'])).stdout).toBe((await place.run(['link', 'a.txt'])).stdout);
  const none = await place.json(['link', 'line']);
  expect({ code: none.code, error: none.lines[0]?.error?.code }).toEqual({ code: 5, error: 'not-found' });
  expect(service.requests()).toHaveLength(before);
});

test('link of a path is the link of the file that is there, whatever lay there before', async () => {
  const [one, two] = [await place.put('../one.dat', 'one'), await place.put('../two.dat', 'two')];
  const [ofOne, ofTwo] = [await place.run(['upload', one]), await place.run(['upload', two])];
  await rename(one, two);
  expect((await place.run(['upload', two])).stdout).toBe(ofOne.stdout);
  expect((await place.run(['link', two])).stdout).toBe(ofOne.stdout);
  expect((await place.run(['recall', two])).code).toBe(0);
  expect((await place.run(['link', two])).stdout).not.toBe(ofOne.stdout);
  expect((await place.run(['link', ofTwo.stdout.trim()])).stdout).toBe(ofTwo.stdout);
});

test('a renamed file has its link at once, in text, in JSON, and with --detach', async () => {
  const old = await place.put('../old name.txt', 'renamed');
  const { stdout } = await place.run(['upload', 'old name.txt']);
  const names = ['one.txt', 'two.txt', 'three.txt'].map((name) => path.join(place.root, name));
  const [one = '', two = '', three = ''] = names;
  const events = ({ lines }: Awaited<ReturnType<Place['json']>>) =>
    lines.map((line) => [line.event, line.path, line['public_link']]);
  const before = service.files().length;
  await rename(old, one);
  expect(events(await place.json(['upload', one]))).toEqual([
    ['uploaded', one, stdout.trim()],
    ['idle', null, undefined],
  ]);
  await rename(one, two);
  expect((await place.run(['upload', two])).stdout).toBe(stdout);
  await rename(two, three);
  expect((await place.json(['upload', '--detach', three])).code).toBe(0);
  await eventually('it is known by its new name', async () => {
    const { lines } = await place.json(['upload', three]);
    return lines[0]?.event === 'uploaded' && lines[0].path === three;
  });
  await untilAlone(place);
  expect(service.files()).toHaveLength(before);
});

test.runIf(process.platform === 'linux')(
  '--open passes the link to the system, and only one of an allowed host',
  async () => {
    const opened = path.join(place.root, 'opened');
    const opener = path.join(place.root, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    await chmod(opener, 0o755);
    const env = { PATH: `${place.root}:${process.env['PATH'] ?? ''}` };
    await place.put('../shown.txt', 'shown');
    const ended = await place.run(['upload', '--open', 'shown.txt'], { env });
    expect(ended.code).toBe(0);
    await eventually('it is opened', async () => {
      const text = await readFile(opened, 'utf8').catch(() => '');
      return `${text}\n` === ended.stdout;
    });
    const elsewhere = { ...env, OUTTRAY_BASE_URL: 'https://files.example.com/api/v1' };
    const refused = await place.run(['link', '--open', 'shown.txt'], { env: elsewhere });
    expect(refused.stderr).toMatch(/is not opened: its host is neither the service’s nor in linkHosts\.\n$/);
    const missing = await place.run(['link', '--open', 'shown.txt'], { env: { PATH: '/nowhere' } });
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no xdg-open/) as string,
    });
  },
);

test('upload -v prints the log on standard error, without the key', async () => {
  const ended = await place.run(['-v', 'upload', 'line.txt']);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/^\d{4}-\S+Z info started \{"folder":null/m);
  expect(ended.stderr).not.toContain(service.key);
});

test('anything but a regular file is refused by its path, leaves no record, and the others are uploaded', async () => {
  const own = await ownPlace(service);
  await own.put('../there.txt', 'there');
  await mkdir(path.join(own.root, 'sub'));
  await symlink('/nowhere', path.join(own.root, 'dangling'));
  const wrong = ['missing.txt', 'sub/missing.txt', '*.nothing', 'sub', 'dangling', 'there.txt/below'];
  const links: string[] = [];
  for (const { args, ...input } of [
    { args: [...wrong, 'there.txt'] },
    { args: ['--files-from', '-'], stdin: [...wrong, 'there.txt'].join('\n') },
    { args: ['-r', '--files-from', '-'], stdin: wrong.filter((one) => one !== 'sub').join('\n') },
  ]) {
    const ended = await own.run(['upload', ...args], input);
    expect(ended.code).toBe(8);
    const named = ended.stderr
      .split('\n')
      .flatMap((line) => /^(.*?): This is|^(.*?): There/.exec(line)?.[0] ?? []);
    expect(named).toHaveLength(args.includes('-r') ? wrong.length - 1 : wrong.length);
    links.push(ended.stdout);
  }
  expect(links.map((text) => text.match(/^http/gm)?.length ?? 0)).toEqual([1, 1, 0]);
  const { lines } = await own.json(['upload', 'sub/missing.txt', 'sub']);
  expect(lines).toMatchObject([
    { event: 'failed', path: path.join(own.root, 'sub/missing.txt'), code: 'gone' },
    { event: 'failed', path: path.join(own.root, 'sub'), code: 'not-a-file' },
    { event: 'idle', failed: 2, uploaded: 0 },
  ]);
  expect((await own.json(['queue'])).lines).toMatchObject([{ event: 'queue', failed: 0 }]);
});
