// Every command doing its work, for people and for scripts.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const contents = { 'first.txt': 'one', 'second.txt': 'two two', 'third.txt': 'three three three' };

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  for (const [name, content] of Object.entries(contents)) await place.put(`../${name}`, content);
});

test('upload prints one link per line in the order of its arguments, and the same links the second time', async () => {
  const names = Object.keys(contents);
  const first = await place.run(['upload', ...names]);
  const links = Object.values(contents).map((content) => storedAs(service, content)[0]?.link);
  expect(first).toMatchObject({ code: 0, stdout: `${links.join('\n')}\n` });
  const again = await place.run(['upload', ...names]);
  expect(again).toMatchObject({ code: 0, stdout: first.stdout });
  expect(uploads(service)).toHaveLength(3);
});

test('upload --json reports each step of each file and ends with the five counts', async () => {
  await place.put('../fourth.txt', 'four four four four');
  const { code, lines } = await place.json(['upload', 'fourth.txt', 'first.txt']);
  expect(code).toBe(0);
  const file = storedAs(service, 'four four four four')[0];
  const fourth = lines.filter((line) => line.path?.endsWith('fourth.txt') === true);
  expect(fourth.map((line) => line.event).filter((event) => event !== 'progress')).toEqual([
    'queued',
    'uploading',
    'uploaded',
  ]);
  expect(fourth.at(-1)).toMatchObject({
    event: 'uploaded',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    path: path.join(place.root, 'fourth.txt'),
    file_id: file?.id,
    public_link: file?.link,
    size: 19,
    filename: 'fourth.txt',
    sha256: file?.sha256,
    expiresAt: null,
  });
  expect(lines.find((line) => line.path?.endsWith('first.txt') === true)?.event).toBe('uploaded');
  expect(lines.at(-1)).toMatchObject({
    event: 'idle',
    uploaded: 2,
    waiting: 0,
    held: 0,
    skipped: 0,
    failed: 0,
  });
});

test('upload --again makes a second link of the same content, plain upload of a copy offers the first', async () => {
  await place.put('../copy.txt', contents['first.txt']);
  const offered = await place.run(['upload', 'copy.txt']);
  const [first] = storedAs(service, contents['first.txt']);
  expect(offered).toMatchObject({ code: 0, stdout: `${first?.link ?? ''}\n` });
  const again = await place.run(['upload', '--again', 'copy.txt']);
  expect(again.code).toBe(0);
  expect(storedAs(service, contents['first.txt'])).toHaveLength(2);
  expect(again.stdout).not.toBe(offered.stdout);
});

test('list prints the service’s fields and when links end, page by page or all at once', async () => {
  const total = service.files().length;
  const { lines } = await place.json(['list', '--page', '2', '--limit', '2']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ success: true, pagination: { page: 2, limit: 2, total } });
  const files = lines[0]?.['files'] as object[];
  expect(Object.keys(files[0] ?? {}).sort()).toEqual(
    ['download_count', 'expiresAt', 'file_id', 'filename', 'public_link', 'size', 'upload_date'].sort(),
  );
  const all = await place.json(['list', '--all', '--limit', '2']);
  const ids = all.lines.flatMap((line) =>
    (line['files'] as { file_id: number }[]).map((file) => file.file_id),
  );
  expect(ids.toSorted()).toEqual(
    service
      .files()
      .map((file) => file.id)
      .toSorted(),
  );
  const pages = Math.ceil(total / 2);
  expect((await place.run(['list', '--limit', '2', '--page', `${pages}`])).stderr).toBe(
    `${2 - (total % 2)} of ${total} files, page ${pages} of ${pages}.\n`,
  );
  for (const more of [[], ['--all'], ['--sort', 'name']])
    expect(await place.run(['list', '--limit', '2', '--page', '99', ...more])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `outtray: There is no page 99: the list has ${pages} pages. The first page is --page 1.\n`,
    });
  expect((await place.json(['list', '--page', '99'])).lines).toMatchObject([
    { error: { code: 'bad-use', message: 'There is no page 99: the list has 1 page.' } },
  ]);
  // The service answers with its first page.
  expect(await place.run(['list', '--page', '9007199254740991'])).toMatchObject({ code: 2, stdout: '' });
  const text = await place.run(['list', '--all', '--limit', '2']);
  for (const file of service.files()) expect(text.stdout).toContain(file.link);
  expect(text.stdout.trimEnd().split('\n')).toHaveLength(total);
});

