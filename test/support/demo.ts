// `npm run demo`: the whole program in a temporary home, with our own implementation of the service. It shows what a
// user sees: files dropped into a folder become links, each link is then downloaded and compared. Where Electron can
// run, or with `--double`, the window is the engine, else `outtray watch`; this process drops the files and looks into
// the ledger. `--stay` keeps watching.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { hear } from '../../src-main/cli/uploads/listen.ts';
import { printable } from '../../src-main/contract/text/printable.ts';
import { typedText } from '../../src-main/cli/output/typed.ts';
import { bytesText, wordTable } from '../../src-main/cli/output/words.ts';
import { compose, type ComposedEngine } from '../../src-main/compose.ts';
import type { EntryKind } from '../../src-main/contract/entries.ts';
import { sentenceFor } from '../../src-main/engine/handlers/why.ts';
import { linkOf } from '../../src-main/engine/shared/same-content.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The whole demo takes some ten seconds; a machine under load may take a few times that. */
const patienceMs = 120_000;
/** Everything is recorded within ten seconds. */
const goodbyeMs = 15_000;
/** The number of files in the folder at the end, and of the links. */
const files = { all: 9, linked: 6 };

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const until = async (isSo: () => boolean): Promise<void> => {
  const untilMs = performance.now() + patienceMs;
  while (performance.now() < untilMs && !signal.aborted && !isSo()) await sleep(150);
};

/** Ctrl-C must reach only the demo, which then ends its processes. */
const start = (args: string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  let isGone = false;
  const gone = once(child, 'exit').then(
    () => void (isGone = true),
    () => void (isGone = true),
  );
  // It may have ended already; then there is nothing to stop.
  child.stdin.on('error', () => undefined);
  return {
    lines: createInterface({ input: child.stdout }),
    gone,
    isGone: () => isGone,
    async stop(): Promise<void> {
      if (isGone) return;
      child.stdin.end();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), goodbyeMs);
      await gone;
      clearTimeout(timer);
    },
  };
};

type EngineKind = 'double' | 'electron' | 'watch';
const engines = (): EngineKind[] => {
  if (process.argv.includes('--double')) return ['double'];
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
  // Written by Electron's installer when it has put the binary there.
  const hasElectron = existsSync(path.join(root, 'node_modules/electron/path.txt'));
  return hasDisplay && hasElectron ? ['electron', 'watch'] : ['watch'];
};

const wordsOf = (kind: EngineKind, place: string): string[] => {
  switch (kind) {
    case 'double':
      return [path.join(import.meta.dirname, 'demo-window.ts'), place];
    case 'electron':
      return [path.join(import.meta.dirname, 'start.ts'), `--user-data-dir=${path.join(place, 'electron')}`];
    case 'watch':
      return [path.join(root, 'src-main/cli.ts'), '--json', 'watch'];
  }
};

/** Several kinds of files, as they really arrive. */
const dropSamples = async (folder: string): Promise<void> => {
  const put = (name: string, content: string | Buffer) => writeFile(path.join(folder, name), content);
  await put('hello.txt', 'Put a file in the tray, get its link.\n');
  await put('Zürich – 合同草案 ☂.md', '# Any name goes up as it is\n');
  await put('photo.raw', Buffer.alloc(3_000_000, 'outtray '));
  await mkdir(path.join(folder, 'reports'));
  await put('reports/Q3.csv', 'month,downloads\nJuly,12\nAugust,18\nSeptember,31\n');
  await put('id_rsa', 'This is no key, but its name looks like one.\n');
  await put('film.mkv.part', 'half of a download');
  // A slow program that keeps its file open: the file must not be uploaded half-written.
  const slow = await open(path.join(folder, 'slow export.log'), 'a');
  for (let part = 1; part <= 6 && !signal.aborted; part += 1) {
    await slow.write(`part ${part} of 6\n`);
    await sleep(150);
  }
  await slow.close();
  await put('film.mkv.part', 'a whole download, of which only the final name is new');
  await rename(path.join(folder, 'film.mkv.part'), path.join(folder, 'film.mkv'));
  await put('copy of hello.txt', 'Put a file in the tray, get its link.\n');
};

const marks: Partial<Record<EntryKind, string>> = { uploaded: '✓', held: '!', skipped: '–', failed: '✗' };

