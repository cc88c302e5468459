// Our zips, as other programs read them.
import { isDeep } from '../support/deep.ts';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createSpool } from '../../src-main/adapters/spool/spool.ts';
import { zipOf } from '../../src-main/adapters/spool/zip.ts';
import { fromFileSystem } from '../../src-main/adapters/system/storage.ts';
import type { Packed, Spool } from '../../src-main/engine/ports/files.ts';

let root: string;
let spool: Spool;
const { signal } = new AbortController();
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'outtray-zip-'));
  spool = createSpool({ folder: path.join(root, 'spool'), isRunning: () => false, explain: fromFileSystem });
});
afterEach(() => rm(root, { recursive: true }));

const contents: Record<string, string> = {
  'a.txt': 'one',
  'empty.txt': '',
  'folder/-dash %s "quoted".txt': 'names that hurt',
  'folder/Ünïcode ñ.txt': 'two',
  'folder/日本語/العربية/😀.txt': 'three',
  'large.bin': 'x'.repeat(3_000_000),
};

/** As files of the disk do: all pieces are in one buffer. */
async function* pieces(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  const shared = Buffer.alloc(65_536);
  for (let at = 0; at < bytes.length; at += shared.length) {
    const length = bytes.copy(shared, 0, at);
    yield shared.subarray(0, length);
  }
}
async function* packed(): AsyncGenerator<Packed> {
  for (const [name, content] of Object.entries(contents))
    yield { name, sizeBytes: Buffer.byteLength(content), pieces: pieces(content) };
}

const extracted = async (): Promise<Record<string, string>> => {
  const out = path.join(root, 'out');
  const found = await readdir(out, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile());
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        return [path.relative(out, file), await readFile(file, 'utf8')];
      }),
    ),
  ) as Record<string, string>;
};

const readers: [string, (zip: string, out: string) => string[]][] = [
  ['unzip', (zip, out) => ['-q', zip, '-d', out]],
  ['python3', (zip, out) => ['-m', 'zipfile', '-e', zip, out]],
  ['7zz', (zip, out) => ['x', '-bd', `-o${out}`, zip]],
  ['bsdtar', (zip, out) => ['-x', '--options', 'hdrcharset=UTF-8', '-f', zip, '-C', out]],
];
const isThere = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

describe.each(readers)('%s', (program, args) => {
  test.skipIf(!isThere(program))('reads every name and content', async () => {
    const zip = await spool.pack('all.zip', packed(), signal);
    const out = path.join(root, 'out');
    spawnSync('mkdir', [out]);
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const { status, stderr } = spawnSync(program, args(zip, out), { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
    expect(await extracted()).toEqual(contents);
  });
});

/** Programs that read from the first byte to the last one and cannot look back. Each prints names and contents. */
const streaming: [string, string[]][] = [
  ['java', [path.join(import.meta.dirname, '../support/readers/ZipStream.java')]],
  ['bsdtar', ['-x', '--options', 'hdrcharset=UTF-8', '-f', '-', '-C', 'out']],
];
test.skipIf(!isThere('java'))(
  'a streaming reader reads every name and content',
  { timeout: 60_000 },
  async () => {
    const zip = await spool.pack('all.zip', packed(), signal);
    for (const [program, args] of streaming) {
      if (!isThere(program)) continue;
      await rm(path.join(root, 'out'), { recursive: true, force: true });
      spawnSync('mkdir', [path.join(root, 'out')]);
      const env = { ...process.env, LC_ALL: 'C.UTF-8' };
      const input = await readFile(zip);
      const { status, stderr } = spawnSync(program, args, { cwd: root, input, encoding: 'utf8', env });
      expect([program, status, stderr]).toEqual([program, 0, '']);
      expect(await extracted()).toEqual(contents);
    }
  },
);

// The zip is a sparse file: only bytes other than zero are written.
test.runIf(isDeep)(
  'a file over 4 GiB, and one behind it, are read by every reader',
  { timeout: 300_000 },
  async () => {
    const sizeBytes = 4.1 * 1024 ** 3 - ((4.1 * 1024 ** 3) % 1024 ** 2);
    const zeros = Buffer.alloc(1024 ** 2);
    async function* large(): AsyncGenerator<Packed> {
      const content = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < sizeBytes; at += zeros.length) yield zeros;
      };
      yield { name: 'large.bin', sizeBytes, pieces: content() };
      yield { name: 'last.txt', sizeBytes: 4, pieces: pieces('last') };
    }
    const zip = path.join(root, 'large.zip');
    const file = await open(zip, 'w');
    let at = 0;
    for await (const { at: over, bytes } of zipOf(large())) {
      if (!zeros.subarray(0, bytes.length).equals(bytes))
        await file.write(bytes, 0, bytes.length, over ?? at);
      if (over === null) at += bytes.length;
    }
    await file.close();
    const last: [string, string[]][] = [
      ['unzip', ['-p', zip, 'last.txt']],
      [
        'python3',
        ['-c', 'import sys, zipfile; print(end=zipfile.ZipFile(sys.argv[1]).read("last.txt").decode())', zip],
      ],
      ['7zz', ['x', '-so', zip, 'last.txt']],
      ['bsdtar', ['-x', '-O', '-f', zip, 'last.txt']],
    ];
    for (const [program, args] of last) {
      if (!isThere(program)) continue;
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      expect([program, status, stdout, stderr]).toEqual([program, 0, 'last', '']);
    }
    const sizes =
      'import sys, zipfile; print([i.file_size for i in zipfile.ZipFile(sys.argv[1]).infolist()])';
    expect(spawnSync('python3', ['-c', sizes, zip], { encoding: 'utf8' }).stdout).toBe(`[${sizeBytes}, 4]\n`);
  },
);

