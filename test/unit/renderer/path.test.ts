import { expect, onTestFinished, test } from 'vitest';
import { bannerFor } from '../../../src-renderer/words/banner.ts';
import { emptyQueue } from '../../../src-renderer/words/empty-queue.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { noteHome, plainPath } from '../../../src-renderer/words/path.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { status } from '../../support/window/seed.ts';

test('a path in the user’s home begins with ~, no other one does', () => {
  onTestFinished(() => noteHome(''));
  noteHome('/home/mara/');
  expect(plainPath('/home/mara')).toBe('~');
  expect(plainPath('/home/mara/Outtray/a\u202eb')).toBe('~/Outtray/a⟨U+202E⟩b');
  for (const path of ['/home/maradona/a', '/srv/home/mara/a', '/', 'Outtray'])
    expect(plainPath(path)).toBe(path);
  // In a container the home folder of a user may be `/`.
  noteHome('/');
  expect(plainPath('/srv/a')).toBe('/srv/a');
});

test.each([
  ['linux', '/home/mara/Outtray', '~/Outtray'],
  ['darwin', '/home/mara/Outtray', '~/Outtray'],
  ['win32', 'C:\\Users\\mara\\Outtray', 'C:\\Users\\mara\\Outtray'],
] as const)('the window knows the home from its start: %s', async (platform, path, shown) => {
  onTestFinished(() => noteHome(''));
  const { call, listen } = createFakeTransport({ platform });
  await new Session({ call, listen }).start();
  expect(plainPath(path)).toBe(shown);
});

test('a missing folder is shown with ~ in the banner and in the empty queue', () => {
  onTestFinished(() => noteHome(''));
  noteHome('/home/mara');
  const watched = status();
  const away = watched.folders.map((one) => ({ ...one, folder: '/home/mara/Renders', available: false }));
  const folders = [...watched.folders, ...away];
  expect(bannerFor({ ...watched, folders }, null)?.values).toEqual({ folder: '~/Renders' });
  expect(emptyQueue({ ...watched, folders }, 0, false).text).toMatch(/^~\/Renders is missing/);
});
