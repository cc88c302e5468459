// Scripts depend on the command's JSON and exit codes: their shapes are recorded in recorded-shapes.json. A change
// of them must be deliberate: `OUTTRAY_RECORD_SHAPES=1 npm test -- test/flow/recorded-shapes.test.ts` writes the file
// again. Then read the difference.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src-main/cli/exit-codes.ts';
import { errorRows } from '../../src-main/contract/catalogue/errors.ts';
import { commandTable } from '../../src-main/cli/program.ts';
import type { Service } from '../service/service.ts';
import type { Line, RunOptions } from '../support/flow/command.ts';
import type { Place } from '../support/flow/place.ts';
import { problemsOf } from '../support/flow/json-schema.ts';
import { asRecorded, distinct, merged, shapeOf, type Shape } from '../support/flow/shape.ts';
import { within } from '../support/flow/within.ts';

const file = path.join(import.meta.dirname, 'recorded-shapes.json');
const onUpload = { path: '/files/upload' };

type Answer = { exit: number | null; prints: Shape[] };
const answers: Record<string, Answer> = {};
const events: Line[] = [];
/** Lines that do not follow the schema, with the command that printed each. */
const unruly: { title: string; line: Line; problems: string }[] = [];
/** Runs a command and keeps what it prints: events by their name, everything else by the command. */
const record = async (
  place: Place,
  title: string,
  args: readonly string[] = title.split(' '),
  options: RunOptions = {},
): Promise<Line[]> => {
  const { code, lines } = await place.json(args, options);
  keep(title, code, lines);
  return lines;
};

const keep = (title: string, exit: number | null, lines: readonly Line[]): void => {
  for (const line of lines) {
    const problems = problemsOf(line);
    if (problems !== null) unruly.push({ title, line, problems });
  }
  events.push(...lines.filter((line) => line.event !== undefined));
  const rest = lines.filter((line) => line.event === undefined);
  answers[title] = { exit, prints: distinct(rest.map((line) => shapeOf(line))) };
};

const files = async (_service: Service, place: Place): Promise<void> => {
  await place.put('../first.txt', 'one');
  await place.put('../large.bin', Buffer.alloc(3_000_000, 1));
  await place.put('../id_rsa', 'looks like a key');
  await place.put('../empty.txt', '');
  await record(place, 'plan', ['plan', 'first.txt', 'large.bin']);
  await record(place, 'plan (held, skipped)', ['plan', 'id_rsa', 'empty.txt']);
  await record(place, 'plan (no such file)', ['plan', 'gone.txt']);
  await record(place, 'upload', ['upload', 'first.txt', 'large.bin']);
  await record(place, 'upload (some failed, held, skipped)', ['upload', 'gone.txt', 'id_rsa', 'empty.txt']);
  await record(place, 'upload -', ['upload', '-', '--name', 'piped.txt'], { stdin: 'piped' });
  await record(place, 'upload --zip', ['upload', '--zip', '--name', 'both.zip', 'first.txt', 'large.bin']);
  await record(place, 'upload --copy (no display)', ['upload', '--copy', 'first.txt']);
  await record(place, 'upload --detach (known)', ['upload', '--detach', 'first.txt']);
  await record(place, 'paste (no display)', ['paste']);
  await record(place, 'list');
  await record(place, 'list --all');
  await record(place, 'list --sort name');
  await record(place, 'search', ['search', 'first']);
  const [first] = await record(place, 'link', ['link', 'first.txt']);
  const id = String(first?.['file_id']);
  await record(place, 'info', ['info', id]);
  await record(place, 'stats');
  await record(place, 'profiles');
  await record(place, 'status');
  await record(place, 'why', ['why', 'first.txt']);
  await record(place, 'card', ['card', 'first.txt', '--format', 'json']);
  await record(place, 'card (as text)', ['card', 'first.txt']);
  await record(place, 'verify', ['verify', 'first.txt']);
  await record(place, 'verify (unknown)', ['verify', '4711']);
  await record(place, 'expire', ['expire', 'first.txt', '7d']);
  await record(place, 'expire (no time)', ['expire', 'first.txt', '0d']);
  await record(place, 'follow', ['follow', 'first.txt', 'gone.txt']);
  await record(place, 'follow (list)', ['follow']);
  await record(place, 'follow --stop', ['follow', '--stop', 'first.txt']);
  await record(place, 'follow --stop (unknown)', ['follow', '--stop', '4711']);
  await record(place, 'review --old 0');
  await record(place, 'export');
  await place.run(['export', '--format', 'json', '--output', 'links.jsonl']);
  await record(place, 'import', ['import', 'links.jsonl']);
  await record(place, 'import (no list)', ['import', 'first.txt']);
  await record(place, 'export (a file that is there)', ['export', '--output', 'first.txt']);
  await record(place, 'recall', ['recall', 'large.bin']);
  await record(place, 'recall (unknown)', ['recall', '4711']);
  await record(place, 'recall --all-copies', ['recall', '--all-copies', 'large.bin']);
  await record(place, 'delete', ['delete', id, '4711']);
  await record(place, 'delete (unknown)', ['delete', '4711']);
  await record(place, 'info (unknown)', ['info', '4711']);
};

