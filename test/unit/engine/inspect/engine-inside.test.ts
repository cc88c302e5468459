// Look inside: a text with a possible secret is held with its rule and line before it becomes public. One confirmation by
// a person releases this content, and a long search delays nothing else.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';
import { createFakeInspect } from '../../../support/fake-ports.ts';

const secret = 'first line\nthe SECRET line';
const held = { kind: 'held', reason: 'secret-content', rule: 'word', line: 2 };

describe('a text with a secret', () => {
  test('is held with its rule and its line, and nothing of it is sent', async () => {
    const { world, run } = await begin();
    const row = await world.put('notes.txt', secret, 'held');
    expect(row.state).toEqual(held);
    await world.clock.advance(hourMs);
    expect(world.service.requests.map(({ kind }) => kind)).not.toContain('upload');
    expect(run.entries().at(-1)?.body).toEqual(held);
  });

  test('is held for a secret far from its beginning', async () => {
    const { world } = await begin();
    const row = await world.put('long.txt', `${'a line of a log\n'.repeat(20_000)}the SECRET line`, 'held');
    expect(row.state).toEqual({ ...held, line: 20_001 });
  });

  test('is uploaded when a person confirms it', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('notes.txt', secret, 'held');
    await run.call('queue.confirm', { ids: [id] });
    await world.until('notes.txt', 'uploaded');
    expect(world.service.stored).toHaveLength(1);
  });

  test('that was confirmed is not held again under another name, or after a restart', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('notes.txt', secret, 'held');
    await run.call('queue.confirm', { ids: [id] });
    const { fileId } = await world.until('notes.txt', 'uploaded');
    await run.call('files.delete', { fileIds: [fileId ?? 0] });
    await run.stop();
    const next = await world.start();
    world.disk.write('/elsewhere/copy.txt', secret);
    await next.call('files.upload', { paths: ['/elsewhere/copy.txt'], again: true });
    await world.until('copy.txt', 'uploaded');
  });

  test('is held again when its content changes', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('notes.txt', secret, 'held');
    await run.call('queue.confirm', { ids: [id] });
    await world.until('notes.txt', 'uploaded');
    await world.put('notes.txt', `${secret} and another`, 'held');
  });

  test('is held although its file was confirmed as one of many', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 2 } });
    for (const name of ['a.txt', 'b.txt', 'c.txt']) world.disk.write(`/tray/${name}`, `${secret} ${name}`);
    const { id } = await world.until('c.txt', 'held');
    expect(world.row('c.txt').state).toEqual({ kind: 'held', reason: 'burst' });
    await run.call('queue.confirm', { ids: [id] });
    await world.clock.advance(minuteMs);
    expect(world.row('c.txt').state).toEqual(held);
  });

  test('is held only once when its name looks like a secret, too', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('id_rsa', secret, 'held');
    expect(world.row('id_rsa').state).toEqual({ kind: 'held', reason: 'secret-name' });
    await run.call('queue.confirm', { ids: [id] });
    await world.until('id_rsa', 'uploaded');
  });

  test('is not held again under a plain name after its secret name was confirmed', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('id_rsa', secret, 'held');
    await run.call('queue.pause', { untilMs: null });
    await run.call('queue.confirm', { ids: [id] });
    world.disk.rename('/tray/id_rsa', '/tray/notes.txt');
    await world.until('notes.txt', 'ready');
  });

  test('stays held under a secret name when only a copy with a plain name was confirmed', async () => {
    const { world, run } = await begin();
    const named = await world.put('id_rsa', secret, 'held');
    await world.clock.advance(minuteMs);
    const plain = await world.put('plain.txt', secret, 'held');
    expect(plain.state).toEqual({ kind: 'held', reason: 'secret-name' });
    await run.call('queue.confirm', { ids: [plain.id] });
    await world.clock.advance(minuteMs);
    expect(world.row('plain.txt').state).toEqual(held);
    world.disk.touch('/tray/id_rsa');
    await world.clock.advance(minuteMs);
    expect(world.row('id_rsa')).toMatchObject({ id: named.id, state: held });
    expect(world.service.stored).toEqual([]);
    await run.call('queue.confirm', { ids: [named.id] });
    await world.until('id_rsa', 'uploaded');
  });

  test('is held when it is given by path, even for another upload', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/notes.txt', secret);
    await run.call('files.upload', { paths: ['/elsewhere/notes.txt'], again: true });
    expect((await world.until('notes.txt', 'held')).state).toEqual(held);
  });

  test('is uploaded when the setting is off', async () => {
    const { world } = await begin({ settings: { lookInside: false } });
    await world.put('notes.txt', secret, 'uploaded');
  });

  test('that has its link already keeps it under a new name', async () => {
    const { world } = await begin({ settings: { lookInside: false } });
    await share(world, 'notes.txt', secret);
    await world.settings.set('lookInside', true);
    world.disk.rename('/tray/notes.txt', '/tray/renamed.txt');
    await world.clock.advance(minuteMs);
    const there = world.rows().filter(({ present }) => present);
    expect(there).toMatchObject([{ name: 'renamed.txt', state: { kind: 'uploaded' } }]);
    expect(world.service.stored).toHaveLength(1);
  });
});

