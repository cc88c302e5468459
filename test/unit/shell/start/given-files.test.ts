// Files that a start is given, however early they come.
import { expect, test, vi } from 'vitest';

const { app } = vi.hoisted(() => ({ app: new (process.getBuiltinModule('events').EventEmitter)() }));
vi.mock('electron', () => ({ app }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { filesAmong, followGivenFiles, givenBy } =
  await import('../../../../src-main/shell/start/given-files.ts');

test.each([
  [
    ['a.txt', '/x/b.txt', '../c.txt'],
    ['/home/ada/a.txt', '/x/b.txt', '/home/c.txt'],
  ],
  [['--hidden', '--user-data-dir=/x', 'a.txt'], ['/home/ada/a.txt']],
  [['--', '-x.txt'], ['/home/ada/-x.txt']],
  [
    ['file:///x/a%20b.txt', 'file://%zz'],
    ['/x/a b.txt', '/home/ada/file:/%zz'],
  ],
  [[], []],
])('of %j the paths are %j', (args, files) => expect(filesAmong(args, '/home/ada')).toEqual(files));

test('what comes before the app is ready waits, what comes later does not', () => {
  const given = followGivenFiles(['/first']);
  let prevented = 0;
  app.emit('open-file', { preventDefault: () => (prevented += 1) }, '/early');
  app.emit('second-instance', {}, ['outtray', 'ignored'], '/', givenBy(['/second']));
  const heard: (readonly string[])[] = [];
  given.take((files) => heard.push(files));
  expect(heard).toEqual([['/first'], ['/early'], ['/second']]);
  app.emit('open-file', { preventDefault: () => (prevented += 1) }, '/late');
  for (const odd of [null, undefined, 7, {}, { files: 'x' }, { files: [7, 'relative'] }])
    app.emit('second-instance', {}, [], '/', odd);
  expect(heard.slice(3)).toEqual([['/late']]);
  expect(prevented).toBe(2);
});
