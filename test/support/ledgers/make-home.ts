// Makes the home of a version that ships, by its own command: a watched folder with links, an end, a followed and a
// monitored link, a recall, holds, a cancelled file and a zip. To be run in the tree of that version, once:
// `node test/support/ledgers/make-home.ts OUT.json.gz`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { createPlace, openService } from '../flow/place.ts';

const files: Record<string, string> = {
  'plain.txt': 'an ordinary file',
  'ends.txt': 'its link has an end',
  'followed.txt': 'its downloads are reported',
  'monitored.txt': 'its link is read back',
  'recalled.txt': 'its link is dead',
  id_rsa: 'this is no key, but its name looks like one',
  'old.pem': 'held, and then cancelled',
  'let go.pem': 'held, and then let go by a person',
  'reports/Q3.csv': 'month,downloads\nJuly,12\n',
  'ignored.part': 'half of a download',
};

const service = await openService();
const place = await createPlace(service);
const run = async (...args: string[]): Promise<void> => {
  const { code, stdout, stderr } = await place.run(args);
  if (code !== 0 && code !== 8) throw new Error(`${args.join(' ')}: ${String(code)} ${stdout} ${stderr}`);
};
const at = (name: string): string => path.join(place.folder, name);
const heldIds = async (): Promise<Record<string, string>> => {
  const { lines } = await place.json(['held']);
  return Object.fromEntries(
    lines.map((line) => [path.basename(String(line['path'])), String(line['queueId'])]),
  );
};

for (const [name, content] of Object.entries(files)) await place.put(name, content);
// All that later versions no longer have, in use.
for (const [name, value] of Object.entries({
  auditFile: path.join(place.root, 'audit.jsonl'),
  auditSystemLog: 'true',
  releaseWatch: '6',
  settleMs: '1',
  answerTimeoutMs: '60000',
  reconcileAfterMs: '900000',
  onAmbiguous: 'adopt-verified',
  concurrentUploads: '3',
  requestShare: '0.9',
  requestsPerMinute: '5000',
  requestsPerDay: '1000000',
}))
  await run('settings', 'set', name, value);
await run('watch', place.folder, '--once', '--existing', 'upload');
const held = await heldIds();
await run('cancel', held['old.pem'] ?? '');
await run('confirm', held['let go.pem'] ?? '');
await run('watch', '--once');
await run('expire', at('ends.txt'), '3650d');
await run('follow', at('followed.txt'));
await run('verify', '--watch', at('monitored.txt'));
await run('recall', at('recalled.txt'));
await run('upload', '--zip', '--name', 'both.zip', at('plain.txt'), at('reports'));

const answers: Record<string, unknown> = {};
const asked = [
  ['status'],
  ['held'],
  ['follow'],
  ['link', 'both.zip'],
  ...Object.keys(files).flatMap((name) => [
    ['why', at(name)],
    ...(name.includes('/') ? [] : [['link', name]]),
  ]),
];
for (const args of asked) {
  const { code, lines } = await place.json(args);
  answers[args.join(' ').replaceAll(place.folder, 'FOLDER')] = { code, lines };
}
const copy = path.join(place.root, 'copy.sqlite');
const sqlite = new DatabaseSync(path.join(place.home, 'ledger.sqlite'));
sqlite.prepare('VACUUM INTO ?').run(copy);
sqlite.close();
const home = {
  folder: place.folder,
  files,
  settings: readFileSync(path.join(place.home, 'settings.json'), 'utf8'),
  ledger: readFileSync(copy).toString('base64'),
  answers,
};
writeFileSync(process.argv[2] ?? 'home.json.gz', gzipSync(JSON.stringify(home)));
await place.remove();
await service.close();