test('a file that is not text is not searched', async () => {
  const { world } = await begin();
  await world.put('picture.bin', `${'\u0001\u0002'.repeat(100)}SECRET`, 'uploaded');
});

test('a text that cannot be searched in time is held', async () => {
  const { world } = await begin();
  await world.put('odd.txt', 'ENDLESS', 'held');
  expect(world.row('odd.txt').state).toEqual({ ...held, rule: 'not-read', line: null });
});

/** Searches of a text with this word end only when the test ends them. */
const slowLooks = (world: World, word: string): (() => void) => {
  const quick = createFakeInspect();
  const opened = Promise.withResolvers<undefined>();
  world.inspect.findIn = async (content) => {
    if (Buffer.from(content.bytes).includes(word)) await opened.promise;
    return await quick.findIn(content);
  };
  return () => opened.resolve(undefined);
};

describe('a search that takes long', () => {
  test('does not delay other files', async () => {
    const { world } = await begin();
    const end = slowLooks(world, 'slow');
    await world.put('slow.txt', 'slow', 'settling');
    await world.clock.advance(1000);
    await world.put('quick.txt', 'quick', 'uploaded', 2000);
    expect(world.row('slow.txt').state.kind).toBe('settling');
    end();
    await world.until('slow.txt', 'uploaded', 2000);
  });

  test('is not used for a version that arrives meanwhile', async () => {
    const { world } = await begin();
    const end = slowLooks(world, 'first');
    await world.put('a.txt', 'first version', 'settling');
    await world.clock.advance(1000);
    world.disk.write('/tray/a.txt', secret);
    await world.clock.advance(1000);
    end();
    expect((await world.until('a.txt', 'held')).state).toEqual(held);
    expect(world.service.stored).toEqual([]);
  });

  test('is discarded when its file is cancelled, and resumed when that is undone', async () => {
    const { world, run } = await begin();
    const end = slowLooks(world, 'slow');
    const { id } = await world.put('slow.txt', 'slow SECRET', 'settling');
    await world.clock.advance(1000);
    await run.call('queue.cancel', { ids: [id] });
    end();
    await world.clock.advance(minuteMs);
    expect(world.row('slow.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    await run.call('queue.undo', {});
    expect((await world.until('slow.txt', 'held')).state).toEqual({ ...held, line: 1 });
  });

  test('is repeated by the next process', async () => {
    const { world, run } = await begin();
    slowLooks(world, 'slow');
    await world.put('slow.txt', 'slow SECRET', 'settling');
    await world.clock.advance(1000);
    run.life.kill();
    world.inspect.findIn = createFakeInspect().findIn;
    await world.start();
    await world.until('slow.txt', 'held');
  });
});

test('a secret and an empty file do not wait until each file that is given with them is judged', async () => {
  const { world, run } = await begin();
  const { look } = world.disk.files;
  world.disk.files.look = async (path) => {
    // Each file is asked for this neighbour when it is judged.
    if (path.endsWith('.aria2')) await new Promise<void>((judged) => world.clock.after(10, judged));
    return await look(path);
  };
  const given = Array.from(
    { length: 300 },
    (_, at) => [`${String(at)}.txt`, 'harmless, and longer'] as const,
  );
  for (const [name, text] of [...given, ['notes.txt', 'SECRET'] as const, ['none.txt', ''] as const])
    world.disk.write(`/elsewhere/${name}`, text);
  const names = [...given.map(([name]) => name), 'notes.txt', 'none.txt'];
  await run.call('files.upload', { paths: names.map((name) => `/elsewhere/${name}`) });
  await world.until('none.txt', 'skipped', 1000);
  await world.until('notes.txt', 'held', 1000);
  expect(world.rows().filter(({ state }) => state.kind === 'settling').length).toBeGreaterThan(100);
});

describe('between its search and its sending', () => {
  test('a file that changes is searched again', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    await world.put('notes.txt', 'harmless', 'ready');
    world.disk.write('/tray/notes.txt', secret);
    await run.call('queue.resume', {});
    expect((await world.until('notes.txt', 'held')).state).toEqual(held);
    expect(world.service.stored).toEqual([]);
  });

  test('a file that changes while hints are lost is not sent', async () => {
    const { world } = await begin();
    const { open } = world.disk.files;
    let opened = 0;
    world.disk.files.open = async (path, root) => {
      opened += 1;
      // The first one is that of the search.
      if (opened === 2) world.disk.write('/tray/notes.txt', secret);
      return await open(path, root);
    };
    expect((await world.put('notes.txt', 'harmless', 'held')).state).toEqual(held);
    expect(world.service.stored).toEqual([]);
  });

  test('a file that changes in its grace period is searched when that is over', async () => {
    const { world } = await begin({ settings: { graceSeconds: 30 } });
    await world.put('notes.txt', 'harmless', 'waiting');
    await world.clock.advance(10_000);
    world.disk.write('/tray/notes.txt', secret);
    expect((await world.until('notes.txt', 'held', hourMs)).state).toEqual(held);
    expect(world.service.stored).toEqual([]);
  });
});

describe('a ready file, when the setting is turned on,', () => {
  test('is searched', async () => {
    const { world, run } = await begin({ settings: { lookInside: false } });
    await run.call('queue.pause', { untilMs: null });
    await world.put('notes.txt', secret, 'ready');
    await run.call('settings.set', { name: 'lookInside', value: true });
    await run.call('queue.resume', {});
    expect((await world.until('notes.txt', 'held')).state).toEqual(held);
    expect(world.service.stored).toEqual([]);
  });

  test('is searched, even if no engine runs meanwhile', async () => {
    const { world, run } = await begin({ settings: { lookInside: false } });
    await run.call('queue.pause', { untilMs: null });
    await world.put('notes.txt', secret, 'ready');
    await run.stop();
    await world.settings.set('lookInside', true);
    const next = await world.start();
    await next.call('queue.resume', {});
    expect((await world.until('notes.txt', 'held')).state).toEqual(held);
  });
});

test.each(['before its upload is asked for', 'while its upload begins'])(
  'a ready file is searched again when a secret becomes known %s',
  async (when) => {
    const { world, run } = await begin();
    const { findIn } = world.inspect;
    // The key cannot be read yet, so it is not found.
    world.inspect.findIn = async () => [];
    await run.call('queue.pause', { untilMs: null });
    await world.put('notes.txt', secret, 'ready');
    // Discovery is busy with a slow disk meanwhile.
    const { open, look } = world.disk.files;
    world.disk.files.look = async (file) => {
      if (file.endsWith('another.txt')) await new Promise<void>((next) => world.clock.after(hourMs, next));
      return await look(file);
    };
    world.disk.write('/tray/another.txt', 'x');
    await world.clock.advance(minuteMs);
    const learn = (): void => {
      world.disk.files.open = open;
      world.inspect.findIn = findIn;
      world.ledger.facts.set('looks-inside', '', world.clock.wallMs());
      run.engine.nudge();
    };
    if (when.startsWith('before')) learn();
    else world.disk.files.open = async (...path) => (learn(), await open(...path));
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
    expect((await world.until('notes.txt', 'held', 3 * hourMs)).state).toEqual(held);
  },
);

test('a file that cannot be opened for its search waits, and is not sent unsearched', async () => {
  const { world } = await begin();
  const { open } = world.disk.files;
  world.disk.files.open = async () => {
    throw new AppError('locked', 'The file is locked.');
  };
  const row = await world.put('notes.txt', secret, 'waiting');
  expect(row.state).toMatchObject({ reason: 'locked' });
  world.disk.files.open = open;
  await world.until('notes.txt', 'held', hourMs);
});

test('a file that changes while it is read is read again', async () => {
  const { world } = await begin();
  const { open } = world.disk.files;
  world.disk.files.open = async (path, root) => {
    world.disk.files.open = open;
    const file = await open(path, root);
    return { ...file, unchanged: async () => false };
  };
  await world.put('notes.txt', secret, 'held');
});

describe('a text that is too large to be searched completely', () => {
  const large = 'a line of a log\n'.repeat(70_000);

  test('is held once if requireLookInside is on', async () => {
    const { world, run } = await begin({ settings: { requireLookInside: true } });
    const row = await world.put('large.txt', large, 'held');
    expect(row.state).toMatchObject({ reason: 'secret-content', rule: 'too-large', line: null });
    const { sentence } = await run.call('file.why', { path: '/tray/large.txt' });
    expect(sentence).toContain('too large to search');
    await run.call('queue.confirm', { ids: [row.id] });
    await world.until('large.txt', 'uploaded');
  });

  test('is uploaded after a search of its beginning if it is off', async () => {
    const { world } = await begin();
    await world.put('large.txt', large, 'uploaded');
  });
});
