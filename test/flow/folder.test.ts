// One watched folder and everything that people and programs do in it. The tests share one running watch; each works
// on its own files, and in the end the five counts must still add up to the files in the folder.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  open,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { countThings, sum } from '../support/flow/place.ts';
import { startWatcher, type Watcher } from '../support/flow/watcher.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

let watcher: Watcher;
const at = (...names: string[]): string => path.join(place.folder, ...names);

const service = await ownService();
const place = await ownPlace(service, {
  rate: 5,
  settings: { ignore: ['*.log', '!keep.log', 'ignored/', '!*.part'] },
});
beforeAll(async () => {
  await place.put('before.txt', 'here before the folder was chosen');
  await place.put('old/deep.txt', 'here before as well');
  watcher = await startWatcher(place, service);
});
afterAll(async () => {
  await watcher.stop();
});

test('files from before the folder was chosen are listed, not uploaded, even after they are renamed or touched', async () => {
  expect((await place.json(['why', at('before.txt')])).lines[0]?.['state']).toBe('skipped');
  await rename(at('before.txt'), at('before renamed.txt'));
  await rename(at('old'), at('older'));
  await utimes(at('older', 'deep.txt'), new Date(), new Date());
  await watcher.caughtUp();
  expect(storedAs(service, 'here before the folder was chosen')).toHaveLength(0);
  expect(storedAs(service, 'here before as well')).toHaveLength(0);
});

test('a slow writer’s file is uploaded once, when it is complete', async () => {
  const file = await open(at('slow.txt'), 'w');
  for (let part = 0; part < 4; part += 1) {
    await file.write(`part ${part}\n`);
    await pause(300);
  }
  await file.close();
  await watcher.uploaded('part 0\npart 1\npart 2\npart 3\n');
  expect(service.files().filter((each) => each.filename === 'slow.txt')).toHaveLength(1);
});

test('an atomic save is uploaded as its newest version, and the temporary name never is', async () => {
  await writeFile(at('doc.txt'), 'doc, first version');
  await watcher.uploaded('doc, first version');
  await writeFile(at('doc.txt.tmp'), 'doc, second version');
  await rename(at('doc.txt.tmp'), at('doc.txt'));
  const link = await watcher.uploaded('doc, second version');
  await watcher.caughtUp();
  expect(
    service
      .files()
      .map((file) => file.filename)
      .filter((name) => name.startsWith('doc')),
  ).toEqual(['doc.txt', 'doc.txt']);
  expect((await place.run(['why', at('doc.txt')])).stdout).toBe(`Uploaded: ${link}\n`);
  // The old version keeps its link until its owner deletes it.
  expect(storedAs(service, 'doc, first version')).toHaveLength(1);
});

test('a download is uploaded when its browser gives it its final name', async () => {
  const part = await open(at('film.mkv.crdownload'), 'w');
  await part.write('first half, ');
  await watcher.told('skipped', 'film.mkv.crdownload');
  await part.write('second half');
  await part.close();
  await rename(at('film.mkv.crdownload'), at('film.mkv'));
  await watcher.uploaded('first half, second half');
  expect(service.files().some((file) => file.filename.endsWith('crdownload'))).toBe(false);
});

test('folders made and filled at once, and a folder moved in from elsewhere, are uploaded whole', async () => {
  const contents: string[] = [];
  await mkdir(at('n1/n2/n3/n4'), { recursive: true });
  for (const dir of ['n1', 'n1/n2', 'n1/n2/n3', 'n1/n2/n3/n4']) {
    contents.push(`in ${dir}`);
    await writeFile(at(dir, 'file.txt'), `in ${dir}`);
  }
  await mkdir(path.join(place.root, 'elsewhere/deeper'), { recursive: true });
  await writeFile(path.join(place.root, 'elsewhere/deeper/moved.txt'), 'moved in with its folder');
  await rename(path.join(place.root, 'elsewhere'), at('moved in'));
  for (const content of [...contents, 'moved in with its folder']) {
    await watcher.uploaded(content);
    expect(storedAs(service, content)).toHaveLength(1);
  }
});

test('a file that is replaced, appended to, cut or removed during its upload: its last version is uploaded once and whole', async () => {
  const size = 16_000_000;
  const changes: Record<string, (file: string) => Promise<void>> = {
    'replaced.bin': async (file) => {
      await writeFile(path.join(place.root, 'new'), 'the replacement');
      await rename(path.join(place.root, 'new'), file);
    },
    'appended.bin': (file) => appendFile(file, 'and more'),
    'cut.bin': (file) => truncate(file, 1000),
    'removed.bin': unlink,
  };
  const names = Object.keys(changes);
  // The first time each of them is tried; then they go fast.
  const fault = { kind: 'drip-read', bytesPerSecond: 2_000_000 } as const;
  service.faults.add({ match: { path: '/files/upload' }, times: names.length, fault });
  await Promise.all(
    Object.entries(changes).map(async ([name, change], index) => {
      await writeFile(at(name), Buffer.alloc(size, index + 1));
      await eventually('it is on its way', () =>
        uploads(service).some((each) => each.filename === name && each.bytes > 200_000),
      );
      await change(at(name));
    }),
  );
  await watcher.uploaded('the replacement');
  await watcher.uploaded(Buffer.concat([Buffer.alloc(size, 2), Buffer.from('and more')]));
  await watcher.uploaded(Buffer.alloc(1000, 3));
  await watcher.caughtUp();
  const stored = service.files().filter((file) => names.includes(file.filename));
  expect(stored.map((file) => file.filename).toSorted()).toEqual(['appended.bin', 'cut.bin', 'replaced.bin']);
});