const controls = async (_service: Service, place: Place): Promise<void> => {
  await place.put('before.txt', 'was here before');
  await record(place, 'watch --once', ['watch', place.folder, '--once']);
  await place.put('new.txt', 'came later');
  await place.put('ignored.draft', 'by its name');
  await place.put('server.pem', 'looks like a key');
  await record(place, 'watch --once (some held)', ['watch', place.folder, '--once']);
  await place.put('copy.txt', 'came later');
  await record(place, 'watch --once (a copy)', ['watch', place.folder, '--once']);
  const [followed] = await record(place, 'follow (a file of the folder)', ['follow', 'folder/new.txt']);
  await (await fetch(String(followed?.['public_link']))).bytes();
  await record(place, 'watch --once (downloaded)', ['watch', place.folder, '--once']);
  await record(place, 'status (with a folder)', ['status']);
  const [held] = await record(place, 'held');
  await record(place, 'queue');
  const id = String(held?.['queueId']);
  await record(place, 'cancel', ['cancel', id]);
  await record(place, 'retry', ['retry', id]);
  await record(place, 'confirm', ['confirm', id]);
  await record(place, 'retry (unknown)', ['retry', 'q4711']);
  await record(place, 'pause', ['pause']);
  await record(place, 'pause 15m');
  await place.put('later.txt', 'put while paused');
  await record(place, 'upload (paused)', ['upload', 'folder/new.txt', 'folder/later.txt']);
  await record(place, 'resume');
  await mkdir(path.join(place.root, 'more'));
  await record(place, 'folders');
  await record(place, 'folders list');
  await record(place, 'folders add', ['folders', 'add', 'more']);
  await record(place, 'folders add (nested)', ['folders', 'add', 'more']);
  await record(place, 'folders set', ['folders', 'set', 'more', 'paused', 'true']);
  await record(place, 'folders remove', ['folders', 'remove', 'more']);
  await record(place, 'folders remove (unknown)', ['folders', 'remove', 'more']);
  await record(place, 'settings');
  await record(place, 'settings list');
  await record(place, 'settings get folder');
  await record(place, 'settings set recursive false');
  await record(place, 'settings unset recursive');
  await record(place, 'settings set (unknown)', ['settings', 'set', 'colour', 'red']);
  await record(place, 'doctor');
  await record(place, 'help');
  await record(place, 'completion bash');
  await record(place, 'mcp (no client)', ['mcp'], { stdin: '' });
  await record(place, 'integrate --list');
  await record(place, 'integrate (no file manager)', ['integrate'], { env: { PATH: '/nowhere' } });
  await record(place, 'bad use', ['uplaod', 'x']);
  await record(place, 'login', ['login'], { stdin: 'flow-key-4f9c\n' });
  await record(place, 'login (without a keychain)', ['login'], {
    stdin: 'flow-key-4f9c\n',
    env: { OUTTRAY_API_KEY: undefined },
  });
  await record(place, 'logout', ['logout'], { env: { OUTTRAY_API_KEY: undefined } });
  await record(place, 'list (key refused)', ['list'], { env: { OUTTRAY_API_KEY: 'not-the-key' } });
  const dead = { env: { OUTTRAY_BASE_URL: 'http://127.0.0.1:9/api/v1' } };
  await record(place, 'list (unreachable)', ['list'], dead);
  await place.put('../offline.txt', 'nobody is there');
  await record(place, 'upload (unreachable)', ['upload', 'offline.txt'], dead);
  const watching = place.start(['--json', 'watch', place.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  const ended = await watching.stop();
  keep('watch (interrupted)', ended.code, watching.lines());
};

const uncertain = async (service: Service, place: Place): Promise<void> => {
  service.faults.add({ match: onUpload, fault: { kind: 'reset', at: 'done' } });
  await place.put('lost.txt', 'its answer was lost');
  await record(place, 'watch --once (answer lost)', [
    'watch',
    place.folder,
    '--once',
    '--existing',
    'upload',
  ]);
  const [held] = await record(place, 'held (uncertain)', ['held']);
  const id = String(held?.['queueId']);
  const [candidate] = await record(place, 'resolve', ['resolve', id]);
  await record(place, 'confirm (uncertain)', ['confirm', id]);
  await record(place, 'resolve --adopt', ['resolve', id, '--adopt', String(candidate?.['file_id'])]);
  await record(place, 'resolve (unknown)', ['resolve', 'q4711']);
};

const tight = async (_service: Service, place: Place): Promise<void> => {
  const names = ['1.txt', '2.txt', '3.txt', '4.txt'];
  for (const name of names) await place.put(`../${name}`, `tight ${name}`);
  await record(place, 'upload --no-wait', ['upload', '--no-wait', ...names]);
  const waiting = place.start(['--json', 'upload', ...names]);
  await waiting.until('waiting', (lines) => lines.find((line) => line.event === 'waiting'));
  const ended = await waiting.stop();
  keep('upload (interrupted)', ended.code, waiting.lines());
};

const damaged = async (_service: Service, place: Place): Promise<void> => {
  await mkdir(path.join(place.home, 'ledger.sqlite'));
  await record(place, 'status (ledger damaged)', ['status']);
};

test(
  'JSON and exit codes of every command are as recorded, and each line follows the schema',
  { timeout: 300_000 },
  async () => {
    await Promise.all([
      // Slow enough that the progress of the large file is reported before its end.
      within({ settings: { bandwidthBytesPerSecond: 2_000_000 }, rate: 1 }, files),
      // The clock is compared with that of the service.
      within({ settings: { ignore: ['*.draft'] }, rate: 1 }, controls),
      within({ settings: { reconcileAfterMs: 600_000 } }, uncertain),
      within({ settings: { requestsPerMinute: 2 } }, tight),
      within({}, damaged),
      within({ settings: { burstFiles: 1 } }, async (_service, place) => {
        await place.run(['watch', place.folder, '--once']);
        for (const name of ['one.txt', 'two.txt']) await place.put(name, name);
        await record(place, 'plan (burst)', ['plan', place.folder]);
      }),
      within({ service: { plan: 'Free' } }, async (_service, place) => {
        await record(place, 'stats (plan without the API)', ['stats']);
      }),
    ]);
    expect(unruly).toEqual([]);
    const byName = Map.groupBy(events, (line) => line.event ?? '');
    const recorded = {
      answers: Object.fromEntries(Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      events: Object.fromEntries(
        [...byName]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, lines]) => [
            name,
            merged(lines.map((line) => shapeOf(line) as Record<string, Shape>)),
          ]),
      ),
      exitCodeOfError: Object.fromEntries(
        Object.entries(errorRows).map(([code, { exit }]) => [code, exitCodes[exit]]),
      ),
    };
    if (process.env['OUTTRAY_RECORD_SHAPES'] !== undefined)
      writeFileSync(file, await format(JSON.stringify(recorded), { parser: 'json', printWidth: 110 }));
    const before = JSON.parse(readFileSync(file, 'utf8')) as typeof recorded;
    const seen = Object.entries(recorded.events).map(([name, shape]): [string, Shape] => [
      name,
      asRecorded(before.events[name] ?? {}, shape),
    ]);
    expect({ ...recorded, events: Object.fromEntries(seen) }).toEqual(before);
  },
);

