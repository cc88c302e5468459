// `npm run demo`: the whole program on a temporary home against our own implementation of the service, which runs as
// a process of its own and is reached by its address only. It shows what a user would see: files dropped into a
// folder become links, each link is then downloaded and compared.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { printable } from '../adapters/terminal-text.ts';
import type { Entry, EntryKind } from '../contract/entries.ts';
import { AppError } from '../contract/errors.ts';
import { compose, type Composed } from '../compose.ts';
import type { Upload } from '../engine/ports.ts';
import { sentenceFor } from '../engine/why.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';
import { bytesText, table } from './words.ts';

const program = resolve(import.meta.dirname, '..', '..', 'test', 'service', 'main.ts');
/** The whole demo takes some ten seconds; a machine under load may take a few times that. */
const patienceMs = 120_000;

export const demo = async (session: Session, flags: { stay?: boolean }): Promise<ExitCode> => {
  if (!existsSync(program)) {
    throw new AppError(
      'bad-use',
      'The demo runs in a checkout only.',
      'Clone the repository and run `npm run demo`.',
    );
  }
  const { output, signal } = session;
  const place = await mkdtemp(join(tmpdir(), 'outtray-demo-'));
  const folder = join(place, 'Outtray');
  await mkdir(folder);
  const service = await startService(join(place, 'service'));
  try {
    output.styled(`Service  ${service.baseUrl}  (Pro plan, our own implementation)`);
    output.styled(`Folder   ${folder}`);
    await writeFile(
      join(folder, 'was here before.txt'),
      'This file was in the folder before it was chosen.\n',
    );
    await sleep(30);
    const env = { ...session.env, OUTTRAY_API_KEY: service.key, OUTTRAY_BASE_URL: service.baseUrl };
    const composed = await compose({
      role: { kind: 'engine', who: 'outtray demo' },
      home: join(place, 'home'),
      env,
    });
    output.clean = (text) => composed.redactor.redact(text);
    try {
      await composed.settings.set('folder', folder);
      await composed.engine.start({ folder, existing: 'skip' });
      const undo = composed.engine.listen((change) => {
        if (change.kind === 'entries') for (const entry of change.entries) tell(output, composed, entry);
      });
      output.styled('\nDropping files into the folder …');
      await dropSamples(folder, signal);
      await untilStill(composed, signal);
      undo();
      const isGood = await report(output, composed, folder);
      if (flags.stay === true && !signal.aborted) await stay(output, composed, folder, signal);
      return isGood ? exitCodes.done : exitCodes.someFailed;
    } finally {
      await composed.close();
    }
  } finally {
    service.stop();
    await rm(place, { recursive: true, force: true });
  }
};

const startService = async (dir: string): Promise<{ baseUrl: string; key: string; stop: () => void }> => {
  const child = spawn(process.execPath, [program, '--port', '0', '--plan', 'Pro', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C is for the demo, which ends the service afterwards.
    detached: true,
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => ['{}'])])) as [
    string,
  ];
  const { base_url: baseUrl, key } = JSON.parse(line) as { base_url?: string; key?: string };
  if (baseUrl === undefined || key === undefined) {
    throw new AppError('internal', "The demo's own service did not start.", 'Run `npm ci` again.');
  }
  return { baseUrl, key, stop: () => void child.kill('SIGTERM') };
};

/** Several kinds of files, as they really arrive. */
const dropSamples = async (folder: string, signal: AbortSignal): Promise<void> => {
  const at = (name: string): string => join(folder, name);
  await writeFile(at('hello.txt'), 'Put a file in the tray, get its link.\n');
  await writeFile(at('Zürich – 合同草案 ☂.md'), '# Any name goes up as it is\n');
  await writeFile(at('photo.raw'), Buffer.alloc(3_000_000, 'outtray '));
  await mkdir(at('reports'));
  await writeFile(join(at('reports'), 'Q3.csv'), 'month,downloads\nJuly,12\nAugust,18\nSeptember,31\n');
  await writeFile(at('id_rsa'), 'This is no key, but its name looks like one.\n');
  await writeFile(at('film.mkv.part'), 'half of a download');
  // A program that takes its time: the file must not go up half-written.
  for (let part = 1; part <= 6 && !signal.aborted; part += 1) {
    await appendFile(at('slow export.log'), `part ${part} of 6\n`);
    await sleep(150);
  }
  await writeFile(at('film.mkv.part'), 'a whole download, of which only the final name is new');
  await rename(at('film.mkv.part'), at('film.mkv'));
  await writeFile(at('copy of hello.txt'), 'Put a file in the tray, get its link.\n');
};

const marks: Partial<Record<EntryKind, string>> = { uploaded: '✓', held: '!', skipped: '–', failed: '✗' };

const tell = (output: Output, { ledger }: Composed, entry: Entry): void => {
  const mark = marks[entry.body.kind];
  const row = entry.uploadId === null ? null : ledger.uploads.byId(entry.uploadId);
  if (mark === undefined || row === null) return;
  output.styled(`  ${mark} ${printable(row.name)}  ${printable(wordFor(row))}`);
};

const wordFor = (row: Upload): string =>
  sentenceFor(row.state, row.publicLink, { gate: { kind: 'open' }, paused: false, running: true });

const untilStill = async ({ engine }: Composed, signal: AbortSignal): Promise<void> => {
  const untilMs = performance.now() + patienceMs;
  for (let quiet = 0; quiet < 5 && performance.now() < untilMs && !signal.aborted;) {
    await sleep(150);
    quiet = engine.isStill() ? quiet + 1 : 0;
  }
};

/** Downloads every link and compares it with the file; prints the end of it. True when all is well. */
const report = async (output: Output, { engine, ledger }: Composed, folder: string): Promise<boolean> => {
  const rows = ledger.uploads.newestLinks(100).toReversed();
  output.styled('\nLinks, each downloaded and compared with the file:');
  let isGood = rows.length >= 6;
  const lines: string[][] = [];
  for (const row of rows) {
    const link = row.publicLink ?? '';
    const isSame = (await digestOf(link)) === hash(await readFile(join(row.dir, row.name)));
    isGood &&= isSame;
    output.object({ path: join(row.dir, row.name), public_link: link, verified: isSame });
    lines.push([isSame ? '✓ verified' : '✗ DIFFERS', row.name, bytesText(row.stamp?.sizeBytes ?? 0), link]);
  }
  for (const line of table(lines, [2])) output.styled(`  ${line}`);
  const { counts, budget } = engine.status();
  output.styled(
    `\nBudget   ${budget.minute.used} of ${budget.minute.limit} requests this minute, ${budget.day.used} of ${budget.day.limit} in 24 hours`,
  );
  const words = Object.entries(counts).map(([name, count]) => `${styleText('bold', String(count))} ${name}`);
  output.styled(`Counts   ${words.join(', ')}  (${folder})`);
  output.object({ event: 'idle', at: new Date().toISOString(), path: null, ...counts });
  const isHeld = counts.held === 1 && counts.failed === 0 && counts.waiting === 0;
  return isGood && isHeld;
};

const digestOf = async (link: string): Promise<string> => {
  const answer = await fetch(link, { redirect: 'error' });
  return hash(Buffer.from(await answer.arrayBuffer()));
};

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const stay = async (
  output: Output,
  composed: Composed,
  folder: string,
  signal: AbortSignal,
): Promise<void> => {
  output.styled(`\nStill watching ${folder}; put a file in it. Ctrl-C ends the demo and removes the folder.`);
  const undo = composed.engine.listen((change) => {
    if (change.kind === 'entries') for (const entry of change.entries) tell(output, composed, entry);
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  undo();
};
