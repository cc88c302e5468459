// Small promises of the command that scripts rely on.
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { eventually } from '../support/flow/poll.ts';
import { storedAs } from '../support/flow/wire.ts';

const service = await ownService();
const place = await ownPlace(service);

test.each([
  ['copyFormat', '"plain"', 'plain'],
  ['lookInside', 'false', 'false'],
  ['ignore', '["*.x","y z"]', '["*.x","y z"]'],
  ['requestsPerMinute', '77', '77'],
  ['auditFile', 'null', 'null'],
  ['copyTemplate', '"{link} {name}"', '{link} {name}'],
])('settings get %s prints its value and nothing else', async (name, value, printed) => {
  const own = await ownPlace(null, { settings: { [name]: JSON.parse(value) as unknown } });
  expect(await own.run(['settings', 'get', name])).toMatchObject({
    code: 0,
    stdout: `${printed}\n`,
    stderr: '',
  });
});

test('--copy without a clipboard prints the link and ends with 8', async () => {
  const file = await place.put('copy.txt', 'copied');
  const ended = await place.run(['upload', '--copy', file], { env: { PATH: '/nowhere' } });
  expect(ended).toMatchObject({ code: 8, stdout: `${storedAs(service, 'copied')[0]?.link ?? ''}\n` });
  expect(ended.stderr).toContain('Not copied.');
});

test.each([[[]], [['--detach']]])(
  'upload says which links are new, and tells events in the order of their times; with %s',
  async (flags) => {
    const own = await ownPlace(service);
    const files = [await own.put('../1.txt', '1'), await own.put('../2.txt', '2')];
    await own.run(['upload', ...files.slice(0, 1)]);
    files.push(await own.put('../copy of 1.txt', '1'));
    if (flags.length === 0) files.push(await own.put('../large.bin', 'x'.repeat(3_000_000)));
    else await own.run(['upload', ...files]);
    const { lines } = await own.json(['upload', ...flags, ...files]);
    const shared = lines.filter(({ event }) => event === 'uploaded');
    const isNew = (file: string) => shared.find((line) => line.path === file)?.['new'];
    const added = flags.length === 0;
    expect(files.slice(0, 2).map(isNew)).toEqual([false, added]);
    expect(lines.at(-1)).toMatchObject({ event: 'idle', new: added ? 2 : 0, failed: 0, held: 0 });
    const times = lines.map(({ at }) => Date.parse(String(at)));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    for (const [at, line] of lines.entries())
      if (line.event === 'progress')
        expect(lines.slice(0, at).map((one) => [one.event, one.path])).toContainEqual(['queued', line.path]);
  },
);

test('while no address is set, status says that all waits for it, and doctor fails; without Outtray no end is promised', async () => {
  const own = await ownPlace(service);
  await own.run(['pause']);
  await own.run(['upload', '--no-wait', await own.put('waits.txt', 'waits')]);
  await own.run(['resume']);
  const env = { OUTTRAY_BASE_URL: undefined };
  const missing = 'No base address of the service is set.';
  expect((await own.run(['status'], { env })).stdout).toContain(missing);
  expect((await own.json(['status'], { env })).lines[0]).toMatchObject({ waiting: { message: missing } });
  expect(await own.run(['doctor'], { env })).toMatchObject({
    code: 2,
    stdout: expect.stringContaining(`✗ network: ${missing}`) as string,
  });
  expect((await own.run(['status'])).stdout).not.toMatch(/All done|No base address/);
});

