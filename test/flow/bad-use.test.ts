// Bad use: exit code 2, before any request to the service or any change on the disk.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../support/flow/failure.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { posixTest } from '../support/posix.ts';

let file: string;

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  file = await place.put('../given.txt', 'given by hand');
});

describe('bad use ends with 2', () => {
  test.each([
    ['an unknown command', ['publish']],
    ['an unknown option', ['list', '--everything']],
    ['no file', ['upload']],
    ['no id', ['info']],
    ['an id of the service for the queue', ['confirm', '5']],
    ['an id of zero', ['delete', '0']],
    ['an id beyond what numbers can hold', ['info', '99999999999999999999']],
    ['a page that is no number', ['list', '--page', 'two']],
    ['a page before the first', ['list', '--page', '0']],
    ['a negative page', ['list', '--page', '-1']],
    ['a page past the end of what is known', ['list', '--sort', 'name', '--page', '99']],
    ['a page further than a number counts', ['list', '--sort', 'name', '--page', '9007199254740991']],
    ['a page past the end of what was found', ['search', 'nothing', '--page', '2']],
    ['a search that is too long', ['search', 'x'.repeat(501)]],
    ['a zip without a name', ['upload', '--zip', 'given.txt', '--name', '']],
    ['a negative limit', ['list', '--limit', '-1']],
    ['a word that --existing does not know', ['watch', '--existing', 'maybe']],
    ['a duration that is none', ['pause', 'soon']],
    // A variable of the shell that is not set; an empty path would be the current folder.
    ['an empty path', ['upload', '']],
    ['an empty path of a folder', ['upload', '--recursive', '']],
    ['an empty path for a zip', ['upload', '--zip', '']],
    ['an empty path to plan', ['plan', '']],
    ['an empty path to watch', ['watch', '', '--once']],
    ['an empty path among the folders', ['folders', 'add', '']],
  ])('with %s', async (_, args) => {
    const onlyJson = args[0] !== 'publish' && args[0] !== 'info';
    await expectFailure(place, args, { exit: 2, code: 'bad-use', onlyJson });
  });

  test('with a setting that does not exist, or a value that it cannot have', async () => {
    await expectFailure(place, ['settings', 'get', 'colour'], { exit: 2, code: 'bad-setting' });
    await expectFailure(place, ['settings', 'set', 'concurrentUploads', '1000'], {
      exit: 2,
      code: 'bad-setting',
    });
    await expectFailure(place, ['settings', 'set', 'ignore', '[broken'], { exit: 2, code: 'bad-setting' });
    const says = /^paused must be true or false\.$/;
    await expectFailure(place, ['folders', 'set', '.', 'paused', 'maybe'], {
      exit: 2,
      code: 'bad-setting',
      says,
    });
  });

  test.each([
    'http://example.com/api/v1',
    'ftp://127.0.0.1/',
    'no address',
    'https://user:word@example.com/',
  ])('with the base address %s', async (address) => {
    await expectFailure(place, ['--base-url', address, 'list'], {
      exit: 2,
      code: 'bad-setting',
      onlyJson: true,
    });
  });

  test('without a base address', async () => {
    await expectFailure(
      place,
      ['list'],
      { exit: 2, code: 'not-configured' },
      { env: { OUTTRAY_BASE_URL: undefined } },
    );
  });

  posixTest('it has no yes')('with input that has no end, as soon as it is too long', async () => {
    const before = ['sh', '-c', 'yes no-key | "$0" "$@"'];
    for (const [args, says] of [
      [['login'], /^Standard input is too large for a key\.$/],
      [['upload', '--files-from', '-'], /^That is more than 100,000 files\.$/],
      [['upload', '--files-from', '/dev/zero'], /^That is more than 100,000 files\.$/],
      [['verify', '--card', '/dev/zero'], /^The card \/dev\/zero is larger than 8 MiB\.$/],
      [['login', '--key-file', '/dev/zero'], /is not a regular file\.$/],
    ] as const)
      await expectFailure(place, args, { exit: 2, code: 'bad-use', says, onlyJson: true }, { before });
  });

  test('with a folder that is a home folder, a drive, or holds Outtray’s data', async () => {
    const inside = path.join(place.home, 'inside');
    await mkdir(inside);
    for (const folder of [place.env['HOME'] ?? '', '/', place.home, inside, place.root]) {
      await expectFailure(place, ['watch', folder, '--once'], {
        exit: 2,
        code: 'folder-refused',
        onlyJson: folder !== '/',
      });
    }
    const { lines } = await place.json(['settings', 'get', 'folder']);
    expect(lines[0]?.['value']).toBeNull();
  });

  test('with a folder that is not there, or is a file', async () => {
    for (const folder of [path.join(place.root, 'nowhere'), file]) {
      await expectFailure(place, ['watch', folder, '--once'], { exit: 2, code: 'folder-unavailable' });
    }
  });

  test('with a data folder that cannot be one', async () => {
    await expectFailure(place, ['--home', file, 'status'], { exit: 2, code: 'bad-use' });
  });
});

test('none of it sends a request to the service', () => {
  expect(service.requests()).toEqual([]);
});
