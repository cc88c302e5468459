// Another program works in the folder between every two steps of an upload, and the system refuses at every step. It
// is the real file system, with a hook before each call.
import type * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createWriters } from '../../src-main/adapters/files/writers.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import { classifyFailure } from '../../src-main/engine/upload/classify-failure.ts';
import { noLinks, type Listing } from '../../src-main/engine/ports/files.ts';
import { temporaryFolder } from './files-folder.ts';
import { posixTest } from '../support/posix.ts';

/** Called with the name of each file-system call of the adapter, before the call. It may throw as the system would. */
const step = vi.hoisted(() => ({ before: (_call: string): void => undefined }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const hooked = new Map<unknown, unknown>();
  const hook = (name: string, value: unknown): unknown => {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) return value;
    const made =
      hooked.get(value) ??
      // With what `promisify` needs to know of it, and `realpathSync.native`.
      Object.defineProperties(
        (...given: unknown[]): unknown => {
          const callback = given.at(-1);
          try {
            step.before(name);
          } catch (error) {
            // Errors of calls with a callback come in the same way as those of the system.
            if (typeof callback !== 'function') throw error;
            setImmediate(() => void Reflect.apply(callback, undefined, [error]));
            return undefined;
          }
          return Reflect.apply(value, undefined, given);
        },
        Object.fromEntries(
          Reflect.ownKeys(value)
            .filter((key) => typeof key === 'symbol' || key === 'native')
            .map((key) => [
              key,
              {
                value:
                  key === 'native'
                    ? hook(`${name}.native`, Reflect.get(value, key))
                    : (Reflect.get(value, key) as unknown),
              },
            ]),
        ),
      );
    hooked.set(value, made);
    return made;
  };
  const all = Object.fromEntries(Object.entries(real).map(([name, value]) => [name, hook(name, value)]));
  return { ...all, default: all };
});

// The file-system calls of the tests themselves are not hooked.
const real = await vi.importActual<typeof fs>('node:fs');

beforeEach(() => {
  step.before = () => undefined;
});

const ours = 'ours '.repeat(20_000);
const theirs = 'SECRET'.repeat(20_000).slice(0, ours.length);

/** A file in the watched folder, and what is swapped for a link that leads outside. */
const swapped = {
  'its folder': ['tray/sub/file', 'tray/sub'],
  'a folder above its folder': ['tray/sub/deep/file', 'tray/sub'],
  'the file itself': ['tray/sub/file', 'tray/sub/file'],
} as const;

const stage = ([name, taken]: readonly [string, string] = swapped['its folder']) => {
  const folder = temporaryFolder();
  const twin = (place: string): string => join(folder, 'outside', place);
  for (const [path, content] of [
    [join(folder, name), ours],
    [twin(name), theirs],
  ] as const) {
    real.mkdirSync(dirname(path), { recursive: true });
    real.writeFileSync(path, content);
  }
  const away = join(folder, 'away');
  return {
    root: join(folder, 'tray'),
    path: join(folder, name),
    swap() {
      real.renameSync(join(folder, taken), away);
      real.symlinkSync(twin(taken), join(folder, taken));
    },
    swapBack() {
      real.unlinkSync(join(folder, taken));
      real.renameSync(away, join(folder, taken));
    },
  };
};

const files = createFiles();

/** One upload as the worker does it; what left, and whether the tail would have. */
const uploaded = async (path: string, root: string) => {
  const left: Buffer[] = [];
  const file = await files.open(path, root);
  try {
    for await (const piece of file.pieces(new AbortController().signal)) left.push(Buffer.from(piece));
    await file.sha256();
    return { left: Buffer.concat(left).toString(), tail: await file.unchanged() };
  } finally {
    await file.close();
  }
};

const callsOf = async (): Promise<string[]> => {
  const { root, path } = stage();
  const calls: string[] = [];
  step.before = (call) => void calls.push(call);
  expect(await uploaded(path, root)).toEqual({ left: ours, tail: true });
  step.before = () => undefined;
  return calls;
};

