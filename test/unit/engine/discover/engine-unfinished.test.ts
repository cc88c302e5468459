// An unfinished file of a program that was quit has its final name and a control file beside it. It waits until that is gone.
import { describe, expect, test } from 'vitest';
import {
  begin,
  hourMs,
  minuteMs,
  share,
  started,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const sent = ({ service }: World): string[] => service.stored.map(({ name }) => name);
const why = async (run: Running, path: string) => (await run.call('file.why', { path })).sentence;
/** As large as the state file of axel with two connections. */
const axelState = 'x'.repeat(42);

describe('a file with its control file beside it', () => {
  test.each([
    ['aria2', 'distro.iso', '.aria2', 'x'],
    ['lftp', 'distro.iso', '.lftp-pget-status', 'x'],
    ['axel', 'distro.iso', '.st', axelState],
    ['yt-dlp or youtube-dl', 'film.mp4', '.ytdl', 'x'],
    ['Xunlei Thunder', 'film.td', '.cfg', 'x'],
    ['SQLite', 'shop.database', '-wal', 'x'],
    ['SQLite', 'shop.gpkg', '-journal', 'x'],
  ])('of %s waits, and is uploaded when that is gone', async (program, name, end, content) => {
    const { world, run } = await begin();
    world.disk.write(`/tray/${name}${end}`, content);
    const row = await world.put(name, 'half', 'waiting');
    expect(row.state).toMatchObject({ reason: 'unfinished', control: `/tray/${name}${end}` });
    expect(await why(run, `/tray/${name}`)).toContain(
      `${program} keeps its control file /tray/${name}${end}`,
    );
    await world.clock.advance(hourMs);
    expect(sent(world)).toEqual([]);
    world.disk.append(`/tray/${name}`, ' and the rest');
    world.disk.remove(`/tray/${name}${end}`);
    await world.until(name, 'uploaded', 5000);
    expect(sent(world)).toEqual([name]);
  });

  test('is uploaded unchanged, at once, when only the control file is removed', async () => {
    const { world } = await begin();
    world.disk.write('/tray/distro.iso.aria2', 'x');
    await world.put('distro.iso', 'whole', 'waiting');
    await world.clock.advance(24 * hourMs);
    world.disk.remove('/tray/distro.iso.aria2');
    await world.until('distro.iso', 'uploaded', 5000);
  });

  test('is recorded as waiting once, and is rarely checked when it stays for days', async () => {
    const { world } = await begin();
    world.disk.write('/tray/distro.iso.aria2', 'x');
    const { id } = await world.put('distro.iso', 'half', 'waiting');
    await world.clock.advance(24 * hourMs);
    const { entries } = world.ledger;
    expect(entries.ofUpload(id, 100).filter(({ body }) => body.kind === 'waiting')).toHaveLength(1);
    const state = world.row('distro.iso').state;
    if (state.kind !== 'waiting' || state.untilMs === null) throw new Error('It does not wait.');
    expect(state.untilMs - world.clock.wallMs()).toBeGreaterThan(0);
  });

  test('waits in a folder that is downloaded as a whole, at any depth', async () => {
    const { world } = await begin();
    world.disk.write('/tray/Top.aria2', 'x');
    world.disk.make('/tray/Top', 'folder');
    world.disk.make('/tray/Top/deep', 'folder');
    await world.put('Top/deep/part-1.bin', 'half', 'waiting');
    await share(world, 'other.txt');
    world.disk.remove('/tray/Top.aria2');
    await world.until('part-1.bin', 'uploaded', 11 * minuteMs);
  });

  test.each([
    ['a person', { again: true }],
    ['an agent', { agent: { roots: ['/elsewhere'], mayReopen: [] } }],
  ])('waits when it is given by path, by %s', async (_, how) => {
    const { world, run } = await begin();
    world.disk.make('/elsewhere', 'folder');
    world.disk.write('/elsewhere/distro.iso', 'half');
    world.disk.write('/elsewhere/distro.iso.aria2', 'x');
    await run.call('files.upload', { paths: ['/elsewhere/distro.iso'], ...how });
    await world.until('distro.iso', 'waiting');
    await world.clock.advance(minuteMs);
    world.disk.remove('/elsewhere/distro.iso.aria2');
    await world.until('distro.iso', 'uploaded', minuteMs);
  });

  test('waits when the control file appears while it is in the queue', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    await world.put('distro.iso', 'whole', 'ready');
    world.disk.write('/tray/distro.iso.aria2', 'x');
    await run.call('queue.resume', {});
    const { state } = await world.until('distro.iso', 'waiting');
    expect(state).toMatchObject({ reason: 'unfinished' });
    expect(sent(world)).toEqual([]);
  });

  test('waits after a restart, too, and is not held for its name before', async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/id_rsa.aria2', 'x');
    await world.put('id_rsa', 'half', 'waiting');
    await run.stop();
    world.disk.remove('/tray/id_rsa.aria2');
    await world.start();
    await world.until('id_rsa', 'held', 11 * minuteMs);
  });
});

