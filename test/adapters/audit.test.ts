// The audit file on a real disk: whole lines, torn lines, rotation, and what prevents writing.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '../../src-main/adapters/audit/audit.ts';
import { auditLine } from '../support/fake-audit.ts';
import { withoutCapabilities } from '../support/unprivileged.ts';
import { posixTest } from '../support/posix.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'outtray-audit-'));
  file = path.join(folder, 'audit.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (one: string): string => readFileSync(one, 'utf8');
const seqsIn = (one: string): number[] =>
  read(one)
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => (JSON.parse(text) as { seq: number }).seq);

const create = (more: Partial<Parameters<typeof createAudit>[0]> = {}) =>
  createAudit({ nowMs: () => 0, ...more });

posixTest('Windows renames no file that another process has open')(
  'two processes that fill the same file lose no line, also when both rename it',
  async () => {
    const writer = path.join(import.meta.dirname, 'audit-writer.ts');
    const writers = ['one', 'two'].map((ledger) =>
      spawn(process.execPath, [writer, file, ledger, '2000', '2000'], { stdio: 'inherit' }),
    );
    await Promise.all(writers.map((child) => once(child, 'exit')));
    const lines = readdirSync(folder).flatMap((name) => seqsIn(path.join(folder, name)));
    expect(lines).toHaveLength(4000);
    expect(new Set(lines).size).toBe(2000);
  },
);

