// What a page may do only after a press of the user.
import { expect, test } from 'vitest';
import type { HandName } from '../../../../src-main/shell/window/page-questions.ts';
import { other, world } from '../../../support/page-world.ts';

const some = [{ fileId: 7 }];
/** Calls that need a press. A command of this kind that is not listed here does not compile. */
const byHand: Record<HandName, object> = {
  'account.decide': { is: 'same' },
  'files.delete': { fileIds: [7] },
  'files.expire': { files: some, expire: 'never' },
  'files.unfollow': { files: some },
  'files.keep': { fileIds: [7] },
  'files.remove': { fileIds: [7] },
  'queue.resume': {},
  'queue.undo': {},
  'folders.remove': { folder: '/home/ada/Shared' },
  'window.openAccount': { name: 'work' },
  'window.uploadClipboard': {},
  'window.setFileManager': { name: 'nautilus', on: true },
};
const pressed: [name: string, input: unknown][] = [
  ...Object.entries(byHand),
  ['folders.set', { folder: '/home/ada/Shared', name: 'paused', value: null }],
  ['folders.set', { folder: '/home/ada/Shared', name: 'paused', value: false }],
  ['settings.set', { name: 'copyTemplate', value: 'https://attacker.example/?{link}' }],
  ['settings.set', { name: 'launchAtLogin', value: true }],
  ['window.update', { act: 'load' }],
  ['window.update', { act: 'install' }],
];
const manyFiles = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const several = Object.entries(byHand).flatMap(([name, input]): [string, (ids: number[]) => object][] => {
  if ('fileIds' in input) return [[name, (fileIds) => ({ ...input, fileIds })]];
  if ('files' in input) return [[name, (ids) => ({ ...input, files: ids.map((fileId) => ({ fileId })) })]];
  return [];
});

test.each(pressed)(
  'a page cannot call %s with %j without a press, and can once after it',
  async (name, input) => {
    const { ask, asked, reached, press } = world();
    expect(await ask(name, input)).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(reached).toEqual([]);
    expect(asked).toHaveLength(1);
    press();
    expect(await ask(name, input)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(await ask(name, input)).toMatchObject({ ok: false });
    expect(asked).toHaveLength(2);
    expect(reached).toHaveLength(1);
  },
);

test('a page cannot use a press in another page', async () => {
  const { guard, reached, press } = world();
  press();
  expect(await guard('files.delete', { fileIds: [7] }, other)).toMatchObject({ ok: false });
  expect(reached).toEqual([]);
});

test('a page spends no press on a call that needs none', async () => {
  const { ask, asked, press } = world();
  press();
  for (const [name, input] of [
    ['files.page', { offset: 0, limit: 1, order: 'newest' }],
    ['queue.pause', { untilMs: null }],
    ['queue.skip', { ids: [1] }],
    ['files.delete', { fileIds: [] }],
    ['settings.set', { name: 'language', value: 'de' }],
  ] as const)
    await ask(name, input);
  expect(await ask('files.delete', { fileIds: [7] })).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});

test('a page keeps any number of links after a press', async () => {
  const { ask, asked, press } = world();
  press();
  expect(await ask('files.keep', { fileIds: manyFiles(21) })).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});

test.each(several.filter(([name]) => name !== 'files.keep'))(
  'a page calls %s for 20 files after a press, and for 21 only after a question',
  async (name, of) => {
    const { ask, asked, reached, press } = world();
    press();
    expect(await ask(name, of(manyFiles(20)))).toMatchObject({ ok: true });
    press();
    expect(await ask(name, of(manyFiles(21)))).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain('for these 21 files?');
    expect(asked[0]?.detail).toContain('1.txt\n2.txt\n');
    expect(reached).toHaveLength(1);
  },
);

test('without a press the user is asked, and the call proceeds after yes', async () => {
  const { ask, asked, reached } = world({}, () => true);
  await ask('files.delete', { fileIds: [7, 99] });
  await ask('folders.remove', { folder: '/home/ada/Shared' });
  await ask('window.uploadClipboard', {});
  expect(asked.map(({ message, detail }) => [message, detail.split('\n\n')[0]])).toEqual([
    ['Allow “Recall” for these 2 files?', '7.txt\n99'],
    ['Allow “Stop watching”?', '/home/ada/Shared'],
    ['Allow “Upload from clipboard”?', expect.stringContaining('no key or button')],
  ]);
  expect(asked.map(({ act }) => act)).toEqual(['Allow', 'Allow', 'Allow']);
  expect(reached).toHaveLength(3);
});

test('a press allows several links to be recalled in smaller calls, each of them once', async () => {
  const { ask, asked, guard, reached, press } = world();
  press();
  expect(await ask('window.askToRecall', { fileIds: [7, 8] })).toMatchObject({ ok: true });
  expect(await guard('files.delete', { fileIds: [7] }, other)).toMatchObject({ ok: false });
  expect(await ask('files.delete', { fileIds: [7, 9] })).toMatchObject({ ok: false });
  expect(await ask('files.expire', { files: some, expire: 'never' })).toMatchObject({ ok: false });
  expect(asked).toHaveLength(3);
  for (const fileId of [7, 8])
    expect(await ask('files.delete', { fileIds: [fileId] })).toMatchObject({ ok: true });
  expect(await ask('files.delete', { fileIds: [7] })).toMatchObject({ ok: false });
  expect([asked.length, reached.length]).toEqual([4, 3]);
});

test('more than 20 links are recalled after one question, and none after a no', async () => {
  let says = true;
  const { ask, asked, press } = world({}, () => says);
  press();
  await ask('window.askToRecall', { fileIds: manyFiles(40) });
  for (const fileId of manyFiles(40))
    expect(await ask('files.delete', { fileIds: [fileId] })).toMatchObject({ ok: true });
  expect(asked.map(({ message }) => message)).toEqual(['Allow “Recall” for these 40 files?']);
  says = false;
  expect(await ask('window.askToRecall', { fileIds: [1] })).toMatchObject({ ok: false });
  expect(await ask('files.delete', { fileIds: [1] })).toMatchObject({ ok: false });
});