describe('a file that is no control file', () => {
  test('delays nothing: another size, another name, a folder, a link', async () => {
    const { world } = await begin();
    world.disk.write('/tray/program', 'whole');
    world.disk.write('/tray/program.st', `${axelState} of Smalltalk`);
    world.disk.make('/tray/a.txt.aria2', 'folder');
    world.disk.make('/tray/b.txt.aria2', 'link');
    world.disk.write('/tray/c.aria2', 'x');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await share(world, name);
    for (const name of ['program', 'program.st']) await world.until(name, 'uploaded');
  });

  test('the state file of axel is skipped beside its download, and uploaded when it is alone', async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/distro.iso', 'half');
    await world.put('distro.iso.st', axelState, 'skipped');
    expect(await why(run, '/tray/distro.iso.st')).toContain('unfinished download');
    expect(await why(run, '/tray/distro.iso.st')).toContain('(pattern *.st: axel)');
    await share(world, 'alone.st', axelState);
  });
});

test('a zip leaves out unfinished files of its folders, and is refused when one of them is named', async () => {
  const { world, run } = await begin();
  for (const dir of ['/docs', '/docs/Top']) world.disk.make(dir, 'folder');
  for (const path of ['whole.txt', 'distro.iso', 'distro.iso.aria2', 'Top/a.bin', 'Top.aria2'])
    world.disk.write(`/docs/${path}`, path);
  const { files, leftOut } = await run.call('files.bundle', { paths: ['/docs'] });
  expect(files).toBe(1);
  expect(leftOut).toEqual([
    {
      why: 'partial',
      count: 4,
      paths: ['/docs/Top', '/docs/Top.aria2', '/docs/distro.iso', '/docs/distro.iso.aria2'],
    },
  ]);
  for (const path of ['/docs/distro.iso', '/docs/Top', '/docs/Top/a.bin'])
    await expect(run.call('files.bundle', { paths: [path] })).rejects.toThrow('is unfinished: /docs/');
});

test('a plan and a preview of a folder report it as the run does', async () => {
  const { world, run } = await started();
  world.disk.make('/docs', 'folder');
  world.disk.make('/docs/Top', 'folder');
  for (const path of ['whole.txt', 'distro.iso', 'distro.iso.aria2', 'Top/a.bin', 'Top.aria2'])
    world.disk.write(`/docs/${path}`, path);
  const { files } = await run.call('files.plan', { paths: ['/docs'] });
  const told = files.map(({ path, verdict, why: reason }) => `${path} ${verdict} ${reason ?? ''}`.trim());
  expect(told.sort()).toEqual([
    '/docs/Top skipped partial',
    '/docs/Top.aria2 skipped partial',
    '/docs/distro.iso skipped partial',
    '/docs/distro.iso.aria2 skipped partial',
    '/docs/whole.txt upload',
  ]);
  const { goes, skipped } = await run.call('folder.inspect', { folder: '/docs' });
  expect(goes.files.map(({ relative }) => relative)).toEqual(['whole.txt']);
  expect(skipped.files.every(({ why: reason }) => reason === 'partial')).toBe(true);
});

test.each([
  ['page.odt', 'page.odt.autosave'],
  ['page.odt', '.page.odt-autosave.odt'],
  ['page.odt', 'page-autosave.odt'],
  ['map.qgz', 'map.qgz_autosaved'],
  ['shop.gpkg', 'shop.gpkg-wal'],
  ['film.mp4', 'film.mp4.incomplete'],
  ['film.mp4', 'film.mp4.checkpoint'],
  ['plan.dwg', 'plan.dwg.lck'],
])('what a program keeps beside %s is not uploaded: %s', async (name, kept) => {
  const { world, run } = await begin({ settings: { includeHidden: true } });
  world.disk.write(`/tray/${name}`, 'content');
  world.disk.write(`/tray/${kept}`, 'kept beside it');
  await world.clock.advance(hourMs);
  expect(world.row(kept).state).toMatchObject({ kind: 'skipped' });
  const { files } = await run.call('files.plan', { paths: [`/tray/${kept}`] });
  expect(files).toMatchObject([{ verdict: 'skipped' }]);
  expect(sent(world)).not.toContain(kept);
});

test.each([
  'travel-journal.txt',
  'page-autosave.odt',
  'harvest.txt-journal',
  'report.partial.txt',
  'great-wal.jpg',
])('a name alone is no reason, without the file that it belongs to: %s', async (name) => {
  const { world } = await begin();
  world.disk.write('/tray/travel.txt', 'beside it');
  await world.put(name, 'content', 'uploaded');
});

test.each(['/else', '/tray'])('a control file itself goes when a person asks for it in %s', async (dir) => {
  const { world, run } = await begin();
  world.disk.write(`${dir}/thesis.odt`, 'whole');
  world.disk.write(`${dir}/thesis.odt.autosave`, 'control');
  await world.clock.advance(minuteMs);
  await run.call('files.upload', { paths: [`${dir}/thesis.odt.autosave`] });
  await world.until('thesis.odt.autosave', 'uploaded', minuteMs);
});