test('info and stats print the service’s fields; info adds when the link ends, stats our budget', async () => {
  const [file] = service.files();
  const info = await place.json(['info', String(file?.id)]);
  expect(info.lines).toEqual([
    {
      success: true,
      file: {
        file_id: file?.id,
        filename: file?.filename,
        size: file?.sizeBytes,
        upload_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
        download_count: 0,
        public_link: file?.link,
        expiresAt: null,
      },
      links: expect.any(Array) as unknown[],
    },
  ]);
  const [text, stats] = await Promise.all([place.run(['info', String(file?.id)]), place.json(['stats'])]);
  expect(text.stdout).toContain(file?.link);
  expect(stats.lines[0]).toMatchObject({
    success: true,
    plan: 'Pro',
    stats: { total_files: service.files().length },
    limits: { max_file_size: expect.any(Number) as number },
    budget: { minute: { limit: 100_000 }, day: { limit: 10_000_000 } },
  });
  const { used } = (stats.lines[0]?.['budget'] as { minute: { used: number } }).minute;
  // Requests of earlier tests may have left the minute; those of this one have not: one info and the statistics.
  expect(used).toBeGreaterThanOrEqual(2);
  expect(used).toBeLessThanOrEqual(service.busiest(61_000));
});

test.each([
  [
    { dailyUploads: null, maxFileSizeBytes: null },
    /^Largest file allowed +no limit\nUploads a day +0 by this machine, without a limit$/m,
  ],
  [
    { dailyUploads: 7, maxFileSizeBytes: 5000 },
    /^Largest file allowed +5000\nUploads a day +0 of 7 by this machine$/m,
  ],
])('stats writes %j as a person would', async (limits, said) => {
  const other = await ownService(limits);
  const own = await ownPlace(other);
  expect((await own.run(['stats'])).stdout).toMatch(said);
  // An account without files has one page, which is empty.
  expect(await own.run(['list'])).toMatchObject({ code: 0, stderr: '0 of 0 files, page 1 of 1.\n' });
  expect((await own.json(['list', '--page', '2'])).lines).toMatchObject([
    { error: { code: 'bad-use', message: 'There is no page 2: the list has 1 page.' } },
  ]);
});

test('delete removes from the account, one request each, and leaves the local file', async () => {
  const { link: _, ...other } = await service.addFile({ filename: 'elsewhere.bin', content: 'not ours' });
  const [ours] = storedAs(service, contents['third.txt']);
  const { code, lines } = await place.json(['delete', String(ours?.id), '999999', String(other.id)]);
  expect(code).toBe(8);
  expect(lines[0]).toMatchObject({ success: true, file_id: ours?.id });
  expect(lines[1]).toMatchObject({ file_id: 999_999, error: { code: 'not-found' } });
  expect(lines[2]).toMatchObject({ success: true, file_id: other.id });
  expect(service.files().some((file) => file.id === ours?.id || file.id === other.id)).toBe(false);
  // The link is deleted. The same file is uploaded again when it is named again.
  const again = await place.json(['upload', 'third.txt']);
  expect({ code: again.code, stored: storedAs(service, contents['third.txt']).length }).toEqual({
    code: 0,
    stored: 1,
  });
});

test('held files are shown, confirmed, cancelled and retried by their ids', async () => {
  await place.put('../server.pem', 'secret one');
  await place.put('../.env', 'secret two');
  const before = uploads(service).length;
  expect((await place.json(['upload', 'server.pem', '.env'])).code).toBe(8);
  expect(uploads(service)).toHaveLength(before);
  const { lines } = await place.json(['held']);
  expect(lines).toMatchObject([
    {
      filename: 'server.pem',
      path: path.join(place.root, 'server.pem'),
      reason: 'secret-name',
      sizeBytes: 10,
    },
    { filename: '.env', path: path.join(place.root, '.env'), reason: 'secret-name', sizeBytes: 10 },
  ]);
  const [pem, env] = lines.map((line) => String(line['queueId']));
  const text = await place.run(['held']);
  expect(text.stdout).toContain('server.pem');
  expect((await place.json(['confirm', pem ?? ''])).code).toBe(0);
  expect((await place.json(['cancel', env ?? ''])).lines[0]).toMatchObject({ state: 'skipped' });
  expect((await place.json(['confirm', pem ?? ''])).lines[0]?.error?.code).toBe('bad-use');
  // The file is confirmed: the next process that uploads takes it.
  const up = await place.json(['upload', 'server.pem']);
  expect({ code: up.code, last: up.lines.at(-1) }).toMatchObject({ code: 0, last: { uploaded: 1 } });
  expect(storedAs(service, 'secret one')).toHaveLength(1);
  expect(storedAs(service, 'secret two')).toHaveLength(0);
  // A cancel is no yes: what was asked is asked again.
  expect(await place.json(['retry', env ?? ''])).toMatchObject({ code: 8, lines: [{ state: 'held' }] });
  expect((await place.json(['cancel', env ?? ''])).code).toBe(0);
  expect((await place.json(['retry'])).lines).toEqual([]);
});

