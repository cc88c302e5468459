// Many files as one zip, in the whole engine: its contents, what holds it, and what can fail while it is packed.
import { beforeEach, describe, expect, test } from 'vitest';
import { begin, type Running, type World } from '../../../support/fake-world.ts';
import { posixTest } from '../../../support/posix.ts';

const photo = '\x01\x02\x03PHOTO of GPS a house';

/** Writes a file with the folders above it. */
const write = ({ disk }: World, path: string, content: string): void => {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (!made.has(folder)) disk.make(folder, 'folder');
    made.add(folder);
  }
  disk.write(path, content);
};
let made = new Set<string>();
beforeEach(() => (made = new Set()));

/** What the zip of this upload holds, one line for each file. */
const zipped = (world: World, id: number): string | null => {
  const row = world.ledger.uploads.byId(id);
  return world.disk.text(`${row?.dir ?? ''}/${row?.name ?? ''}`);
};
const pack = (run: Running, paths: string[], more: { name?: string; again?: boolean } = {}) =>
  run.call('files.bundle', { paths, ...more });
const why = async (run: Running, path: string) => (await run.call('file.why', { path })).sentence;

describe('a zip', () => {
  test('contains the files that the rules allow, by name, and each of its files knows it', async () => {
    const { world, run } = await begin();
    write(world, '/docs/b/two.txt', '2');
    write(world, '/docs/a.txt', '1');
    write(world, '/docs/.git/x', 'hidden');
    write(world, '/docs/new.part', 'unfinished');
    write(world, '/docs/cloud.txt', 'far away');
    world.disk.markOnlineOnly('/docs/cloud.txt');
    world.disk.make('/docs/link', 'link');
    write(world, '/named.part', 'in any case');
    const { upload, files, leftOut, packedAgain } = await pack(run, [
      '/named.part',
      '/docs',
      '/docs/b',
      '/docs',
    ]);
    expect([upload.name, files, packedAgain]).toEqual(['files.zip', 3, []]);
    expect(leftOut).toEqual([
      { why: 'hidden', count: 1, paths: ['/docs/.git/x'] },
      { why: 'online-only', count: 1, paths: ['/docs/cloud.txt'] },
      { why: 'link', count: 1, paths: ['/docs/link'] },
      { why: 'partial', count: 1, paths: ['/docs/new.part'] },
    ]);
    expect(zipped(world, upload.id)).toBe('docs/a.txt: 1\ndocs/b/two.txt: 2\nnamed.part: in any case');
    expect(await why(run, '/docs/a.txt')).toBe('It was packed into files.zip (no link).');
    await world.until('files.zip', 'uploaded');
    expect(await why(run, '/docs/a.txt')).toMatch(/^It was packed into files.zip \(http/);
    // Its own row, too, where it has one.
    await run.call('files.upload', { paths: ['/docs/a.txt'] });
    await world.until('a.txt', 'uploaded');
    expect(await why(run, '/docs/a.txt')).toMatch(/^Uploaded: .* It was packed into files.zip/);
  });

  posixTest('its names lack these signs')(
    'has no name that a reader could take for a path to another folder',
    async () => {
      const { world, run } = await begin();
      write(world, '/docs/..\\top:1.txt', '1');
      write(world, '/odd\\folder/in\\side\n.txt', '2');
      const { upload } = await pack(run, ['/docs/..\\top:1.txt', '/odd\\folder']);
      expect(zipped(world, upload.id)).toBe('.._top_1.txt: 1\nodd_folder/in_side_.txt: 2');
    },
  );

  test('with the content of another one is reported as that one, by its id and by its files', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '1');
    const first = await pack(run, ['/docs'], { name: 'first.zip' });
    await world.until('first.zip', 'uploaded');
    world.disk.remove(first.upload.path);
    const second = await pack(run, ['/docs'], { name: 'second.zip' });
    await world.clock.advance(10_000);
    const ends = [first, second].map(({ upload }) => world.ledger.uploads.byId(upload.id)?.state.kind);
    expect(ends).toEqual(['uploaded', 'gone']);
    const { publicLink } = world.ledger.uploads.byId(first.upload.id) ?? {};
    const { sentence } = await run.call('file.why', { uploadId: second.upload.id });
    expect(sentence).toBe(`Uploaded: ${publicLink}`);
    expect(await why(run, '/docs/a.txt')).toBe(`It was packed into second.zip (${publicLink}).`);
  });

  test('is uploaded where only some folders are allowed: its files count, not the spool', async () => {
    const { world, run } = await begin({ settings: { allowedRoots: ['/docs'], forbiddenRoots: ['/spool'] } });
    write(world, '/docs/a.txt', '1');
    write(world, '/other/b.txt', '2');
    await expect(pack(run, ['/docs', '/other'])).rejects.toMatchObject({ code: 'forbidden' });
    await pack(run, ['/docs']);
    await world.until('docs.zip', 'uploaded');
  });

  test('of a kind that is not allowed is refused', async () => {
    const { world, run } = await begin({ settings: { allowedRoots: ['/docs'], allowedTypes: ['txt'] } });
    write(world, '/docs/a.txt', '1');
    await pack(run, ['/docs']);
    const { state } = await world.until('docs.zip', 'failed');
    expect(state).toMatchObject({ code: 'forbidden', message: 'Files of the type zip are not shared.' });
  });

  test('has the given name, or the name of its only folder or file', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '1');
    const names = [
      (await pack(run, ['/docs'])).upload.name,
      (await pack(run, ['/docs/a.txt'])).upload.name,
      (await pack(run, ['/docs'], { name: 'x.ZIP' })).upload.name,
      (await pack(run, ['/docs'], { name: 'x' })).upload.name,
    ];
    expect(names).toEqual(['docs.zip', 'a.txt.zip', 'x.ZIP', 'x.zip']);
    for (const name of ['n'.repeat(252), 'a/b', ' '])
      await expect(pack(run, ['/docs'], { name })).rejects.toMatchObject({ code: 'bad-use' });
  });

  test('counts everything that it leaves out, and names each file', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '1');
    for (let number = 0; number < 101; number += 1) write(world, `/docs/.h${number}`, '');
    world.disk.make('/docs/pipe', 'special');
    const { leftOut } = await pack(run, ['/docs']);
    expect(leftOut.map(({ why, count, paths }) => [why, count, paths.length])).toEqual([
      ['hidden', 101, 101],
      ['special', 1, 1],
    ]);
  });

  test("leaves out Outtray's own data, and is refused if nothing else is left", async () => {
    const { world, run } = await begin();
    await run.call('settings.set', { name: 'includeHidden', value: true });
    write(world, '/home/me/a.txt', '1');
    write(world, '/home/me/.outtray/settings.json', '2');
    write(world, '/home/me/.outtray/spool/1/x', '3');
    const { files, leftOut } = await pack(run, ['/home/me']);
    expect(files).toBe(1);
    expect(leftOut).toEqual([{ why: 'own', count: 1, paths: ['/home/me/.outtray'] }]);
    for (const path of ['/home/me/.outtray', '/home/me/.outtray/settings.json'])
      await expect(pack(run, [path])).rejects.toMatchObject({ code: 'own-data' });
    const walked = await run.call('files.walk', { paths: ['/home/me'] });
    expect(walked.paths).toEqual(['/home/me/a.txt']);
  });

  test.each(['command', 'window', 'tray', 'clipboard'] as const)(
    "of Outtray's own data is no file given by path either: %s",
    async (door) => {
      const { world, run } = await begin();
      const own = ['settings.json', 'ledger.sqlite', 'profiles/work/ledger.sqlite', 'log/outtray.log'];
      const paths = own.map((name) => `/home/me/.outtray/${name}`);
      for (const path of paths) write(world, path, path);
      write(world, '/docs/a.txt', 'a');
      const given = await run.call('files.upload', { paths: [...paths, '/docs/a.txt'], door });
      expect(given.map(({ error }) => error?.code)).toEqual([...paths.map(() => 'own-data'), undefined]);
      for (const path of paths)
        await expect(run.call('files.plan', { paths: [path] })).rejects.toMatchObject({ code: 'own-data' });
    },
  );

  test.each(['clipboard', 'window', 'command'] as const)(
    'of what was copied, which is kept in our own folder until it is uploaded, is given: %s',
    async (door) => {
      const { world, run } = await begin();
      const path = '/home/me/.outtray/pasted/a.png';
      write(world, path, 'a picture');
      const [given] = await run.call('files.upload', { paths: [path], door });
      expect(given?.error).toBeNull();
    },
  );

  test('lists its first 200 files by name, and how many there are; another file lists none', async () => {
    const { world, run } = await begin();
    for (let number = 0; number < 203; number += 1)
      write(world, `/docs/${String(number).padStart(3, '0')}.txt`, 'x'.repeat(number));
    const { upload } = await pack(run, ['/docs']);
    const { inside } = await run.call('file.story', { uploadId: upload.id });
    expect([inside?.total, inside?.files.length]).toEqual([203, 200]);
    expect(inside?.files.slice(0, 2)).toEqual([
      { name: 'docs/000.txt', sizeBytes: 0 },
      { name: 'docs/001.txt', sizeBytes: 1 },
    ]);
    const [alone] = await run.call('files.upload', { paths: ['/docs/001.txt'] });
    expect((await run.call('file.story', { uploadId: alone?.upload?.id ?? 0 })).inside).toBeNull();
  });

  test('with a number reports its name while the folders are read, and its progress, and stops on request', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '12');
    write(world, '/docs/b.txt', '345');
    const { findIn } = world.inspect;
    // Longer than one batch of the feed.
    world.inspect.findIn = async (content) => {
      await new Promise<void>((resolve) => void world.clock.after(500, resolve));
      return await findIn(content);
    };
    await run.call('files.bundle', { paths: ['/docs'], packing: 7 });
    await world.clock.advance(1_000);
    const told = run.changes.flatMap((change) => (change.kind === 'packing' ? [change.packings] : []));
    const far = { id: 7, name: 'docs.zip', totalFiles: 2, totalBytes: 5 };
    expect(told).toEqual([[{ ...far, files: 0, bytes: 0 }], [{ ...far, files: 0, bytes: 2 }], []]);
    const whole = run.call('files.bundle', { paths: ['/docs'], name: 'later.zip', packing: 8 });
    await expect(run.call('files.stopPacking', { packing: 7 })).resolves.toBe(false);
    await expect(run.call('files.stopPacking', { packing: 8 })).resolves.toBe(true);
    await expect(whole).rejects.toMatchObject({ code: 'aborted' });
    expect(world.rows().map(({ name }) => name)).toEqual(['docs.zip']);
  });

  test('has no two files with the same name, and no name that leads elsewhere', async () => {
    const { world, run } = await begin();
    for (const name of ['\u0000ff.txt', '\u0000fe.txt', 'C:x', 'a\\b', 'plain', '\u0000aa', '\u0000bb'])
      write(world, `/odd/${name}`, 'x');
    write(world, '/other/plain', 'y');
    const { upload } = await pack(run, ['/odd', '/other/plain', '/odd/plain']);
    const names = zipped(world, upload.id)
      ?.split('\n')
      .map((line) => line.slice(0, -3));
    expect(names).toEqual([
      'odd/C_x',
      'odd/_',
      'odd/_ (2)',
      'odd/_ (2).txt',
      'odd/_.txt',
      'odd/a_b',
      'odd/plain',
      'plain',
    ]);
  });

  test('has no two files with the same name on a system that ignores case or normalization', async () => {
    const { world, run } = await begin();
    for (const name of ['A.txt', 'a.TXT', 'e\u0301', '\u00e9', 'sub/x', 'SUB/x'])
      write(world, `/odd/${name}`, 'x');
    const { upload } = await pack(run, ['/odd']);
    const names = zipped(world, upload.id)
      ?.split('\n')
      .map((line) => line.slice(0, -3));
    expect(new Set(names)).toEqual(
      new Set(['odd/A.txt', 'odd/a (2).TXT', 'odd/\u00e9', 'odd/\u00e9 (2)', 'odd/SUB/x', 'odd/sub (2)/x']),
    );
  });

  test.each([
    ['a dot or a blank at the end', ['a.txt', 'a.txt.', 'a.txt ']],
    ['what Windows forbids', ['a<b', 'a>b', 'a|b', 'a"b', 'a*b', 'a?b']],
    ['a sign that turns the reading direction', ['a_b', 'a\u202eb', 'a\u2066b']],
    ['a device of Windows', ['con', 'CON', '_con']],
    ['letters that have one capital', ['\u00b5', '\u03bc', '\u039c']],
    ['signs that are one letter', ['k', 'K', '\u212a']],
    ['composed and decomposed letters in a folder', ['\u00e9/x', 'e\u0301/x', '\u00c9/x']],
  ])('has a separate name for each file even if %s makes no difference', async (_, given) => {
    const { world, run } = await begin();
    for (const name of given) write(world, `/odd/${name}`, 'x');
    const { upload } = await pack(run, ['/odd']);
    const names = zipped(world, upload.id)
      ?.split('\n')
      .map((line) => line.slice(0, -3));
    expect(names).toHaveLength(given.length);
    const asOnWindows = (name: string): string => name.normalize('NFC').toUpperCase();
    expect(new Set(names?.map(asOnWindows)).size).toBe(given.length);
  });

  test('with the same content has the same link, unless another is requested; it can have an end', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '1');
    await pack(run, ['/docs'], { name: 'one.zip' });
    await world.until('one.zip', 'uploaded');
    await pack(run, ['/docs'], { name: 'two.zip' });
    expect((await world.until('two.zip', 'skipped')).state).toMatchObject({ rule: 'already-shared' });
    await pack(run, ['/docs'], { name: 'three.zip', again: true });
    await world.until('three.zip', 'uploaded');
    await run.call('files.bundle', {
      paths: ['/docs'],
      name: 'four.zip',
      again: true,
      expire: { afterMs: 3_600_000 },
    });
    expect((await world.until('four.zip', 'uploaded')).ends).not.toBeNull();
  });
});

