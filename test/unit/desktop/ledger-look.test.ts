// What the shell looks up in the ledger.
import { expect, test } from 'vitest';
import { createLedgerLook } from '../../../src-main/desktop/ledger-look.ts';
import { begin, dayMs, hourMs } from '../../support/fake-world.ts';

test('the link of another machine that this one ends has no path here', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('report.pdf', 'the report');
  const line = {
    ...{ line: 1, fileId: file.fileId, publicLink: file.link, filename: file.name, size: null },
    ...{ sizeBytes: 10, sha256: file.sha256, uploadedAtMs: file.atMs, uploadDate: null },
    expiresAtMs: world.clock.wallMs() + dayMs,
  };
  await run.call('files.import', { files: [line], takeExpiry: true });
  const id = world.ledger.uploads.byFileId(file.fileId)?.id ?? 0;
  const look = createLedgerLook(world.ledger, world.settings);
  expect([look.link({ uploadId: id })?.link, look.path(id)]).toEqual([file.link, null]);
});

test('a file that took over the link of a moved one does not offer it while it is taken back', async () => {
  const { world, run } = await begin();
  world.disk.write('/tray/a.txt', 'same');
  const { id: queueId, publicLink } = await world.until('a.txt', 'uploaded', hourMs);
  world.disk.remove('/tray/a.txt');
  world.disk.write('/tray/b.txt', 'same');
  const [given] = await run.call('files.upload', { paths: ['/tray/b.txt'] });
  const id = given?.upload?.id ?? 0;
  await world.clock.advance(hourMs);
  const look = createLedgerLook(world.ledger, world.settings);
  const offered = () => [look.standing(id).link?.link, look.link({ uploadId: id })?.link];
  expect(offered()).toEqual([publicLink, publicLink]);
  world.service.refuse = { code: 'refused', status: 409 };
  await run.call('files.recall', { files: [{ queueId }] });
  expect(offered()).toEqual([undefined, undefined]);
});

test('a file that became part of another row is where that row is, and has not left', async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  const row = await world.put('b.png', 'content', 'ready');
  const merged = { ...row, id: 99, state: { kind: 'gone' as const } };
  const byId = (id: number) => (id === merged.id ? merged : world.ledger.uploads.byId(id));
  const ledger = { ...world.ledger, uploads: { ...world.ledger.uploads, byId } };
  const look = createLedgerLook(ledger, world.settings);
  expect(look.standing(99)).toMatchObject({ isGoing: true, isGone: false, link: null });
  await run.call('queue.cancel', { ids: [row.id] });
  expect(look.standing(99)).toMatchObject({ isGoing: false, isGone: false, link: null });
  world.disk.remove('/tray/b.png');
  await world.clock.advance(hourMs);
  expect(look.standing(99)).toMatchObject({ isGoing: false, isGone: true });
});