test('a yes is for the version that was shown, and each named file is answered and uploaded', async () => {
  const own = await ownPlace(service);
  const hold = async (name: string, content: string): Promise<string> => {
    await own.put(`../${name}`, content);
    expect((await own.run(['upload', name])).code).toBe(8);
    const held = (await own.json(['queue', '--held'])).lines.find((line) => line['filename'] === name);
    return String(held?.['remedy']).replace('outtray confirm ', '');
  };
  const first = await hold('id_rsa', 'the first version');
  const second = await hold('id_rsa', 'the second version, which nobody has seen');
  const refusals: [string, RegExp][] = [
    [first, /^Upload q1 has changed in the meantime\.$/],
    ['q1', /^Upload q1 has changed since it was first held\.$/],
    ['id_rsa', /^Upload q1 has changed since it was first held\.$/],
  ];
  for (const [word, message] of refusals) {
    const refused = await own.json(['confirm', word]);
    expect(refused).toMatchObject({ code: 2, lines: [{ error: { code: 'bad-use' } }] });
    expect(refused.lines[0]?.error).toMatchObject({ message: expect.stringMatching(message) as string });
    expect(JSON.stringify(refused.lines)).toContain(`outtray confirm ${second}`);
  }
  const asked = await own.run(['confirm', 'q1'], { columns: 200, stdin: 'n\n', env: { TERM: 'dumb' } });
  expect(asked.code).toBe(130);
  expect(asked.stdout).toMatch(/id_rsa \(41 bytes, .*\)\. Held: .* Upload it\? \[y\/N\] /);
  expect(storedAs(service, 'the second version, which nobody has seen')).toEqual([]);
  const pem = await hold('plain.pem', 'the other one');
  const taken = await own.json(['confirm', second, 'nowhere.txt', pem.replace(/@.*/, ''), 'q1@000000']);
  expect(taken.code).toBe(8);
  expect(taken.lines.flatMap(({ error }) => error?.code ?? [])).toEqual(['not-found']);
  for (const content of ['the second version, which nobody has seen', 'the other one'])
    expect(storedAs(service, content)).toHaveLength(1);
  await hold('id_rsa', 'the third version');
  await hold('id_rsa', 'the fourth version');
  expect(await own.run(['confirm', '--yes', 'id_rsa'])).toMatchObject({
    code: 0,
    stdout: `${storedAs(service, 'the fourth version')[0]?.link}\n`,
  });
});

test('queue shows what waits, is held or has failed, with id, reason and remedy, and counts it', async () => {
  const own = await ownPlace(service);
  for (const name of ['id_rsa', 'waits.txt']) await own.put(`../${name}`, `queue: the content of ${name}`);
  await own.put('../large.txt', 'more than forty bytes, which is what this test allows');
  await own.run(['settings', 'set', 'maxFileBytes', '40']);
  expect((await own.run(['upload', 'id_rsa', 'large.txt', 'nowhere.txt'])).code).toBe(8);
  await own.run(['pause', '1h']);
  await own.run(['upload', '--no-wait', 'waits.txt']);
  const { lines } = await own.json(['queue']);
  expect(lines).toMatchObject([
    { queueId: 'q3', filename: 'waits.txt', state: 'waiting' },
    {
      queueId: 'q1',
      state: 'held',
      reason: 'secret-name',
      until: null,
      remedy: expect.stringMatching(/^outtray confirm q1@\w{6}$/) as string,
    },
    { queueId: 'q2', state: 'failed', reason: 'forbidden' },
    { event: 'queue', uploading: 0, waiting: 1, held: 1, failed: 1 },
  ]);
  const text = await own.run(['queue']);
  expect(text.stdout).toMatch(
    /^q3 +waiting .*waits\.txt.*\nq1 +held +secret-name .*id_rsa +→ outtray confirm q1@\w{6}\nq2 +failed /,
  );
  for (const [flag, id] of Object.entries({ '--held': 'q1', '--failed': 'q2', '--waiting': 'q3' })) {
    const chosen = await own.run(['queue', flag]);
    expect(chosen.stdout.match(/^q\d/gm)).toEqual([id]);
  }
  expect((await own.run(['queue', '--uploading'])).stdout).toBe('');
});