const openDescriptors = (): number => real.readdirSync('/proc/self/fd').length;
const onLinux = test.runIf(process.platform === 'linux');

test('the tried steps are those of an upload', async () => {
  const calls = await callsOf();
  for (const call of ['lstatSync', 'openSync', 'fstatSync', 'realpathSync.native', 'closeSync'])
    expect(calls).toContain(call);
  expect(calls.some((call) => call === 'read' || call === 'readSync')).toBe(true);
  expect(calls.length).toBeGreaterThan(10);
});

posixTest('a link needs a right there').each(
  Object.entries(swapped).flatMap(([what, places]) => [
    { what, places, door: 'the watched folder' },
    { what, places, door: 'a path that is given' },
  ]),
)(
  '$what swapped for a symbolic link before any step, and swapped back before any later one, lets no byte out by $door',
  async ({ places, door }) => {
    const { length } = await callsOf();
    const outcomes = { refused: 0, stopped: 0, whole: 0 };
    for (let from = 0; from < length; from += 1) {
      for (let to = from + 1; to <= length; to += 1) {
        const { root, path, swap, swapBack } = stage(places);
        let at = 0;
        step.before = () => {
          if (at === from) swap();
          if (at === to) swapBack();
          at += 1;
        };
        const inside = door === 'a path that is given' ? noLinks : root;
        const result = await uploaded(path, inside).catch((error: unknown) => error);
        step.before = () => undefined;
        const label = `swapped before ${from}, back before ${to}`;
        if (result instanceof AppError) {
          expect(['outside', 'gone', 'locked', 'not-a-file'], label).toContain(result.code);
          outcomes.refused += 1;
        } else {
          // Every byte that left is from inside the folder, with or without the tail.
          expect(result, label).toMatchObject({ left: ours });
          const { tail } = result as { tail: boolean };
          outcomes[tail ? 'whole' : 'stopped'] += 1;
        }
      }
    }
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(outcomes.stopped).toBeGreaterThan(0);
  },
);

posixTest('a link needs a right there').each([
  ['no path of what is open', false],
  ['neither that nor real paths, as some drives of Windows', true],
])(
  'where the system provides %s, a given file is sent, but not through a symbolic link',
  async (_what, isMute) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    onTestFinished(() => void vi.restoreAllMocks());
    const { path, swap, swapBack } = stage();
    step.before = (call) => {
      if (isMute && call === 'realpathSync.native')
        throw Object.assign(new Error('UNKNOWN'), { code: 'UNKNOWN' });
    };
    expect(await uploaded(path, noLinks)).toEqual({ left: ours, tail: true });
    swap();
    await expect(uploaded(path, noLinks)).rejects.toMatchObject({ code: 'outside' });
    swapBack();
    expect(await uploaded(path, noLinks)).toEqual({ left: ours, tail: true });
  },
);

onLinux.each([
  'EACCES',
  'EPERM',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ESTALE',
  'ENOTCONN',
  'ETIMEDOUT',
  'EIO',
])('%s at any step concerns this file only, and leaves nothing open', async (code) => {
  const calls = await callsOf();
  const before = openDescriptors();
  for (const [index, call] of calls.entries()) {
    if (call.startsWith('closeSync')) continue;
    const { root, path } = stage();
    let at = 0;
    step.before = () => {
      at += 1;
      if (at === index + 1) throw Object.assign(new Error(`${code}: injected`), { code });
    };
    const result = await uploaded(path, root).catch((error: unknown) => error);
    step.before = () => undefined;
    const label = `${call}, step ${index}`;
    if (result instanceof AppError) {
      const verdict = classifyFailure({ code: result.code, status: undefined, tailSent: false });
      const kinds = code === 'EIO' ? ['fail'] : ['file-waits', 'gone', 'settle'];
      expect(kinds, `${label}: ${result.code}`).toContain(verdict.kind);
    } else {
      // Before the tail, a state that cannot be checked is not vouched for.
      expect(result, label).toEqual({ left: ours, tail: false });
    }
  }
  expect(openDescriptors()).toBe(before);
});