test('the same files give the same bytes', async () => {
  const sums = new Set<string>();
  for (const name of ['a.zip', 'b.zip']) {
    const bytes = await readFile(await spool.pack(name, packed(), signal));
    sums.add(createHash('sha256').update(bytes).digest('hex'));
  }
  // Recorded: it must be the same on every system and in every version.
  expect([...sums]).toEqual(['0761c26a905430552d4e631e4a78b89d9ac89e1c15f4fd0e5efb4b244c43ada9']);
});

test('nothing of a file stays in memory after its turn', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    // What the first one has found is swept beside it; the second one waits for that.
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const files = createFiles();
  const large = path.join(root, 'large.bin');
  await writeFile(large, Buffer.alloc(300_000));
  let grownBytes = NaN;
  async function* many(): AsyncGenerator<Packed> {
    const before = held();
    for (let number = 0; number < 100; number += 1) {
      const file = await files.open(large, null);
      yield { name: `${number}`, sizeBytes: 300_000, pieces: file.pieces(signal) };
      await file.close();
    }
    grownBytes = held() - before;
  }
  await spool.pack('many.zip', many(), signal);
  // A few files are in progress.
  expect(grownBytes).toBeLessThan(10 * 300_000);
});

test('a file that fails ends the zip, is closed, and leaves nothing', async () => {
  let isClosed = false;
  async function* failing(): AsyncGenerator<Packed> {
    try {
      yield { name: 'a', sizeBytes: 1, pieces: pieces('a') };
      yield {
        name: 'b',
        sizeBytes: 9,
        pieces: (async function* () {
          yield Buffer.from('b');
          throw new Error('the disk failed');
        })(),
      };
    } finally {
      isClosed = true;
    }
  }
  await expect(spool.pack('a.zip', failing(), signal)).rejects.toThrow('the disk failed');
  expect([isClosed, await readdir(path.join(root, 'spool'))]).toEqual([true, []]);
});

test('a stop ends the zip, closes the file being read, and leaves nothing', async () => {
  const stop = new AbortController();
  let isClosed = false;
  async function* endless(): AsyncGenerator<Packed> {
    try {
      yield {
        name: 'a',
        sizeBytes: 2 ** 40,
        pieces: (async function* () {
          for (let at = 0; ; at += 1) {
            if (at === 3) stop.abort();
            yield Buffer.alloc(65_536);
          }
        })(),
      };
    } finally {
      isClosed = true;
    }
  }
  const packing = spool.pack('a.zip', endless(), stop.signal);
  await expect(packing).rejects.toMatchObject({ code: 'aborted' });
  await expect.poll(() => isClosed).toBe(true);
  expect(await readdir(path.join(root, 'spool'))).toEqual([]);
});