test('an event that lacks a field, or has one of another type or name, is not as recorded', () => {
  const recorded = { event: 'queued', sha256: 'null | string', 'late?': 'boolean', path: 'string' };
  const now = { event: 'queued', path: 'string' };
  expect(asRecorded(recorded, { ...now, sha256: 'null' })).toEqual(recorded);
  expect(asRecorded(recorded, { ...now, sha256: 'string', late: 'boolean' })).toEqual(recorded);
  for (const bad of [
    now,
    { ...now, sha256: 'number' },
    { ...now, sha256: 'null', path: 'null | string' },
    { ...now, sha256: 'null', late: 'string' },
    { ...now, sha256: 'null', size: 'number' },
  ])
    expect(asRecorded(recorded, bad)).not.toEqual(recorded);
});

test('the schema refuses other names for ids and sizes, and a file that lacks one', () => {
  const file = {
    file_id: null,
    queueId: 'q1',
    filename: 'a',
    path: '/a',
    public_link: null,
    sizeBytes: 1,
    sha256: null,
    uploadedAt: null,
    expiresAt: null,
    downloads: null,
  };
  expect(problemsOf(file)).toBeNull();
  for (const bad of [{ size: 1 }, { queueId: 1 }, { id: 1 }, { uploadedAt: 1 }, { files: [{ id: 1 }] }])
    expect(problemsOf({ ...file, ...bad })).not.toBeNull();
  for (const name of Object.keys(file))
    expect(
      [name, problemsOf(Object.fromEntries(Object.entries(file).filter(([one]) => one !== name)))],
      name,
    ).not.toEqual([name, null]);
});

test('every command is among them', () => {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { answers: Record<string, Answer> };
  const titles = Object.keys(recorded.answers);
  const names = commandTable().commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((one) => `${command.name()} ${one.name()}`),
  );
  expect(
    names.filter((name) => !titles.some((title) => title === name || title.startsWith(`${name} `))),
  ).toEqual([]);
});