test('pause stops what is about to be uploaded, across processes, and resume releases it', async () => {
  await place.put('../later.txt', 'later');
  const paused = await place.json(['pause', '15m']);
  expect(paused.lines[0]).toMatchObject({ paused: true });
  expect(Date.parse(String(paused.lines[0]?.['until'])) - Date.now()).toBeGreaterThan(14 * 60_000);
  const [status, blocked] = [await place.json(['status']), await place.json(['upload', 'later.txt'])];
  expect(status.lines[0]?.['paused']).toBe(true);
  expect({ code: blocked.code, error: blocked.lines.at(-1)?.error?.code }).toEqual({
    code: 6,
    error: 'budget',
  });
  const why = await place.run(['why', 'later.txt']);
  expect(why.stdout).toBe('Waiting: the queue is paused.\n');
  expect((await place.json(['resume'])).lines).toEqual([{ paused: false }]);
  expect((await place.json(['upload', 'later.txt'])).code).toBe(0);
  expect(storedAs(service, 'later')).toHaveLength(1);
});

test('why explains in one sentence what happened to a file', async () => {
  const [first] = storedAs(service, contents['first.txt']);
  const { lines } = await place.json(['why', 'first.txt']);
  expect(lines[0]).toMatchObject({ sentence: `Uploaded: ${first?.link ?? ''}`, state: 'uploaded' });
  const text = await place.run(['why', '.env']);
  expect(text.stdout).toBe('Skipped: cancelled.\n');
  const unknown = await place.run(['why', place.home]);
  expect(unknown.stdout).toMatch(/^Outtray does not know this file: .*\n$/);
});

test('info and why point out a copy that a proxy’s repeat made once a list has shown it', async () => {
  const file = await place.put('../repeated.txt', 'sent once, stored twice');
  await place.run(['upload', 'repeated.txt']);
  const ours = storedAs(service, 'sent once, stored twice')[0]?.id;
  const copy = await service.addFile({ filename: 'repeated.txt', content: 'sent once, stored twice' });
  const info = async () => (await place.json(['info', String(ours)])).lines[0];
  expect(await info()).not.toHaveProperty('copies');
  await place.run(['list', '--all']);
  expect(await info()).toMatchObject({ success: true, file: { file_id: ours }, copies: [copy.id] });
  const says = `The account has another file of this name and size (id ${copy.id}). A proxy may have sent the upload twice`;
  expect((await place.run(['info', String(ours)])).stdout).toContain(says);
  expect((await place.run(['why', file])).stdout).toMatch(/^Uploaded: \S+ The account has another file/);
  expect((await place.json(['why', file])).lines[0]).toMatchObject({ state: 'uploaded', copies: [copy.id] });
  await place.run(['delete', String(copy.id)]);
  expect(await info()).not.toHaveProperty('copies');
  expect((await place.run(['why', file])).stdout).not.toContain('another file');
});

test('status counts files given by path separately from those in the folder', async () => {
  const own = { env: { OUTTRAY_HOME: path.join(place.root, 'counting-home') } };
  await place.put('in the folder.txt', 'one');
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'skip'], own)).code).toBe(0);
  const file = await place.put('../beside the folder.txt', 'two');
  expect((await place.run(['upload', file], own)).code).toBe(0);
  const { lines } = await place.json(['status'], own);
  expect(lines[0]).toMatchObject({ counts: { uploaded: 0 }, outside: { uploaded: 1, failed: 0 } });
  expect((await place.run(['status'], own)).stdout).toMatch(/^Outside the folders +1 uploaded$/m);
});

