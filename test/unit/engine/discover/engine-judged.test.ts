// A restart does not judge every name again when the rules are those of the last whole scan. Whatever happened while
// no engine ran, files that the rules forbid are not uploaded, and files that they allow are.
import { describe, expect, test } from 'vitest';
import { begin, createWorld, hourMs, minuteMs, type World } from '../../../support/fake-world.ts';

const closed = ['*.log', '*.txt'];
const open = ['*.log'];

/** A folder with a shared file, a file that the rules skip, and a subfolder with another such file. */
const begun = async (): Promise<World> => {
  const world = createWorld({ settings: { ignore: closed } });
  world.disk.hints(false);
  world.disk.make('/tray/sub', 'folder');
  await world.start();
  world.disk.write('/tray/a.txt', 'a');
  world.disk.write('/tray/sub/b.txt', 'b');
  world.disk.write('/tray/c.pdf', 'c');
  await scan(world);
  expect(world.service.namesOf()).toEqual(['c.pdf']);
  return world;
};

const scan = async (world: World): Promise<void> => {
  await world.running().call('folder.scan', {});
  await world.clock.advance(minuteMs);
};
const restart = async (world: World): Promise<void> => {
  if (!world.running().life.isOver()) await world.running().stop();
  await world.start();
  await world.clock.advance(minuteMs);
};
const setRules = (world: World, ignore: string[]) => world.settings.set('ignore', ignore);
const shared = (world: World): string[] => world.service.namesOf().toSorted();

describe('names are judged again', () => {
  test('by rules that changed while nothing ran, unless they were changed back', async () => {
    const world = await begun();
    await world.running().stop();
    await setRules(world, open);
    await setRules(world, closed);
    await restart(world);
    expect(shared(world)).toEqual(['c.pdf']);
    await world.running().stop();
    await setRules(world, open);
    await restart(world);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf']);
  });

  test('by restored rules, after other rules had judged files that arrived meanwhile', async () => {
    const world = await begun();
    await setRules(world, open);
    await world.clock.advance(minuteMs);
    await setRules(world, ['*.log', '*.zip']);
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/d.zip', 'd');
    await scan(world);
    await world.running().stop();
    await setRules(world, open);
    await restart(world);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf', 'd.zip']);
  });

  test('in a folder that could not be read when the rules changed', async () => {
    const world = await begun();
    world.disk.hide('/tray/sub', true);
    await setRules(world, open);
    await world.clock.advance(minuteMs);
    expect(shared(world)).toEqual(['a.txt', 'c.pdf']);
    await restart(world);
    world.disk.hide('/tray/sub', false);
    await world.clock.advance(2 * hourMs);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf']);
  });

  test('in a folder that was unreadable for as long as other rules were in force', async () => {
    const world = await begun();
    world.disk.hide('/tray/sub', true);
    await setRules(world, open);
    await scan(world);
    await setRules(world, closed);
    await scan(world);
    world.disk.hide('/tray/sub', false);
    await restart(world);
    expect(shared(world)).toEqual(['a.txt', 'c.pdf']);
    await setRules(world, open);
    await world.clock.advance(minuteMs);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf']);
  });

  test('by rules that changed while the folder was away', async () => {
    const world = await begun();
    world.disk.mount('gone');
    await scan(world);
    expect(world.running().engine.status().folderAvailable).toBe(false);
    await setRules(world, [...closed, '*.pdf']);
    await world.clock.advance(minuteMs);
    world.disk.mount('here');
    world.disk.write('/tray/e.pdf', 'not for the public');
    await world.clock.advance(2 * hourMs);
    expect(shared(world)).toEqual(['c.pdf']);
    await setRules(world, open);
    await world.clock.advance(hourMs);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf', 'e.pdf']);
  });

  test('in a folder that is chosen again after another one', async () => {
    const world = await begun();
    const { files } = world.disk;
    const identify = files.identify.bind(files);
    files.identify = async (folder) => (folder === '/other' ? '/other#1' : await identify(folder));
    world.disk.make('/other', 'folder');
    await world.running().call('folder.choose', { folder: '/other', existing: 'skip' });
    await setRules(world, open);
    await world.clock.advance(minuteMs);
    world.disk.write('/other/f.txt', 'f');
    await scan(world);
    expect(shared(world)).toEqual(['c.pdf', 'f.txt']);
    await world.running().call('folder.choose', { folder: '/tray', existing: 'skip' });
    await world.clock.advance(minuteMs);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf', 'f.txt']);
    await setRules(world, closed);
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/g.txt', 'not for the public');
    await restart(world);
    expect(shared(world)).toEqual(['a.txt', 'b.txt', 'c.pdf', 'f.txt']);
  });

  test('by the current rules, when two changes follow each other and the disk is slow for the first', async () => {
    const world = await begun();
    const { files } = world.disk;
    const identify = files.identify.bind(files);
    let slow = 1;
    files.identify = async (folder) => {
      slow -= 1;
      if (slow === 0) await new Promise<void>((next) => void world.clock.after(5000, next));
      return await identify(folder);
    };
    await setRules(world, open);
    await setRules(world, closed);
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/h.txt', 'not for the public');
    await scan(world);
    await world.clock.advance(hourMs);
    expect(shared(world)).toEqual(['c.pdf']);
  });
});