describe('a reason to hold a single file', () => {
  test.each([
    ['id_rsa', 'x', 'secret-name', 'docs/id_rsa in this zip has a name that looks like a secret.'],
    [
      'a.txt',
      'one\nSECRET',
      'secret-content',
      'docs/a.txt in this zip looks like a secret in line 2 (rule word).',
    ],
    ['a.txt', 'ENDLESS', 'secret-content', 'docs/a.txt in this zip took too long to search'],
    ['a.jpg', photo, 'location', 'docs/a.jpg in this zip shows, or may show, where a photo was taken.'],
  ])('holds the zip: %s with %j for %s', async (name, content, reason, sentence) => {
    const { world, run } = await begin();
    write(world, `/docs/${name}`, content);
    write(world, '/docs/z.txt', 'SECRET, too');
    const { upload } = await pack(run, ['/docs']);
    expect(upload.state).toMatchObject({ kind: 'held', reason, inZip: { name: `docs/${name}`, others: 1 } });
    const told = await why(run, `${world.row('docs.zip').dir}/docs.zip`);
    expect(told).toContain(`Held: ${sentence}`);
    expect(told).toContain(
      '1 more of its files would be held, too. The zip stays here until you confirm it.',
    );
    // It cannot be cut any more.
    await expect(
      run.call('queue.confirm', { ids: [upload.id], withoutLocation: true }),
    ).rejects.toMatchObject({ code: 'bad-use' });
    await run.call('queue.confirm', { ids: [upload.id] });
    await world.until('docs.zip', 'uploaded');
  });

  test('does not hold the zip again after a person confirms the zip or the file', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', 'SECRET');
    const first = await pack(run, ['/docs']);
    await run.call('queue.confirm', { ids: [first.upload.id] });
    await world.until('docs.zip', 'uploaded');
    expect((await pack(run, ['/docs'], { name: 'again.zip' })).upload.state.kind).toBe('settling');
    const [given] = await run.call('files.upload', { paths: ['/docs/a.txt'] });
    await world.until('a.txt', 'held');
    await run.call('queue.confirm', { ids: [given?.upload?.id ?? 0] });
    write(world, '/docs/b.txt', 'more');
    expect((await pack(run, ['/docs'])).upload.state.kind).toBe('settling');
  });

  test('does not matter where the settings disable the checks', async () => {
    const { world, run } = await begin({ settings: { lookInside: false, holdSecrets: false } });
    write(world, '/docs/id_rsa', 'SECRET');
    expect((await pack(run, ['/docs'])).upload.state.kind).toBe('settling');
  });

  test('a photo is packed without its location where the settings or a person say so', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.jpg', photo);
    const [given] = await run.call('files.upload', { paths: ['/docs/a.jpg'] });
    await world.until('a.jpg', 'held');
    await run.call('queue.confirm', { ids: [given?.upload?.id ?? 0], withoutLocation: true });
    const { upload } = await pack(run, ['/docs']);
    expect(zipped(world, upload.id)).not.toContain('GPS');
    await world.settings.set('photoLocation', 'remove');
    write(world, '/docs/b.jpg', `${photo} FIXED`);
    const held = await pack(run, ['/docs']);
    expect(held.upload.state).toMatchObject({ reason: 'location', inZip: { name: 'docs/b.jpg', others: 0 } });
  });

  test.each([
    ['its name looks like a secret', 'id_rsa.jpg', photo, 'secret-name'],
    [
      'its comment looks like a secret',
      'a.jpg',
      `${photo}${' a long comment'.repeat(20)} SECRET`,
      'secret-content',
    ],
  ])('a photo is packed without its location even where %s', async (_what, name, content, reason) => {
    const { world, run } = await begin({ settings: { photoLocation: 'remove' } });
    write(world, `/docs/${name}`, content);
    const { upload } = await pack(run, ['/docs']);
    expect(upload.state).toMatchObject({ reason, inZip: { name: `docs/${name}`, others: 0 } });
    expect(zipped(world, upload.id)).toContain('PHOTO');
    expect(zipped(world, upload.id)).not.toContain('GPS');
  });

  test.each([
    ['/docs/.kube/config', ['/docs/.kube/config']],
    ['/docs/.docker/config.json', ['/docs/.docker']],
    ['/docs/.docker/config.json', ['/docs/.docker/config.json']],
    ['/docs/id_rsa\\', ['/docs']],
    ['/docs/old\\id_rsa', ['/docs']],
  ])('%s in a zip of %j is a secret name, whatever folders lie above the given path', async (path, paths) => {
    const { world, run } = await begin({ settings: { includeHidden: true } });
    write(world, path, 'x');
    expect((await pack(run, paths)).upload.state).toMatchObject({ reason: 'secret-name' });
  });
});

