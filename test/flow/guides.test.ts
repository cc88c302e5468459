// The examples of the guides and the README, as a reader types them: each block in a shell, with the service of the tests
// and its own home folder. `unit/guides.test.ts` checks the parts of an example; here it is run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHolder } from '../../src-main/adapters/system/lock.ts';
import type { Service } from '../service/service.ts';
import { commandWords } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { storedAs } from '../support/flow/wire.ts';
import { sectionsOf } from '../support/guide.ts';

let service: Service;
let place: Place;
/** What programs in the examples post elsewhere. */
let hook: Server;
let posted: string[];
const inRoot = (...names: string[]): string => path.join(place.root, ...names);
const inHome = (...names: string[]): string => path.join(place.env['HOME'] ?? '', ...names);

beforeEach(async () => {
  service = await ownService({ firstFileId: 4711 });
  place = await ownPlace(service, { processes: true });
  posted = [];
  hook = createServer((request, response) => {
    request.on('data', (part: Buffer) => posted.push(part.toString().trimEnd()));
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  for (const folder of ['bin', 'pictures', 'shared', 'src', 'srv']) mkdirSync(inRoot(folder));
  for (const folder of ['Outtray', 'Releases', 'Pictures/Screenshots'])
    mkdirSync(inHome(folder), { recursive: true });
  const files = [
    'report.pdf',
    'photo.jpg',
    'video.mp4',
    'app.msi',
    'notes.txt',
    'src/a.txt',
    'pictures/a.png',
  ];
  for (const file of files) writeFileSync(inRoot(file), `the content of ${file}`);
  writeFileSync(inHome('Outtray/report.pdf'), 'another report');
  writeFileSync(inHome('Outtray/id_rsa'), 'a key');
  writeFileSync(inRoot('key.txt'), `${apiKey}\n`);
  writeFileSync(
    inRoot('bin/outtray'),
    `#!/bin/sh\nexec ${commandWords.map((word) => `'${word}'`).join(' ')} "$@"\n`,
    {
      mode: 0o755,
    },
  );
  // What the examples take for granted: the folder is watched, and these are shared.
  await place.run(['settings', 'set', 'folder', inHome('Outtray')]);
  await place.run(['upload', 'app.msi', inHome('Outtray/report.pdf')]);
});
afterEach(async () => {
  hook.closeAllConnections();
  hook.close();
});

/** Our own calls among the lines of the examples; those that install packages or start services are tested elsewhere. */
const blocksOf = (file: string): string[][] =>
  sectionsOf(readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8'))
    .flatMap(({ examples }) => examples)
    .filter(({ language }) => language === 'sh')
    .map(({ lines }) => lines.filter((line) => /^(outtray|tar) /.test(line)))
    .filter((lines) => lines.length > 0);

/** Examples that do not exit with 0 where there is no desktop, and their output. */
const withoutDesktop: Record<string, { code: number; says: RegExp }> = {
  login: { code: 3, says: /plan Pro.* no keychain/s },
  logout: { code: 3, says: /keychain/ },
  integrate: { code: 5, says: /Nautilus/ },
  paste: { code: 2, says: /clipboard/ },
  '--copy': { code: 8, says: /Not copied/ },
  watch: { code: 130, says: /^Watching / },
};

const runLine = (line: string): Promise<{ code: number | null; text: string }> => {
  const typed = line
    .replaceAll('https://files.example.com/api/v1', service.baseUrl)
    .replaceAll('https://hooks.example.com', `http://127.0.0.1:${(hook.address() as AddressInfo).port}`)
    .replaceAll('/srv/outtray', inRoot('srv'));
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `trap : INT
${typed}`,
    ],
    {
      cwd: place.root,
      env: { ...place.env, PATH: `${inRoot('bin')}:${process.env['PATH'] ?? ''}` },
      // As on a terminal, Ctrl-C reaches the shell, which continues, and the program.
      detached: true,
    },
  );
  let text = '';
  const hear = (piece: Buffer): void => {
    const before = text;
    text += piece.toString();
    if (line.startsWith('outtray watch') && !before.includes('\n') && text.includes('\n'))
      process.kill(-(child.pid ?? 0), 'SIGINT');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.end(line.startsWith('outtray login') ? `${apiKey}\n` : '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
};

describe.runIf(process.platform === 'linux')('each example runs', () => {
  test.each(
    [
      'README.md',
      'resources/docs/user-guide.md',
      'resources/docs/command.md',
      'resources/docs/admin-guide.md',
    ].flatMap((file) => blocksOf(file).map((lines) => [file, lines[0], lines] as const)),
  )('%s: %s', async (_file, _first, lines) => {
    for (const line of lines) {
      const { code, text } = await runLine(line);
      const { code: ends, says } = withoutDesktop[
        /upload .*--copy/.test(line) ? '--copy' : (line.split(' ')[1] ?? '')
      ] ?? { code: 0, says: /^/ };
      expect({ line, code, text }).toEqual({ line, code: ends, text });
      expect(text).toMatch(says);
    }
    const [shared] = storedAs(service, 'the content of report.pdf');
    const expected = lines.some((line) => line.includes('curl'))
      ? [JSON.stringify({ text: shared?.link })]
      : [];
    expect(posted).toEqual(expected);
    await eventually('no engine runs', () => readHolder(place.home) === null);
  });
});