describe('a process that is killed', () => {
  test('after the rules changed in the middle of its scan leaves no file judged only by those rules', async () => {
    const world = await begun();
    const { list } = world.disk.files;
    let isSlow = true;
    world.disk.files.list = async (folder) => {
      if (isSlow && folder === '/tray/sub') {
        await new Promise<void>((next) => void world.clock.after(5000, next));
        isSlow = false;
      }
      // The scan by the next rules does not end.
      return folder === '/tray/sub/last' ? await new Promise(() => undefined) : await list(folder);
    };
    world.disk.make('/tray/sub/last', 'folder');
    const run = world.running();
    await run.call('folder.scan', {});
    await world.clock.advance(1000);
    await setRules(world, ['*.log', '*.zip']);
    world.disk.write('/tray/sub/j.zip', 'j');
    await world.clock.advance(10_000);
    expect(world.row('j.zip').state).toMatchObject({ kind: 'skipped', rule: 'ignored' });
    run.life.kill();
    world.disk.files.list = list;
    await setRules(world, closed);
    await restart(world);
    expect(shared(world)).toEqual(['c.pdf', 'j.zip']);
  });

  test('after a hint, before its first scan, leaves no file judged only by the rules of that moment', async () => {
    const world = await begun();
    await world.running().stop();
    const { start } = world.disk.watch;
    world.disk.watch.start = async (options) => {
      const watch = await start(options);
      options.sighted([{ folder: '/tray', name: 'i.zip' }]);
      await new Promise<void>((next) => void world.clock.after(5000, next));
      return watch;
    };
    world.disk.write('/tray/i.zip', 'i');
    await setRules(world, ['*.log', '*.zip']);
    const run = world.make();
    run.engine.start({ folder: '/tray', existing: 'skip' }).catch(() => undefined);
    await world.clock.advance(1000);
    expect(world.row('i.zip').state).toMatchObject({ kind: 'skipped', rule: 'ignored' });
    run.life.kill();
    world.disk.watch.start = start;
    await setRules(world, closed);
    await restart(world);
    expect(shared(world)).toEqual(['c.pdf', 'i.zip']);
  });

  const judgedAgain = async (kill: { commit: number; when: 'before' | 'after' } | null) => {
    const world = await begun();
    await world.running().stop();
    await setRules(world, open);
    const run = world.make();
    const before = run.life.commits();
    if (kill !== null) run.life.killAt(kill.commit, kill.when);
    const start = run.engine.start({ folder: '/tray', existing: 'skip' });
    start.catch(() => undefined);
    await world.clock.advance(5 * minuteMs);
    return { world, run, commits: run.life.commits() - before };
  };

  test('at any commit of judging names again loses no file, and uploads no file that restored rules skip', async () => {
    const { commits, world: whole } = await judgedAgain(null);
    expect(shared(whole)).toEqual(['a.txt', 'b.txt', 'c.pdf']);
    const isFull = process.env['OUTTRAY_FULL'] === '1';
    for (let commit = 1; commit <= commits; commit += isFull ? 1 : 3) {
      for (const when of isFull ? (['before', 'after'] as const) : (['after'] as const)) {
        const at = `killed ${when} commit ${commit}`;
        const { world, run } = await judgedAgain({ commit, when });
        expect(run.life.isOver(), at).toBe(true);
        await setRules(world, closed);
        world.disk.write('/tray/late.txt', 'not for the public');
        await restart(world);
        expect(shared(world), at).not.toContain('late.txt');
        await world.running().stop();
        await setRules(world, open);
        await restart(world);
        await world.clock.advance(2 * hourMs);
        expect(shared(world), at).toEqual(['a.txt', 'b.txt', 'c.pdf', 'late.txt']);
      }
    }
  });
});