test('symbolic links, pipes and sockets are never opened, and listed as skipped', async () => {
  const outside = path.join(place.root, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'private.txt'), 'nobody shall see this');
  await symlink(path.join(outside, 'private.txt'), at('link.txt'));
  await symlink(outside, at('linked folder'));
  await symlink(place.folder, at('loop'));
  await symlink('/nowhere', at('dangling'));
  execFileSync('mkfifo', [at('pipe')]);
  const server = createServer().listen(at('socket'));
  await once(server, 'listening');
  for (const name of ['link.txt', 'linked folder', 'loop', 'dangling']) {
    expect((await watcher.told('skipped', `/${name}`))['rule']).toBe('link');
  }
  for (const name of ['pipe', 'socket'])
    expect((await watcher.told('skipped', `/${name}`))['rule']).toBe('special');
  await watcher.caughtUp();
  expect(storedAs(service, 'nobody shall see this')).toHaveLength(0);
  server.close();
});

test('a folder swapped for a symbolic link to the outside lets nothing out', async () => {
  await place.put('swapped/inside.txt', 'inside');
  await watcher.uploaded('inside');
  const outside = path.join(place.root, 'outside too');
  await mkdir(outside);
  await writeFile(path.join(outside, 'inside.txt'), 'outside, not for sharing');
  await writeFile(path.join(outside, 'another.txt'), 'outside as well');
  await rename(at('swapped'), path.join(place.root, 'taken away'));
  await symlink(outside, at('swapped'));
  await writeFile(path.join(outside, 'late.txt'), 'written through the link');
  await watcher.caughtUp();
  for (const content of ['outside, not for sharing', 'outside as well', 'written through the link']) {
    expect(storedAs(service, content)).toHaveLength(0);
  }
});

test('a copy of a shared file is offered the same link, without a request', async () => {
  await writeFile(at('shared.txt'), 'shared once');
  const link = await watcher.uploaded('shared once');
  const before = service.requests().length;
  await writeFile(at('copy of shared.txt'), 'shared once');
  expect(await watcher.told('skipped', 'copy of shared.txt')).toMatchObject({
    rule: 'already-shared',
    public_link: link,
  });
  expect(service.requests()).toHaveLength(before);
});

test('a renamed or moved file is followed, a touched one left alone, a changed one uploaded again', async () => {
  await writeFile(at('wanders.txt'), 'wanders about');
  const link = await watcher.uploaded('wanders about');
  await watcher.told('uploaded', 'wanders.txt');
  await rename(at('wanders.txt'), at('wandered.txt'));
  await mkdir(at('away'));
  await watcher.caughtUp();
  await rename(at('wandered.txt'), at('away', 'far.txt'));
  await rename(at('away'), at('further away'));
  await utimes(at('further away', 'far.txt'), new Date(), new Date());
  await watcher.caughtUp();
  expect(storedAs(service, 'wanders about')).toHaveLength(1);
  const why = await eventually('the ledger has followed it', async () => {
    const { stdout } = await place.run(['why', at('further away', 'far.txt')]);
    return stdout.startsWith('Uploaded') ? stdout : undefined;
  });
  expect(why).toBe(`Uploaded: ${link}\n`);
  await appendFile(at('further away', 'far.txt'), ', and grows');
  await watcher.uploaded('wanders about, and grows');
  expect(storedAs(service, 'wanders about')).toHaveLength(1);
});

test('deleting a file or a whole folder here deletes nothing at the service', async () => {
  await place.put('doomed/one.txt', 'doomed one');
  await place.put('doomed/two.txt', 'doomed two');
  await watcher.uploaded('doomed one');
  await watcher.uploaded('doomed two');
  await watcher.caughtUp();
  await rm(at('doomed'), { recursive: true });
  await watcher.caughtUp();
  expect(storedAs(service, 'doomed one')).toHaveLength(1);
  expect(service.requests().some((request) => request.method === 'DELETE')).toBe(false);
});

test('hidden, empty and ignored files are skipped with their rule, negated patterns are let through', async () => {
  const cases = {
    '.hidden.txt': 'hidden',
    '.folder/inside.txt': 'hidden',
    'empty.txt': 'empty',
    'trace.log': 'ignored',
    'ignored/any.txt': 'ignored',
    '~$letter.docx': 'temporary',
    'half.download': 'partial',
  };
  for (const name of Object.keys(cases))
    await place.put(name, name === 'empty.txt' ? '' : `content of ${name}`);
  for (const name of ['keep.log', 'wanted.part']) {
    await place.put(name, `content of ${name}`);
    await watcher.uploaded(`content of ${name}`);
  }
  for (const [name, rule] of Object.entries(cases)) {
    expect((await watcher.told('skipped', name))['rule'], name).toBe(rule);
    expect(storedAs(service, `content of ${name}`)).toHaveLength(0);
  }
});

test('in the end the five counts add up to the files in the folder, and nothing is uploaded twice', async () => {
  await watcher.caughtUp();
  const counts = await place.counts();
  expect(counts.waiting, watcher.running.stdout().slice(-2000)).toBe(0);
  expect(sum(counts)).toBe(await countThings(place.folder));
  expect(counts.failed).toBe(0);
  const digests = service.files().map((file) => file.sha256);
  expect(new Set(digests).size).toBe(digests.length);
  expect(service.violations()).toBe(0);
});
