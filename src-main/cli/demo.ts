// `npm run demo`: the whole program on a temporary home against our own implementation of the service, which runs as
// a process of its own and is reached by its address only. It shows what a user would see: files dropped into a
// folder become links, each link is then downloaded and compared. Where Electron can run, or with `--double`, the
// window shows it: the app has the engine then, and this process drops the files and looks into the ledger.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { wholePath } from '../contract/whole-path.ts';
import { printable } from './output/terminal-text.ts';
import type { Entry, EntryKind } from '../contract/entries.ts';
import { AppError } from '../contract/errors.ts';
import type { Counts } from '../contract/model.ts';
import { compose, type Composed } from '../compose.ts';
import type { Upload } from '../engine/ports/uploads.ts';
import { sentenceFor } from '../engine/handlers/why.ts';
import { linkOf } from '../engine/shared/same-content.ts';
import { dropSamples, putEarlier, sampleFiles } from './demo/samples.ts';
import { withKey } from '../adapters/keychain/environment.ts';
import { canShowWindow, openDemoWindow } from './demo/window.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { hear, type Hearing } from './uploads/listen.ts';
import type { Output } from './output/output.ts';
import type { Session } from './session.ts';
import { fileJson, ofUpload } from './output/file-json.ts';
import { bytesText, table } from './output/words.ts';
import { typedText } from './output/typed.ts';

/** The built command (out/cli) is as deep in the checkout as this file, so the same path serves both. */
const checkout = resolve(import.meta.dirname, '../..');
const program = join(checkout, 'test/service/main.ts');
/** The whole demo takes some ten seconds; a machine under load may take a few times that. */
const patienceMs = 120_000;

export type DemoFlags = { stay?: boolean; double?: boolean };
type Stage = { place: string; folder: string; env: NodeJS.ProcessEnv; apiKey: string };