test.each(['/tray/record.jsonl', '/tray/sub/[a] b!.jsonl'])(
  'the audit file %s and its full ones are never shared, whatever the patterns say; other files in the folder are',
  async (auditFile) => {
    const world = createWorld({ settings: { auditFile, ignore: ['!*.jsonl*'] } });
    world.disk.hints(false);
    world.disk.make('/tray/sub', 'folder');
    await world.start();
    for (const path of [auditFile, `${auditFile}.20261125T140000Z`, '/tray/x record.jsonl'])
      world.disk.write(path, path);
    await scan(world);
    expect(shared(world)).toEqual(['x record.jsonl']);
    const { skipped } = await world.running().call('folder.inspect', { folder: '/tray' });
    expect(skipped.totalFiles).toBe(2);
    await world.settings.set('auditFile', '/elsewhere/record.jsonl');
    await world.clock.advance(minuteMs);
    expect(shared(world)).toHaveLength(3);
  },
);

describe('while a slow disk keeps discovery busy,', () => {
  /** Discovery looks at a file that does not answer for an hour. */
  const busy = async (world: World): Promise<void> => {
    const { look } = world.disk.files;
    world.disk.files.look = async (file) => {
      if (file.endsWith('slow.txt')) await new Promise<void>((next) => world.clock.after(hourMs, next));
      return await look(file);
    };
    world.disk.write('/tray/slow.txt', 'x');
    await world.clock.advance(minuteMs);
  };
  test.each([
    ['ignore', ['*.log'], 'a.log', 'ignored'],
    ['ignore', ['a.*'], 'sub/a.log', 'ignored'],
    ['includeHidden', false, '.a.log', 'hidden'],
    ['includeHidden', false, '.sub/a.log', 'hidden'],
    ['includeEmpty', false, 'empty.log', 'empty'],
    ['recursive', false, 'sub/a.log', null],
    ['holdSecrets', true, 'id_rsa', 'secret-name'],
  ] as const)('a ready file that %s = %j keeps out is not sent: %s', async (name, value, file, rule) => {
    const { world, run } = await begin({
      settings: { includeHidden: true, includeEmpty: true, holdSecrets: false },
    });
    await run.call('queue.pause', { untilMs: null });
    for (const folder of ['sub', '.sub']) world.disk.make(`/tray/${folder}`, 'folder');
    world.disk.write(`/tray/${file}`, file.startsWith('empty') ? '' : 'some text');
    const { id } = await world.until(file.slice(file.lastIndexOf('/') + 1), 'ready');
    await busy(world);
    await world.settings.set(name, value);
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
    await world.clock.advance(2 * hourMs);
    expect(world.service.namesOf()).toEqual(['slow.txt']);
    const { state } = world.rows().find((row) => row.id === id) ?? {};
    if (rule === null) expect(state).toEqual({ kind: 'gone' });
    else if (rule === 'secret-name') expect(state).toEqual({ kind: 'held', reason: rule });
    else expect(state).toMatchObject({ kind: 'skipped', rule });
  });

  test('a file that a person let go in spite of such a rule is sent', async () => {
    const { world, run } = await begin();
    await world.settings.set('ignore', ['*.log']);
    const { id } = await world.put('a.log', 'some text', 'skipped');
    await run.call('queue.pause', { untilMs: null });
    await run.call('queue.confirm', { ids: [id] });
    await world.until('a.log', 'ready');
    await busy(world);
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
  });
});
