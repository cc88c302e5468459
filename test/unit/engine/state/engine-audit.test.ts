// What the audit file records, once each, and what happens while it cannot be written.
import { expect, test } from 'vitest';
import { begin, loseAnswer, share } from '../../../support/fake-world.ts';

const settings = { auditFile: '/audit.jsonl' };

test('a file that becomes public is recorded with its door, content and link', async () => {
  const { world, run } = await begin({ settings });
  await share(world, 'a.txt');
  world.disk.write('/else/b.txt', 'named');
  await run.call('files.upload', { paths: ['/else/b.txt'], door: 'command' });
  await world.until('b.txt', 'uploaded');
  await world.clock.advance(1);
  const [first, second] = world.audit.lines;
  const row = world.row('a.txt');
  expect(world.audit.lines).toHaveLength(2);
  expect(first).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    event: 'public',
    file_id: row.fileId,
    path: '/tray/a.txt',
    filename: 'a.txt',
    size: 5,
    sha256: row.sha256,
    public_link: row.publicLink,
    expiresAt: null,
    door: 'folder',
    reason: null,
    dead: null,
    linkState: null,
    seq: expect.any(Number) as number,
    ledger: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(second).toMatchObject({ event: 'public', path: '/else/b.txt', door: 'command' });
});

test('a link that is taken back, an end that is set and a hold that a person releases are recorded, too', async () => {
  const { world, run } = await begin({ settings });
  const fileId = await share(world, 'a.txt');
  await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 3_600_000 } });
  await run.call('files.recall', { files: [{ fileId }] });
  const { id } = await world.put('id_rsa', 'a key', 'held');
  await run.call('queue.confirm', { ids: [id] });
  await world.until('id_rsa', 'uploaded');
  await world.clock.advance(1);
  expect(world.audit.lines.map(({ event, reason, dead }) => [event, reason, dead])).toEqual([
    ['public', null, null],
    ['expiry', null, null],
    ['recalled', null, true],
    ['confirmed', 'secret-name', null],
    ['public', null, null],
  ]);
});

test('without the setting nothing is recorded, and earlier events are not recorded later', async () => {
  const { world } = await begin();
  await share(world, 'a.txt');
  await world.settings.set('auditFile', '/audit.jsonl');
  await share(world, 'b.txt');
  await world.clock.advance(1);
  expect(world.audit.lines.map(({ filename }) => filename)).toEqual(['b.txt']);
});

test('while the file cannot be written no upload begins, and earlier uploads are recorded when it can', async () => {
  const { world, run } = await begin({ settings });
  world.audit.fail('The audit file cannot be written.');
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(20_000);
  expect(world.row('a.txt').state.kind).toBe('ready');
  expect((await run.call('app.status', {})).gate).toMatchObject({ kind: 'closed', reason: 'audit' });
  expect(run.engine.trouble()?.code).toBe('audit');
  expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toContain('The audit file cannot');
  world.audit.fail(null);
  await world.until('a.txt', 'uploaded', 10_000);
  await world.clock.advance(1);
  expect(world.audit.lines).toHaveLength(1);
  expect((await run.call('app.status', {})).gate.kind).toBe('open');
});

test('a line that failed to be written is written once, and delays the next upload', async () => {
  const { world } = await begin({ settings });
  const { append } = world.audit.port;
  let tries = 0;
  world.audit.port.append = (file, lines) => {
    tries += 1;
    if (tries < 3) world.audit.fail('full');
    else world.audit.fail(null);
    append(file, lines);
  };
  const { check } = world.audit.port;
  world.audit.port.check = (file) => {
    if (tries > 0 && tries < 3) return;
    check(file);
  };
  world.audit.port.lastSeq = (_, ledger) =>
    world.audit.lines.findLast((line) => line.ledger === ledger)?.seq ?? null;
  await share(world, 'a.txt');
  world.disk.write('/tray/b.txt', 'another');
  await world.clock.advance(20_000);
  expect(world.audit.lines.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt']);
});

test('a crash between a line and its note neither doubles nor loses the line', async () => {
  const { world, run } = await begin({ settings });
  await share(world, 'a.txt');
  await world.clock.advance(1);
  const noted = world.ledger.facts.get('audit')?.value;
  run.life.kill();
  // The note was not made.
  if (noted !== undefined) world.ledger.facts.set('audit', { ...noted, seq: 0 }, 0);
  await world.start();
  await share(world, 'b.txt');
  await world.clock.advance(1);
  expect(world.audit.lines.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt']);
});

test('entries that are not yet in the file are not pruned', async () => {
  const { world } = await begin({ settings });
  await share(world, 'a.txt');
  await world.clock.advance(1);
  const noted = world.ledger.facts.get('audit')?.value;
  if (noted === undefined) throw new Error('There is no position.');
  world.ledger.facts.set('audit', { ...noted, seq: 1 }, 0);
  world.ledger.entries.prune(1);
  expect(world.ledger.entries.after(0, 1)[0]?.seq).toBe(2);
  world.ledger.facts.remove('audit');
  world.ledger.entries.prune(1);
  expect(world.ledger.entries.after(0, 10)).toHaveLength(1);
});

test('an older copy of the ledger gets another name, so that its numbers do not count as recorded', async () => {
  const { world, run } = await begin({ settings });
  await share(world, 'a.txt');
  await world.clock.advance(1);
  const [first] = world.audit.lines;
  await run.stop();
  if (first !== undefined) world.audit.lines.push({ ...first, seq: 1_000_000 });
  await world.start();
  await share(world, 'b.txt');
  await world.clock.advance(1);
  const last = world.audit.lines.at(-1);
  expect(last?.filename).toBe('b.txt');
  expect(last?.ledger).not.toBe(first?.ledger);
});

test('an expired link, a deletion, a file that the service lost and an upload without an answer are recorded', async () => {
  const { world, run } = await begin({ settings: { ...settings, expireAfter: '1h' } });
  await share(world, 'ended.txt');
  await world.clock.advance(3_700_000);
  await world.settings.set('expireAfter', 'none');
  const foreign = world.service.addForeign('foreign.txt', 'of another machine');
  await run.call('files.delete', { fileIds: [foreign.fileId] });
  await loseAnswer(world, 'lost.txt', 'lost');
  await world.clock.advance(3_700_000);
  const gone = await share(world, 'gone.txt');
  const stored = world.service.stored.find(({ fileId }) => fileId === gone);
  if (stored !== undefined) stored.deleted = true;
  await world.clock.advance(3_700_000);
  await run.call('files.refresh', {});
  await world.clock.advance(1000);
  const events = world.audit.lines.map(({ event, filename, path }) => [event, filename ?? path]);
  expect(events).toContainEqual(['ended', 'ended.txt']);
  expect(events.map(([event]) => event)).toContain('deleted');
  expect(events).toContainEqual(['gone', 'gone.txt']);
  expect(events.filter(([, name]) => name === 'lost.txt').length).toBeGreaterThan(0);
});
