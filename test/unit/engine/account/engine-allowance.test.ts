// The rules of an administrator through the whole engine: what they refuse is never sent, whichever way it arrives.
import { expect, test } from 'vitest';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import { share, started } from '../../../support/fake-world.ts';

const rules: [what: string, rule: Partial<Settings>][] = [
  ['a forbidden folder', { forbiddenRoots: ['/tray/private', '/elsewhere'] }],
  ['a folder not allowed', { allowedRoots: ['/tray/open'] }],
  ['a forbidden kind', { forbiddenTypes: ['exe'] }],
  ['too many bytes', { maxFileBytes: 3 }],
];

test.each(rules)(
  '%s: a file is not sent, whether found in the watched folder, given by path or retried',
  async (_what, rule) => {
    const { world, run } = await started({ settings: { recursive: true, ...rule } });
    world.disk.write('/tray/private/setup.exe', 'long');
    world.disk.write('/elsewhere/other.exe', 'long');
    await run.call('files.upload', { paths: ['/elsewhere/other.exe'] });
    for (const name of ['setup.exe', 'other.exe']) {
      const { state } = await world.until(name, 'failed');
      expect(state).toMatchObject({ kind: 'failed', code: 'forbidden' });
    }
    await run.call('files.upload', { paths: ['/elsewhere/other.exe'], again: true });
    await run.call('queue.retry', {});
    await world.clock.advance(3_600_000);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().map(({ state }) => state.kind)).toEqual(['failed', 'failed']);
  },
);

test('a file that the rules allow is sent', async () => {
  const { world } = await started({
    settings: { allowedRoots: ['/tray'], allowedTypes: ['txt'], maxFileBytes: 4 },
  });
  await share(world, 'a.txt', 'long');
  expect(world.service.stored).toHaveLength(1);
});

const hidden = { 'a link to the folder': '/other/link', 'a link to a folder in it': '/other/deep' };

test.each(Object.entries(hidden))('%s does not let a file out of a forbidden folder', async (_how, link) => {
  const { world, run } = await started({ settings: { forbiddenRoots: ['/secret'] } });
  world.disk.make('/secret', 'folder');
  world.disk.write('/secret/a.txt', 'private');
  world.disk.write('/secret/deep/a.txt', 'private');
  world.disk.swap(link, link === '/other/deep' ? '/secret/deep' : '/secret');
  await run.call('files.upload', { paths: [`${link}/a.txt`] });
  expect((await world.until('a.txt', 'failed')).state).toMatchObject({ code: 'forbidden' });
  await expect(run.call('files.bundle', { paths: [`${link}/a.txt`], name: 'z' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(run.call('files.bundle', { paths: [link], name: 'z' })).rejects.toMatchObject({
    code: 'bad-use',
  });
  expect(world.service.stored).toEqual([]);
});

test('a waiting file is not sent when its folder becomes a link to a forbidden folder', async () => {
  const { world, run } = await started({ settings: { forbiddenRoots: ['/secret'] } });
  world.disk.write('/secret/a.txt', 'private');
  world.disk.write('/given/a.txt', 'harmless');
  await run.call('queue.pause', { untilMs: null });
  await run.call('files.upload', { paths: ['/given/a.txt'] });
  await world.until('a.txt', 'ready');
  world.disk.remove('/given');
  world.disk.hardLink('/secret/a.txt', '/moved');
  world.disk.swap('/given', '/secret');
  await run.call('queue.resume', {});
  await world.clock.advance(3_600_000);
  expect(world.service.stored).toEqual([]);
});

test('a rule added while a file waits applies to that file', async () => {
  const { world, run } = await started({});
  await run.call('queue.pause', { untilMs: null });
  world.disk.write('/tray/setup.exe', 'program');
  await world.until('setup.exe', 'ready');
  await world.settings.set('forbiddenTypes', ['exe']);
  await run.call('queue.resume', {});
  expect((await world.until('setup.exe', 'failed')).state).toMatchObject({ code: 'forbidden' });
  expect(world.service.stored).toEqual([]);
});

const spelled = [
  'tool.exe.',
  'tool.exe ',
  'tool.exe\u200b',
  'tool.\uff45xe',
  'tool.\u0435xe',
  'tool.exe::$DATA',
  'tool.exe\t',
  'tool.e\u0301xe',
  'tool.exe\\',
  'tool.exe*',
  'tool.exe_',
  '.exe',
];

test.each(spelled)('%j counts as a program, whichever way it arrives', async (name) => {
  const { world, run } = await started({
    settings: { forbiddenTypes: ['exe'], recursive: true, includeHidden: true },
  });
  world.disk.write(`/tray/${name}`, 'program');
  world.disk.make('/given', 'folder');
  world.disk.write(`/given/${name}`, 'program too');
  await run.call('files.upload', { paths: [`/given/${name}`] });
  await world.clock.advance(60_000);
  expect(world.rows().map(({ state }) => 'code' in state && state.code)).toEqual(['forbidden', 'forbidden']);
  await expect(run.call('files.bundle', { paths: ['/given'], name: 'z' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(world.service.stored).toEqual([]);
});

test.each([
  'id_rsa.',
  '.env ',
  'server.pem\u200b',
  'vault.kdb\uff58',
  'id_rs\u0430',
  'key.pem::$DATA',
  'id_rsa\\',
  'key.p\u0301em',
  'key.pem?',
  '.env|',
])('%j is held as a secret name, whichever way it arrives', async (name) => {
  const { world, run } = await started({ settings: { includeHidden: true } });
  world.disk.write(`/tray/${name}`, 'one');
  world.disk.make('/given', 'folder');
  world.disk.write(`/given/${name}`, 'two');
  await run.call('files.upload', { paths: [`/given/${name}`] });
  await world.clock.advance(60_000);
  expect(world.rows().map(({ state }) => 'reason' in state && state.reason)).toEqual([
    'secret-name',
    'secret-name',
  ]);
  const { upload } = await run.call('files.bundle', { paths: ['/given'], name: 'z' });
  expect(upload.state).toMatchObject({ kind: 'held', reason: 'secret-name' });
});

test.each<[what: string, settings: Partial<Settings>, isAsked: boolean]>([
  ['a rule about places', { forbiddenRoots: ['/secret'] }, true],
  ['none', {}, false],
])(
  '%s: the disk is asked for the real path of an open file only when a rule depends on it',
  async (_what, settings, isAsked) => {
    const { world } = await started({ settings });
    const { files } = world.disk;
    const { open } = files;
    let asked = 0;
    files.open = async (...given) => {
      const file = await open(...given);
      const place = () => ((asked += 1), file.place());
      return { ...file, place };
    };
    await share(world, 'a.txt', 'long');
    expect(asked > 0).toBe(isAsked);
  },
);