describe('lines', () => {
  posixTest('it has no modes')(
    'are added in order, private, with user and computer, and the last one is found by its ledger',
    () => {
      const audit = create();
      expect(audit.lastSeq(file, 'one')).toBeNull();
      audit.append(file, [auditLine(1), auditLine(2)]);
      audit.append(file, [auditLine(9, { ledger: 'two' })]);
      expect(audit.lastSeq(file, 'one')).toBe(2);
      expect(audit.lastSeq(file, 'two')).toBe(9);
      expect(audit.lastSeq(file, 'three')).toBeNull();
      expect(Object.keys(JSON.parse(read(file).split('\n')[0] ?? '') as object)).toEqual([
        'at',
        'event',
        'file_id',
        'path',
        'filename',
        'size',
        'sha256',
        'public_link',
        'expiresAt',
        'door',
        'reason',
        'dead',
        'linkState',
        'seq',
        'ledger',
        'user',
        'computer',
      ]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  test('a hostile name stays one line', () => {
    const name = 'a\nb\r\u2028\u2029\u0085\u202e\u0000"\\\ud800';
    create().append(file, [auditLine(1, { path: name })]);
    const text = read(file);
    expect(text.slice(0, -1)).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u);
    expect((JSON.parse(text) as { path: string }).path).toBe(name);
  });

  test('a torn last line is ended and does not count; one that only lacks its end does', () => {
    const audit = create();
    audit.append(file, [auditLine(1)]);
    const whole = read(file);
    appendFileSync(file, whole.replace('"seq":1', '"seq":2').slice(0, -30));
    expect(audit.lastSeq(file, 'one')).toBe(1);
    audit.append(file, [auditLine(2)]);
    expect(read(file).split('\n').at(-2)).toContain('"seq":2');
    appendFileSync(file, whole.replace('"seq":1', '"seq":3').slice(0, -1));
    expect(audit.lastSeq(file, 'one')).toBe(3);
    audit.append(file, [auditLine(4)]);
    expect(
      read(file)
        .split('\n')
        .slice(-3, -1)
        .map((text) => (JSON.parse(text) as { seq: number }).seq),
    ).toEqual([3, 4]);
  });

  test('the last line is found behind many long lines of another ledger', () => {
    const audit = create();
    audit.append(file, [auditLine(7)]);
    const long = 'x'.repeat(30_000);
    audit.append(
      file,
      Array.from({ length: 10 }, (_, at) => auditLine(at, { ledger: 'two', path: long })),
    );
    expect(audit.lastSeq(file, 'one')).toBe(7);
  });
});

describe('rotation', () => {
  test('a full file gets a name with the time; the newest full ones stay, and no line is lost or doubled', () => {
    let nowMs = 0;
    const audit = create({ nowMs: () => nowMs, maxBytes: 700, files: 3 });
    for (let seq = 1; seq <= 12; seq += 1) {
      audit.append(file, [auditLine(seq)]);
      nowMs += 1000;
    }
    const full = readdirSync(folder)
      .filter((name) => name !== 'audit.jsonl')
      .sort();
    expect(full).toHaveLength(3);
    expect(full[0]).toMatch(/^audit\.jsonl\.19700101T0000\d\dZ$/);
    const seqs = [...full, 'audit.jsonl'].flatMap((name) => seqsIn(path.join(folder, name)));
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => 13 - seqs.length + at));
    expect(seqs.length).toBeGreaterThan(3);
  });

  test('after the rename and before the next line the position is found in the full file', () => {
    const audit = create({ maxBytes: 1 });
    audit.append(file, [auditLine(5)]);
    audit.append(file, [auditLine(6, { ledger: 'two' })]);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(audit.lastSeq(file, 'one')).toBe(5);
    rmSync(file);
    expect(audit.lastSeq(file, 'one')).toBe(5);
  });

  test('files that fill up within one second do not replace each other', () => {
    const audit = create({ maxBytes: 1 });
    for (const seq of [1, 2, 3]) audit.append(file, [auditLine(seq)]);
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

describe('a full file', () => {
  test('that cannot be renamed goes on growing', () => {
    // The name with the time would be too long.
    const long = path.join(folder, 'a'.repeat(245));
    const audit = create({ maxBytes: 1 });
    for (const seq of [1, 2, 3]) audit.append(long, [auditLine(seq)]);
    expect(seqsIn(long)).toEqual([1, 2, 3]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('gets its successor also where an old one cannot be deleted', () => {
    const audit = create({ nowMs: () => Date.UTC(2026, 0, 1), maxBytes: 1, files: 1 });
    const old = ['audit.jsonl.20010101T000000Z', 'audit.jsonl.20020101T000000Z'];
    mkdirSync(path.join(folder, old[1] ?? ''));
    writeFileSync(path.join(folder, old[0] ?? ''), '');
    for (const seq of [1, 2, 3]) audit.append(file, [auditLine(seq)]);
    expect(seqsIn(file)).toEqual([3]);
    expect(readdirSync(folder)).toEqual(['audit.jsonl', old[1], 'audit.jsonl.20260101T000000Z-2']);
  });

  posixTest('it has no modes').each([0o600, 0o640, 0o644])('leaves its mode to its successor: %o', (mode) => {
    const audit = create({ maxBytes: 1 });
    audit.append(file, [auditLine(1)]);
    chmodSync(file, mode);
    audit.append(file, [auditLine(2)]);
    expect(readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777)).toEqual([
      mode,
      mode,
    ]);
  });

  posixTest('it has no groups')('leaves its group to its successor', () => {
    const own = process.getegid?.() ?? 0;
    const other = process.getuid?.() === 0 ? 4 : process.getgroups?.().find((group) => group !== own);
    const audit = create({ maxBytes: 1 });
    audit.append(file, [auditLine(1)]);
    chownSync(file, -1, other ?? own);
    chmodSync(file, 0o640);
    audit.append(file, [auditLine(2)]);
    expect(statSync(file)).toMatchObject({ gid: other ?? own, mode: 0o100640 });
  });

  posixTest('a link needs a right there')('that is only linked there is not renamed', () => {
    const there = path.join(folder, 'there');
    create().append(there, [auditLine(1)]);
    symlinkSync(there, file);
    expect(() => create({ maxBytes: 200 }).append(file, [auditLine(2)])).toThrow(/cannot be written/);
    expect(readdirSync(folder)).toEqual(['audit.jsonl', 'there']);
  });
});

describe('after the clock was set back', () => {
  test('the newest full files stay, and the position is found in the last one', () => {
    let nowMs = Date.UTC(2030, 0, 1);
    const audit = create({ nowMs: () => nowMs, maxBytes: 1, files: 3 });
    const append = (seq: number): void => {
      audit.append(file, [auditLine(seq)]);
      utimesSync(file, nowMs / 1000, nowMs / 1000);
      nowMs += 1000;
    };
    for (const seq of [1, 2, 3, 4]) append(seq);
    nowMs = Date.UTC(2026, 0, 1);
    for (const seq of [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) append(seq);
    const kept = readdirSync(folder).flatMap((name) => seqsIn(path.join(folder, name)));
    expect(kept.toSorted((a, b) => a - b)).toEqual([12, 13, 14, 15]);
    rmSync(file);
    expect(audit.lastSeq(file, 'one')).toBe(14);
  });
});

describe('a file that cannot be written', () => {
  test('a missing folder and a folder in its place are reported with their path', () => {
    const audit = create();
    for (const wrong of [path.join(folder, 'none', 'audit.jsonl'), folder])
      expect(() => audit.check(wrong)).toThrow(
        expect.objectContaining({ code: 'audit', message: expect.stringContaining(wrong) as string }),
      );
    expect(() => audit.append(path.join(folder, 'none', 'a'), [auditLine(1)])).toThrow(/cannot be written/);
    expect(() => audit.check(file)).not.toThrow();
  });

  posixTest('it has no modes')('a folder without write permission is reported too', () => {
    const script = `
      const { createAudit } = await import(${JSON.stringify(import.meta.resolve('../../src-main/adapters/audit/audit.ts'))});
      try { createAudit({ nowMs: () => 0 }).check('audit.jsonl'); }
      catch (error) { console.log(error.code, error.message); }`;
    const [program, ...args] = [
      ...withoutCapabilities,
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    chmodSync(folder, 0o500);
    const said = execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
    chmodSync(folder, 0o700);
    expect(said).toMatch(/^audit .*audit\.jsonl cannot be written/);
  });
});

describe('a file that is no audit file', () => {
  const foreign = [
    ['a shell’s start file', 'export PATH=/bin\n'],
    ['authorized keys', 'ssh-ed25519 AAAA me@here'],
    ['a JSON file', '{"theme":"dark"}\n'],
    ['JSON lines of another program', '{"at":"2026-01-01","level":"info"}\n{"at":"2026-01-02"}\n'],
    ['bytes', '\0\u0001\u0002'],
  ] as const;

  test.each(foreign)('is neither accepted nor written: %s', (_, content) => {
    writeFileSync(file, content);
    const audit = create();
    expect(() => audit.demandOurs(file)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
    expect(() => audit.check(file)).toThrow(expect.objectContaining({ code: 'audit' }));
    expect(() => audit.append(file, [auditLine(1)])).toThrow(expect.objectContaining({ code: 'audit' }));
    expect(read(file)).toBe(content);
  });

  posixTest('a link needs a right there')('a symbolic link is not followed, not even a dangling one', () => {
    for (const target of ['there', 'nowhere'].map((name) => path.join(folder, name))) {
      if (target.endsWith('there')) writeFileSync(target, '');
      symlinkSync(target, file);
      const audit = create();
      expect(() => audit.demandOurs(file)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
      expect(() => audit.append(file, [auditLine(1)])).toThrow(expect.objectContaining({ code: 'audit' }));
      rmSync(file);
    }
    expect(readdirSync(folder)).toEqual(['there']);
    expect(read(path.join(folder, 'there'))).toBe('');
  });

  posixTest('a link needs a right there')('one that cannot be looked at is not accepted', () => {
    symlinkSync(file, file);
    for (const there of [path.join(file, 'audit.jsonl'), path.join(folder, 'x'.repeat(300))])
      expect(() => create().demandOurs(there)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });

  test('a folder and a pipe are not accepted', () => {
    expect(() => create().demandOurs(folder)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [file]);
    expect(() => create().demandOurs(file)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });

  test.each([
    ['an empty one', ''],
    ['one with a torn first line', '{"at":"2026-01-01T00:00:00.000Z","ev'],
    ['one whose first line is torn and the second whole', `{"at":"20\n${JSON.stringify(auditLine(1))}\n`],
  ])('%s is accepted', (_, content) => {
    writeFileSync(file, content);
    create().demandOurs(file);
    create().append(file, [auditLine(2)]);
    expect(create().lastSeq(file, 'one')).toBe(2);
  });

  test('a file that does not exist yet is accepted and not made', () => {
    create().demandOurs(file);
    create().demandOurs(path.join(folder, 'later', 'audit.jsonl'));
    expect(readdirSync(folder)).toEqual([]);
  });
});