const tellAll = (composed: ComposedEngine) =>
  hear(composed, {
    trouble: () => undefined,
    progress: () => undefined,
    entries(entries) {
      for (const { body, uploadId } of entries) {
        const mark = marks[body.kind];
        const row = uploadId === null ? null : composed.ledger.uploads.byId(uploadId);
        if (mark === undefined || row === null) continue;
        const link = linkOf(composed.ledger.uploads, row);
        const now = { gate: { kind: 'open' }, paused: false, running: true } as const;
        say(`  ${mark} ${printable(row.name)}  ${printable(typedText(sentenceFor(row.state, link, now)))}`);
      }
    },
  });

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Downloads every link, compares it with the file and prints the result. True when all of them match. */
const report = async ({ engine, ledger }: ComposedEngine): Promise<boolean> => {
  say('\nLinks, each downloaded and compared with the file:');
  const rows = ledger.views.newestLinks(100).toReversed();
  let isGood = rows.length >= files.linked;
  const lines: string[][] = [];
  for (const { dir, name, publicLink, stamp } of rows) {
    const link = publicLink ?? '';
    const answer = await fetch(link, { redirect: 'error' });
    const served = Buffer.from(await answer.arrayBuffer());
    const isSame = hash(served) === hash(await readFile(path.join(dir, name)));
    isGood &&= isSame;
    lines.push([isSame ? '✓ verified' : '✗ DIFFERS', name, bytesText(stamp?.sizeBytes ?? 0), link]);
  }
  for (const line of wordTable(lines, [2])) say(`  ${line}`);
  const { counts, budget } = engine.status();
  const used = ({ used, limit }: { used: number; limit: number }) => `${used} of ${limit} requests`;
  say(`\nBudget   ${used(budget.minute)} this minute, ${used(budget.day)} in 24 hours`);
  const words = Object.entries(counts).map(([name, count]) => `${styleText('bold', String(count))} ${name}`);
  say(`Counts   ${words.join(', ')}`);
  return isGood && counts.held === 1 && counts.failed === 0 && counts.waiting === 0;
};

/** Null: the window did not open. */
const show = async (
  kind: EngineKind,
  place: string,
  folder: string,
  composed: ComposedEngine,
  key: string,
) => {
  const { views, folders } = composed.ledger;
  const counts = () => views.counts(folders.byPath(folder)?.id ?? null);
  const hearing = tellAll(composed);
  const env = { ...process.env, OUTTRAY_API_KEY: key };
  const engine = start(wordsOf(kind, place), env);
  let shown: string[] = [];
  engine.lines.on('line', (line) => {
    if (kind === 'double') shown = (JSON.parse(line) as { links: string[] }).links;
  });
  try {
    // The existing file is skipped by now, so every later file counts as new.
    await until(() => counts().skipped === 1 || engine.isGone());
    if (engine.isGone() && !signal.aborted) return null;
    say('\nDropping files into the folder …');
    await dropSamples(folder);
    await until(() => {
      const { waiting, ...ended } = counts();
      const all = Object.values(ended).reduce((sum, count) => sum + count, 0);
      return engine.isGone() || (waiting === 0 && all === files.all);
    });
    hearing.catchUp();
    let isGood = await report(composed);
    if (kind === 'double') {
      const names = views.newestLinks(100).map(({ name }) => name);
      const missing = () => names.filter((name) => !shown.includes(name)).length;
      await until(() => missing() === 0 || engine.isGone());
      say(`Window   shows ${names.length - missing()} of ${names.length} links`);
      isGood &&= missing() === 0;
    }
    const stays = process.argv.includes('--stay') || (kind === 'electron' && process.stdout.isTTY);
    if (stays && !signal.aborted) {
      say(`\nStill watching ${folder}; put a file in it. Ctrl-C ends the demo and removes the folder.`);
      await Promise.race([engine.gone, once(signal, 'abort')]);
    }
    return isGood;
  } finally {
    await engine.stop();
    hearing.stop();
  }
};

const place = await mkdtemp(path.join(tmpdir(), 'outtray-demo-'));
const folder = path.join(place, 'Outtray');
await mkdir(folder);
const service = start(
  [path.join(root, 'test/service/main.ts'), '--port=0', '--plan=Pro', `--dir=${path.join(place, 'service')}`],
  process.env,
);
let composed: ComposedEngine | null = null;
try {
  const [line] = (await Promise.race([once(service.lines, 'line'), service.gone.then(() => ['{}'])])) as [
    string,
  ];
  const { base_url: address = '', key = '' } = JSON.parse(line) as { base_url?: string; key?: string };
  if (address === '') throw new Error('The service did not start. Run `npm ci` again.');
  say(`Service  ${address}  (Pro plan, our own implementation)`);
  say(`Folder   ${folder}`);
  await writeFile(
    path.join(folder, 'was here before.txt'),
    'This file was in the folder before it was chosen.\n',
  );
  await sleep(30);
  Object.assign(process.env, { OUTTRAY_HOME: path.join(place, 'home'), OUTTRAY_BASE_URL: address });
  composed = await compose({ role: { kind: 'guest' }, env: process.env, apiKey: key });
  await composed.settings.set('folder', folder);
  let isGood: boolean | null = null;
  for (const kind of engines()) {
    isGood ??= await show(kind, place, folder, composed, key);
  }
  process.exitCode = isGood === true ? 0 : 1;
} finally {
  await composed?.close();
  await service.stop();
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}