test('a second watch ends with 9', async () => {
  const own = await ownPlace(service);
  const watching = own.start(['--json', 'watch', own.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  for (const args of [
    ['watch', own.folder],
    ['watch', own.folder, '--once'],
  ])
    expect((await own.run(args)).code).toBe(9);
  await watching.stop();
});

test('watch --once without a folder does what is due and ends', async () => {
  const own = await ownPlace(service);
  const file = await own.put('report.txt', 'nothing secret');
  await own.run(['pause']);
  await own.run(['upload', '--no-wait', file]);
  await own.run(['resume']);
  expect((await own.run(['watch', '--once'])).code).toBe(0);
  expect(storedAs(service, 'nothing secret')).toHaveLength(1);
  expect((await own.run(['watch', '--once'])).code).toBe(0);
  expect((await own.run(['watch'])).code).toBe(2);
});

test('watch --once uploads what comes into its folder meanwhile', async () => {
  const own = await ownPlace(service);
  await own.put('slow.bin', Buffer.alloc(8_000_000, 7));
  const fault = { kind: 'drip-read', bytesPerSecond: 2_000_000 } as const;
  service.faults.add({ match: { path: '/files/upload' }, times: 1, fault });
  const running = own.start(['watch', own.folder, '--once', '--existing', 'upload']);
  await eventually('it is on its way', () =>
    service.requests().some(({ filename, bytes }) => filename === 'slow.bin' && bytes > 200_000),
  );
  await own.put('below/late.txt', 'late, and not lost');
  expect((await running.ended).code).toBe(0);
  expect(storedAs(service, 'late, and not lost')).toHaveLength(1);
});

test('recall --older-than names each link that it does not take back', async () => {
  const own = await ownPlace(service, { rate: 20 });
  const names = ['u.txt', 'v.txt'];
  const files = [await own.put('u.txt', 'u old'), await own.put('v.txt', 'v old')];
  expect((await own.run(['upload', ...files])).code).toBe(0);
  await own.pass(2000);
  service.faults.add({
    match: { method: 'DELETE' },
    times: 2,
    fault: { kind: 'answer', status: 409, body: { success: false, error: 'It is in use.' } },
  });
  const { code, stderr } = await own.run(['recall', '--older-than', '1s', '--yes']);
  expect([code, names.filter((name) => stderr.includes(`${name}: `))]).toEqual([8, names]);
});

test('recall --older-than takes back what is old enough, and only with a yes', async () => {
  const own = await ownPlace(service, { rate: 20 });
  const files = [await own.put('x.txt', 'x old'), await own.put('y.txt', 'y old')];
  expect((await own.run(['upload', ...files])).code).toBe(0);
  expect((await own.run(['review', '--refresh'])).code).toBe(0);
  await fetch(storedAs(service, 'x old')[0]?.link ?? '');
  for (const args of [
    ['--older-than', '1s'],
    ['--older-than', '1s', 'x.txt', '--yes'],
    ['--never-downloaded', '--yes'],
    ['--older-than', 'never', '--yes'],
    ['--yes'],
  ])
    expect([args, (await own.run(['recall', ...args])).code]).toEqual([args, 2]);
  expect((await own.run(['recall', '--older-than', '1d', '--yes'])).code).toBe(0);
  expect(storedAs(service, 'x old')).toHaveLength(1);
  await own.pass(2000);
  // The list is not read whole, so the counts are those from before the download.
  const body = { success: true, files: [], pagination: { page: 1, limit: 100, total: 2, pages: 1 } };
  service.faults.add({
    match: { method: 'GET', path: '/files' },
    times: 3,
    fault: { kind: 'answer', status: 200, body },
  });
  const unread = await own.json(['recall', '--older-than', '1s', '--never-downloaded', '--yes']);
  expect([unread.code, unread.lines.map(({ path: file }) => file).sort()]).toEqual([8, files]);
  expect([storedAs(service, 'x old').length, storedAs(service, 'y old').length]).toEqual([1, 1]);
  expect((await own.run(['recall', '--older-than', '1s', '--never-downloaded', '--yes'])).code).toBe(0);
  expect([storedAs(service, 'x old').length, storedAs(service, 'y old').length]).toEqual([1, 0]);
  expect((await own.run(['recall', '--older-than', '1s', '--yes'])).code).toBe(0);
  expect(storedAs(service, 'x old')).toHaveLength(0);
});