// The list of the processes takes a handle before anything else does.
onLinux.each(
  ['EMFILE', 'ENFILE'].flatMap((code) =>
    [
      ['readdirSync', 0],
      ['readdirSync', 1],
      ['readFileSync', 0],
      ['openSync', 0],
    ].map(([call, from]) => [code, call, from] as const),
  ),
)('%s of %s, after %i good calls, hides no program that writes', async (code, call, from) => {
  const { path } = stage();
  const idle = stage().path;
  const writer = real.openSync(path, 'a');
  onTestFinished(() => real.closeSync(writer));
  const writers = createWriters(
    () => Promise.resolve(),
    'linux',
    { hides: () => false },
    () => false,
  );
  let calls = 0;
  const refuse = (name: string): void => {
    if (name !== call) return;
    calls += 1;
    if (calls > Number(from)) throw Object.assign(new Error(`${code}: injected`), { code });
  };
  step.before = refuse;
  expect((await writers([path])).get(path)).toMatch(/open|untold/);
  calls = 0;
  expect((await writers([idle])).get(idle)).toBe('untold');
  step.before = () => undefined;
  expect((await writers([path, idle])).values().toArray()).toEqual(['open', 'closed']);
  [calls, step.before] = [0, refuse];
  // It is known which descriptor holds it.
  expect((await writers([path])).get(path)).toBe('open');
  step.before = () => undefined;
});

test.each([
  ['EBUSY', 'open'],
  ['ENOENT', 'closed'],
  ['EPERM', 'untold'],
  ['EACCES', 'untold'],
  ['EMFILE', 'untold'],
])('on Windows %s of an exclusive open means: %s', async (code, writing) => {
  const { path } = stage();
  const writers = createWriters(
    () => Promise.resolve(),
    'win32',
    { hides: () => false },
    () => false,
  );
  step.before = () => {
    throw Object.assign(new Error(`${code}: injected`), { code });
  };
  const answer = await writers([path]);
  step.before = () => undefined;
  expect(answer.get(path)).toBe(writing);
});

const namesIn = (listing: Listing): string[] | null =>
  listing.ok ? listing.found.map(({ name }) => name).toSorted() : null;

onLinux.each(['EACCES', 'EBUSY', 'EMFILE', 'ESTALE', 'ENOTCONN', 'ETIMEDOUT', 'EIO'])(
  '%s while a folder is listed, or a name looked up, does not mean that anything is gone',
  async (code) => {
    const { root } = stage();
    for (let index = 0; index < 3; index += 1) real.writeFileSync(join(root, `${index}`), 'x');
    const before = openDescriptors();
    const calls: string[] = [];
    step.before = (call) => void calls.push(call);
    const whole = namesIn(await files.list(root));
    for (const [index, call] of calls.entries()) {
      if (call.endsWith('closeSync')) continue;
      let at = 0;
      step.before = () => {
        at += 1;
        if (at === index + 1) throw Object.assign(new Error(`${code}: injected`), { code });
      };
      const listing = await files.list(root);
      const label = `${call}, step ${index}`;
      if (!listing.ok) expect(listing, label).toMatchObject({ gone: false });
      // An entry that cannot be looked up is there all the same.
      else expect(namesIn(listing), label).toEqual(whole);
    }
    step.before = () => {
      throw Object.assign(new Error(`${code}: injected`), { code });
    };
    await expect(files.look(join(root, '0'))).rejects.toMatchObject({
      code: code === 'EIO' ? 'disk' : 'locked',
    });
    step.before = () => undefined;
    expect(openDescriptors()).toBe(before);
  },
);