describe('while it is packed', () => {
  test('a download that begins again is left out of the zip of a folder, and refused when it was named', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', '1');
    write(world, '/docs/disc.iso', 'whole');
    world.disk.raceAtUse((path) => {
      if (path === '/docs/disc.iso') world.disk.write(`${path}.aria2`, 'state');
    });
    const { files, leftOut, packedAgain } = await pack(run, ['/docs']);
    expect([files, packedAgain]).toEqual([1, ['/docs/disc.iso']]);
    expect(leftOut).toContainEqual({
      why: 'partial',
      count: 2,
      paths: ['/docs/disc.iso', '/docs/disc.iso.aria2'],
    });
    world.disk.remove('/docs/disc.iso.aria2');
    await expect(pack(run, ['/docs/disc.iso'])).rejects.toMatchObject({
      code: 'bad-use',
      message: '/docs/disc.iso is unfinished: /docs/disc.iso.aria2 is beside it.',
    });
  });

  test('a file that changes, or disappears, is reported, and everything is packed again', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.txt', 'early');
    write(world, '/docs/b.txt', 'stays');
    const { findIn } = world.inspect;
    let looks = 0;
    world.inspect.findIn = (content) => {
      looks += 1;
      // While b.txt is inspected, a.txt is packed; then b.txt disappears while a.txt is inspected.
      if (looks === 2) write(world, '/docs/a.txt', 'late!');
      if (looks === 3) world.disk.remove('/docs/b.txt');
      return findIn(content);
    };
    const { upload, packedAgain } = await pack(run, ['/docs']);
    expect(packedAgain).toEqual(['/docs/a.txt', '/docs/b.txt']);
    expect(zipped(world, upload.id)).toBe('docs/a.txt: late!');
  });

  test('a file that is written all the time ends the packing with an error that names it', async () => {
    const { world, run } = await begin();
    write(world, '/docs/a.log', 'x');
    world.disk.holdOpen('/docs/a.log');
    await expect(pack(run, ['/docs'])).rejects.toMatchObject({
      code: 'changed',
      message: expect.stringContaining('/docs/a.log changes again and again') as string,
    });
    expect(world.rows()).toEqual([]);
  });

  test('paths that are unreadable, missing or too large pack nothing', async () => {
    const { world, run } = await begin({ settings: { maxFileBytes: 1000 } });
    write(world, '/docs/a.txt', 'x');
    world.disk.make('/empty', 'folder');
    world.disk.make('/link', 'link');
    write(world, '/large/a.txt', 'x'.repeat(1000));
    for (const [path, code] of [
      ['/gone', 'bad-use'],
      ['/empty', 'bad-use'],
      ['/link', 'bad-use'],
      ['/large', 'forbidden'],
    ] as const)
      await expect(pack(run, [path])).rejects.toMatchObject({ code });
    world.disk.lock('/docs/a.txt', true);
    await expect(pack(run, ['/docs'])).rejects.toMatchObject({ code: 'locked' });
    world.disk.lock('/docs/a.txt', false);
    world.disk.hide('/docs', true);
    await expect(pack(run, ['/docs'])).rejects.toThrow();
    expect(world.rows()).toEqual([]);
  });
});