test('an unknown setting stays in the file, and status reports it once', async () => {
  const file = path.join(place.home, 'settings.json');
  const text = await readFile(file, 'utf8');
  const before = JSON.parse(text) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...before, colour: 'red' }));
  const told = 'there is no setting of the name "colour"';
  expect((await place.run(['status'])).stderr).toContain(told);
  expect((await place.run(['status'])).stderr).not.toContain(told);
  expect((await place.run(['settings'])).stderr).toContain(told);
  await place.run(['settings', 'set', 'notify', 'false']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ colour: 'red', notify: false });
  await writeFile(file, JSON.stringify({ ...before, colour: 'red', size: 'big' }));
  const { stderr } = await place.run(['status']);
  expect(stderr).toContain('"size"');
  expect(stderr).not.toContain(told);
  await writeFile(file, text);
});

test('settings are shown with their source, set, and reset', async () => {
  const get = async (name: string) => (await place.json(['settings', 'get', name])).lines[0];
  expect(await get('recursive')).toMatchObject({ value: true, origin: 'default' });
  expect((await place.json(['settings', 'set', 'ignore', '*.log,build/'])).lines[0]).toMatchObject({
    value: ['*.log', 'build/'],
    origin: 'user',
  });
  expect(await get('ignore')).toMatchObject({ value: ['*.log', 'build/'] });
  expect((await place.run(['settings', 'set', 'ignore', 'default'])).stdout).toBe('ignore = []\n');
  const text = await place.run(['settings']);
  expect(text.stdout).toMatch(/^burstFiles +100000 +user$/m);
  expect((await place.json(['settings'])).lines.length).toBeGreaterThan(20);
});

test('doctor checks each thing and reports faults with their remedy', async () => {
  const fine = await place.json(['doctor']);
  expect({ code: fine.code, bad: fine.lines.filter((line) => line['ok'] === false) }).toEqual({
    code: 0,
    bad: [],
  });
  const names = fine.lines.map((line) => line['name']);
  for (const name of ['keychain', 'folder', 'watcher', 'disk', 'network', 'key'])
    expect(names).toContain(name);
  const [wrong, dead] = await Promise.all([
    place.run(['doctor'], { env: { OUTTRAY_API_KEY: 'not-the-key' } }),
    place.run(['doctor'], { env: { OUTTRAY_BASE_URL: 'http://127.0.0.1:9/api/v1' } }),
  ]);
  expect(wrong).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/✗ key: The service does not accept/) as string,
  });
  expect(dead).toMatchObject({ code: 7, stdout: expect.stringMatching(/✗ network: .*Try again/) as string });
});

test('the key is nowhere in the data folder', async () => {
  const { readdir, readFile } = await import('node:fs/promises');
  for (const name of await readdir(place.home, { recursive: true })) {
    const bytes = await readFile(path.join(place.home, name)).catch(() => Buffer.alloc(0));
    expect(bytes.includes(service.key), name).toBe(false);
  }
});

test('every command that takes a file uses the same resolver, and does nothing when the file is unknown', async () => {
  const commands = [
    ...['info', 'delete', 'recall', 'follow', 'verify', 'card', 'link', 'why'],
    ...['confirm', 'cancel', 'retry', 'resolve'],
  ].map((name) => [name, 'q999']);
  for (const args of [...commands, ['expire', 'q999', '7d'], ['recall', '--all-copies', 'q999']])
    expect(await place.run(args)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/There is no upload q999\./) as string,
    });
});

test('a file is named by its link, as it was copied, and by its name from anywhere', async () => {
  const [file] = storedAs(service, contents['second.txt']);
  const link = file?.link ?? '';
  const elsewhere = { cwd: place.home };
  for (const name of [link, `[second.txt](<${link}>)`, `<a href="${link}">second.txt</a>`, 'second.txt'])
    expect(await place.run(['link', name], elsewhere)).toMatchObject({ code: 0, stdout: `${link}\n` });
  expect((await place.run(['info', link])).stdout).toContain(String(file?.id));
  expect((await place.run(['why', link])).stdout).toBe(`Uploaded: ${link}\n`);
  const twice = ['one/twice.txt', 'two/twice.txt'];
  for (const name of twice) await place.put(`../${name}`, `the content of ${name}`);
  expect((await place.run(['upload', ...twice])).code).toBe(0);
  const several = await place.run(['delete', 'twice.txt'], elsewhere);
  expect(several.code).toBe(2);
  for (const name of twice) expect(several.stderr).toContain(path.join(place.root, name));
  for (const name of twice) expect(storedAs(service, `the content of ${name}`)).toHaveLength(1);
  expect((await place.json(['recall', 'second.txt'], elsewhere)).lines[0]).toMatchObject({
    file_id: file?.id,
  });
});