export const demo = async (session: Session, flags: DemoFlags): Promise<ExitCode> => {
  if (!existsSync(program)) {
    throw new AppError(
      'bad-use',
      'The demo runs in a checkout only.',
      'Clone the repository and run `npm run demo`.',
    );
  }
  const place = await mkdtemp(join(tmpdir(), 'outtray-demo-'));
  const folder = join(place, 'Outtray');
  await mkdir(folder);
  const service = await startService(session.node, join(place, 'service'));
  try {
    session.output.styled(`Service  ${service.baseUrl}  (Pro plan, our own implementation)`);
    session.output.styled(`Folder   ${folder}`);
    await putEarlier(folder);
    await sleep(30);
    const stage: Stage = {
      place,
      folder,
      env: {
        ...session.env,
        OUTTRAY_HOME: join(place, 'home'),
        OUTTRAY_BASE_URL: service.baseUrl,
      },
      apiKey: service.key,
    };
    if (flags.double === true || canShowWindow(checkout, session)) {
      const code = await inWindow(session, flags, stage);
      if (code !== null) return code;
    }
    return await inTerminal(session, flags, stage);
  } finally {
    service.stop();
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
};

const inTerminal = async (
  session: Session,
  flags: DemoFlags,
  { folder, env, apiKey }: Stage,
): Promise<ExitCode> => {
  const { output, signal } = session;
  const composed = await compose({ role: { kind: 'engine', who: 'outtray demo' }, env, apiKey });
  output.clean = (text) => composed.redactor.redactKnown(text);
  const hearing = tellAll(output, composed);
  try {
    await composed.settings.set('folder', folder);
    output.styled('\nDropping files into the folder …');
    await composed.engine.start({ folder, existing: 'skip' });
    await dropSamples(folder, signal);
    await untilStill(signal, () => composed.engine.isStill());
    const isGood = await report(output, composed, folder);
    if (flags.stay === true && !signal.aborted) await stay(output, folder, signal);
    return isGood ? exitCodes.done : exitCodes.someFailed;
  } finally {
    hearing.stop();
    await composed.close();
  }
};

/** The app has the engine, this process only watches. Null when no window opened, unless `--double` asked for it. */
const inWindow = async (session: Session, flags: DemoFlags, stage: Stage): Promise<ExitCode | null> => {
  const { output, signal } = session;
  const { folder, place, env, apiKey } = stage;
  const isDouble = flags.double === true;
  const composed = await compose({ role: { kind: 'guest' }, env, apiKey });
  output.clean = (text) => composed.redactor.redactKnown(text);
  const counts = (): Counts =>
    composed.ledger.views.counts(composed.ledger.folders.byPath(folder)?.id ?? null);
  await composed.settings.set('folder', folder);
  output.styled('\nOpening the window …');
  const hearing = tellAll(output, composed);
  const window = openDemoWindow({ node: session.node, checkout, isDouble, place, env: withKey(env, apiKey) });
  try {
    // The existing file is skipped by now, so every later file counts as new.
    await until(signal, () => counts().skipped === 1 || window.isGone());
    if (window.isGone() && !signal.aborted) {
      if (!isDouble) return null;
      throw new AppError('internal', 'The window did not open.', '`npm run demo` works without it.');
    }
    output.styled('\nDropping files into the folder …');
    await dropSamples(folder, signal);
    await untilStill(
      signal,
      () => window.isGone() || (counts().waiting === 0 && sum(counts()) === sampleFiles),
    );
    hearing.catchUp();
    let isGood = await report(output, composed, folder);
    if (isDouble) {
      const names = composed.ledger.views.newestLinks(100).map(({ name }) => name);
      const shown = (): string[] => names.filter((name) => window.links()?.includes(name) === true);
      await until(signal, () => shown().length === names.length || window.isGone());
      output.styled(`Window   shows ${shown().length} of ${names.length} links`);
      isGood &&= shown().length === names.length;
    }
    if ((flags.stay ?? (!isDouble && session.stdout.isTTY === true)) && !signal.aborted) {
      await Promise.race([window.gone, stay(output, folder, signal)]);
    }
    return isGood ? exitCodes.done : exitCodes.someFailed;
  } finally {
    await window.stop();
    hearing.stop();
    await composed.close();
  }
};

const startService = async (
  node: string,
  dir: string,
): Promise<{ baseUrl: string; key: string; stop: () => void }> => {
  const child = spawn(wholePath(node), [program, '--port', '0', '--plan', 'Pro', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C must reach only the demo, which then ends the service.
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

const marks: Partial<Record<EntryKind, string>> = { uploaded: '✓', held: '!', skipped: '–', failed: '✗' };

const tellAll = (output: Output, composed: Composed): Hearing =>
  hear(composed, {
    trouble: () => undefined,
    entries: (entries) => {
      for (const entry of entries) tell(output, composed, entry);
    },
    progress: () => undefined,
  });

const tell = (output: Output, { ledger }: Composed, entry: Entry): void => {
  const mark = marks[entry.body.kind];
  const row = entry.uploadId === null ? null : ledger.uploads.byId(entry.uploadId);
  if (mark === undefined || row === null) return;
  const link = linkOf(ledger.uploads, row);
  output.styled(`  ${mark} ${printable(row.name)}  ${printable(wordFor(row, link))}`);
};

const wordFor = (row: Upload, link: string | null): string =>
  typedText(sentenceFor(row.state, link, { gate: { kind: 'open' }, paused: false, running: true }));

/** Resolves after a while without activity: between two files there is a moment without any, too. */
const untilStill = async (signal: AbortSignal, isStill: () => boolean): Promise<void> => {
  let quiet = 0;
  await until(signal, () => {
    quiet = isStill() ? quiet + 1 : 0;
    return quiet === 5;
  });
};

const until = async (signal: AbortSignal, isSo: () => boolean): Promise<void> => {
  const untilMs = performance.now() + patienceMs;
  while (performance.now() < untilMs && !signal.aborted && !isSo()) await sleep(150);
};

const sum = (counts: Counts): number => Object.values(counts).reduce((all, count) => all + count, 0);

/** Downloads every link, compares it with the file and prints the result. True when all of them match. */
const report = async (output: Output, { engine, ledger }: Composed, folder: string): Promise<boolean> => {
  const rows = ledger.views.newestLinks(100).toReversed();
  output.styled('\nLinks, each downloaded and compared with the file:');
  let isGood = rows.length >= 6;
  const lines: string[][] = [];
  for (const row of rows) {
    const link = row.publicLink ?? '';
    const isSame = (await digestOf(link)) === hash(await readFile(join(row.dir, row.name)));
    isGood &&= isSame;
    output.object({ ...fileJson(ofUpload(ledger, row)), verified: isSame });
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

const stay = async (output: Output, folder: string, signal: AbortSignal): Promise<void> => {
  output.styled(`\nStill watching ${folder}; put a file in it. Ctrl-C ends the demo and removes the folder.`);
  if (!signal.aborted) await once(signal, 'abort');
};