test('a zip contains no file that may not be shared by itself', async () => {
  const { world, run } = await begin({ settings: { forbiddenTypes: ['exe'], forbiddenRoots: ['/secret'] } });
  write(world, '/docs/a.txt', 'x');
  write(world, '/docs/tools/b.EXE', 'x');
  write(world, '/secret/c.txt', 'x');
  for (const [path, error] of [
    ['/docs', { code: 'forbidden', message: '/docs/tools/b.EXE: Files of the type exe are not shared.' }],
    ['/docs/tools/b.EXE', { code: 'forbidden' }],
    ['/secret', { code: 'forbidden' }],
  ] as const)
    await expect(pack(run, [path])).rejects.toMatchObject(error);
  expect(world.rows()).toEqual([]);
});

test.each([
  ['allowedRoots', ['/else']],
  ['forbiddenRoots', ['/docs']],
  ['forbiddenTypes', ['txt']],
  ['allowedTypes', ['zip']],
] as const)('a rule that is set while a zip waits applies to its files, too: %s', async (name, value) => {
  const { world, run } = await begin();
  write(world, '/docs/a.txt', 'content');
  await run.call('queue.pause', { untilMs: null });
  const { upload } = await pack(run, ['/docs/a.txt']);
  await run.call('settings.set', { name, value: [...value] });
  await run.call('queue.resume', {});
  await world.clock.advance(60_000);
  expect(world.service.stored).toEqual([]);
  expect(world.ledger.uploads.byId(upload.id)?.state).toMatchObject({ kind: 'failed' });
});
