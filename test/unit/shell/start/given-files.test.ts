// Files that are passed to a start, however early they arrive.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GivenFiles } from '../../../../src-main/shell/start/given-files.ts';

const { app, place } = vi.hoisted(() => {
  const place = { folder: '' };
  const { EventEmitter } = process.getBuiltinModule('events');
  return { place, app: Object.assign(new EventEmitter(), { getPath: () => place.folder }) };
});
vi.mock('electron', () => ({ app }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { filesAmong, followGivenFiles, givenOf } =
  await import('../../../../src-main/shell/start/given-files.ts');

test.each([
  [
    ['a.txt', '/x/b.txt', '../c.txt'],
    ['/home/ada/a.txt', '/x/b.txt', '/home/c.txt'],
  ],
  [['--hidden', '--user-data-dir=/x', 'a.txt'], ['/home/ada/a.txt']],
  [['--', '-x.txt'], ['/home/ada/-x.txt']],
  [
    [pathToFileURL('/x/a b.txt').href, 'file://%zz'],
    ['/x/a b.txt', '/home/ada/file:/%zz'],
  ],
  [[], []],
  [
    Array.from({ length: 1_200 }, (_, at) => `/x/${at}`),
    Array.from({ length: 1_200 }, (_, at) => `/x/${at}`),
  ],
])('from %j the paths are %j', (args, files) =>
  expect(filesAmong(args, '/home/ada')).toEqual(files.map((file) => path.resolve(file))),
);

describe('with a clock of the test', () => {
  beforeEach(() => {
    place.folder = mkdtempSync(path.join(tmpdir(), 'outtray-given-'));
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    app.removeAllListeners();
    rmSync(place.folder, { recursive: true });
  });

  const open = (file: string): boolean => {
    let isPrevented = false;
    app.emit('open-file', { preventDefault: () => void (isPrevented = true) }, file);
    return isPrevented;
  };

  test('files given before the app is ready wait, later ones do not', () => {
    const byHand = (...files: string[]) => ({ files, isShare: false });
    const given = followGivenFiles(byHand('/first'));
    expect(open('/early')).toBe(true);
    vi.advanceTimersByTime(1_000);
    app.emit('second-instance', {}, ['outtray', 'ignored'], '/', { files: ['/second'], isShare: true });
    const heard: unknown[] = [];
    given.take((one) => heard.push(one));
    expect(heard).toEqual([byHand('/first'), byHand('/early'), { files: ['/second'], isShare: true }]);
    app.emit('second-instance', {}, [], '/', byHand('/third'));
    for (const odd of [null, undefined, 7, {}, { files: 'x' }, { files: [7, 'relative'] }])
      app.emit('second-instance', {}, [], '/', odd);
    expect(heard.slice(3)).toEqual([byHand('/third')]);
    expect(givenOf({ files: ['/x'], isShare: 'yes' }).isShare).toBe(false);
    // None is left out without a word: files.upload refuses what is too much.
    expect(givenOf({ files: Array.from({ length: 1_200 }, () => '/x') }).files).toHaveLength(1_200);
  });

  test.each([
    ['before the app is composed', () => app.emit('will-quit')],
    ['before the engine has started', (given: GivenFiles) => given.leave(() => undefined)],
  ])('files that nobody took at a quit %s are those of the next start', (_when, quit) => {
    const first = { files: ['/first'], isShare: true };
    quit(followGivenFiles(first));
    const heard: unknown[] = [];
    followGivenFiles({ files: [], isShare: false }).take((one) => heard.push(one));
    expect(heard).toEqual([first]);
  });

  test('while the app ends, files that come are passed on, and those taken before are not kept', () => {
    const given = followGivenFiles({ files: ['/first'], isShare: false });
    given.take(() => undefined);
    const passedOn: unknown[] = [];
    given.leave((one) => passedOn.push(one));
    const late = { files: ['/late'], isShare: false };
    app.emit('second-instance', {}, [], '/', late);
    app.emit('second-instance', {}, [], '/', { files: [] });
    app.emit('will-quit');
    expect(passedOn).toEqual([late]);
    const heard: unknown[] = [];
    followGivenFiles({ files: [], isShare: false }).take((one) => heard.push(one));
    expect(heard).toEqual([]);
  });

  test('files that macOS opens one by one are one selection', () => {
    const heard: (readonly string[])[] = [];
    followGivenFiles({ files: [], isShare: false }).take(({ files }) => heard.push(files));
    for (const file of ['/a', '/b', '/c']) {
      expect(open(file)).toBe(true);
      vi.advanceTimersByTime(20);
    }
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(heard).toEqual([['/a', '/b', '/c']]);
    open('/later');
    vi.advanceTimersByTime(100);
    expect(heard.slice(1)).toEqual([['/later']]);
  });
});
