// A walk through every door: files with odd names, links and contents are given to a whole engine in virtual time, and
// people confirm and refuse. Whatever the service receives is checked against the oracle at the moment of receipt.
import { createHash } from 'node:crypto';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { AppError, toAppError } from '../../../src-main/contract/errors.ts';
import type { Door } from '../../../src-main/contract/model.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { lookAtPhoto } from '../../../src-main/adapters/inspect/photo/photo.ts';
import { sourceOf } from '../../../src-main/adapters/inspect/photo/source.ts';
import { joinPath } from '../../../src-main/engine/shared/paths.ts';
import type { Inspect } from '../../../src-main/engine/ports/files.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import { createWorld, minuteMs, type Running } from '../fake-world.ts';
import { createFakeInspect } from '../fake-ports.ts';
import { createDice } from '../simulation/dice.ts';
import { agentRoots, drawBody, drawName, drawSettings, folders, isQuestion, watched } from './draws.ts';
import { programsOf } from './programs.ts';
import { judgeReceived, markOf, marksIn, type PackedThen, type Walk } from './received.ts';
import { spoilSettings } from './settings-file.ts';
import { createTree } from './tree.ts';

/** Secrets are found by a word; locations by the real inspection, which is quick. */
const inspect: Inspect = {
  ...createFakeInspect(),
  photo: async (file, _head, cutsAll) =>
    lookAtPhoto(sourceOf(await file.head(file.stamp.sizeBytes)), cutsAll),
};

/** Walks `cases` files. The same seed walks the same way. */
export const walkDoors = async (seed: number, cases: number): Promise<Walk> => {
  const dice = createDice(seed);
  let end = async (): Promise<void> => undefined;
  const world = createWorld({
    settings: drawSettings(dice),
    seed,
    inspect,
    whenDone: (given) => {
      end = given;
    },
  });
  const { clock, disk, service, settings, ledger } = world;
  const tree = createTree(disk);
  const walk: Walk = { seed, problems: [], received: 0, trail: [] };
  const note = (text: string): void => void walk.trail.push(text);
  const said = {
    approved: new Set<string>(),
    given: new Set<string>(),
    named: new Set<string>(),
    refused: new Map<string, string>(),
    foreign: new Set<string>(),
  };
  let before = settings.current();
  /** What the person has set, while other settings are in force. */
  let own: Settings | null = null;
  const person = (): Settings => own ?? settings.current();
  let marks = 0;

  // ------------------------------------------------ what is received

  const rootsOf = (roots: readonly string[]): string[] => roots.map(tree.real);
  /** Where the files of a zip lay when it was packed. */
  const zips = new Map<string, PackedThen>();
  judgeReceived({ world, tree, walk, said, zips, before: () => before, person });

  // ------------------------------------------------ files

  const composed = new Map<string, string>();
  const compose = (): string => {
    const text = drawBody(dice)(`#${(marks += 1)}#`);
    composed.set(createHash('sha256').update(text, 'latin1').digest('hex'), text);
    return text;
  };
  let names = 0;
  const newName = (): string => {
    names += 1;
    const name = drawName(dice);
    return /^(id_rsa|\.env)/i.test(name) && dice.happens(0.5) ? name : `${names}${name}`;
  };
  const newPath = (): string => {
    const path = `${dice.pick(folders)}/${newName()}`;
    return tree.isThere(tree.real(path)) ? `${dice.pick(folders)}/${(names += 1)} more.txt` : path;
  };
  const some = (): string | null => {
    const paths = tree.paths().filter((path) => !path.startsWith('/spool/'));
    return paths.length === 0 ? null : dice.pick(paths.slice(-12));
  };

  // ------------------------------------------------ people, agents and programs

  let run: Running = world.make();
  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (toAppError(error).code === 'internal') walk.problems.push(`a fault: ${String(error)}`);
      note(`refused: ${error instanceof AppError ? error.code : String(error)}`);
    }
  };
  const yes = (path: string, again: boolean): void => {
    for (const file of tree.below(path)) {
      // A control file has none before a program writes another content in its place.
      const mark = markOf(tree.text(file)) ?? file;
      said.given.add(mark);
      said.refused.delete(mark);
      if (again) said.approved.add(mark);
    }
  };
  /** Another row of this content waits to go. */
  const isWanted = (mark: string, exceptId: number): boolean =>
    rows().some(
      (row) =>
        row.id !== exceptId &&
        ['ready', 'settling', 'waiting', 'sending'].includes(row.state.kind) &&
        marksIn(disk.text(pathOf(row))).includes(mark),
    );
  const rows = (): Upload[] =>
    (['held', 'ready', 'settling', 'waiting', 'sending', 'skipped', 'failed', 'uploaded'] as const).flatMap(
      (kind) => ledger.uploads.inState(kind, 50),
    );
  const rowOf = (kinds: readonly Upload['state']['kind'][]): Upload | null => {
    const found = rows().filter(({ state }) => kinds.includes(state.kind));
    return found.length === 0 ? null : dice.pick(found.slice(-8));
  };
  const pathOf = ({ dir, name }: Upload): string => joinPath(dir, name);
  /** The content of the row; null when its file is another one now. */
  const contentOf = async (row: Upload): Promise<string | null> => {
    const found = await disk.files.look(pathOf(row)).catch(() => null);
    return found?.stamp?.key === row.stamp?.key ? disk.text(pathOf(row)) : null;
  };
  const approve = async (row: Upload): Promise<void> => {
    const asked = composed.get(row.sha256 ?? '') ?? '';
    for (const mark of [...marksIn(disk.text(pathOf(row))), ...marksIn(asked)]) {
      said.approved.add(mark);
      said.given.add(mark);
      said.refused.delete(mark);
    }
  };
  const give = async (paths: string[], door: Door, again: boolean): Promise<void> => {
    for (const path of paths) yes(path, again);
    named(paths);
    note(`${door}${again ? ' again' : ''} ${JSON.stringify(paths)}`);
    await quietly(() => run.call('files.upload', { paths, door, again }));
  };
  const agent = { roots: agentRoots, mayReopen: [] };
  const named = (paths: readonly string[]): void => {
    for (const path of paths.flatMap(tree.below)) {
      const marks = marksIn(tree.text(path));
      for (const mark of marks.length > 0 ? marks : [path]) said.named.add(mark);
    }
  };
  const withPaths = async (act: (paths: string[]) => Promise<void>): Promise<void> => {
    const paths = [some(), some()].filter((path) => path !== null);
    if (paths.length > 0) await act(dice.happens(0.6) ? paths.slice(0, 1) : paths);
  };
  /** The path, or another one that leads there. */
  const wayTo = (path: string): string => {
    if (path.startsWith('/secret/') && dice.happens(0.5))
      return dice.pick(['/way', '/chain', '/given/agents/way']) + path.slice('/secret'.length);
    if (!dice.happens(0.2)) return path;
    const link = `${dice.pick(['/given', '/tray', '/given/agents'])}/link ${(names += 1)}`;
    tree.link(link, path);
    return link;
  };
  const bundle = async (paths: string[], byAgent: boolean): Promise<void> => {
    const name = `z${(names += 1)}`;
    if (!byAgent) for (const path of paths) yes(path, false);
    named(paths);
    note(`zip ${byAgent ? 'of an agent ' : ''}${name} ${JSON.stringify(paths)}`);
    const holders = new Map(tree.marks().map((mark) => [mark, tree.holders(mark)]));
    zips.set(`${name}.zip`, { holders, settings: settings.current(), agentRoots: rootsOf(agentRoots) });
    await quietly(() => run.call('files.bundle', { paths, name, ...(byAgent ? { agent } : {}) }));
  };
  const byAgent = async (paths: string[]): Promise<void> => {
    note(`agent ${JSON.stringify(paths)}`);
    named(paths);
    await quietly(() => run.call('files.upload', { paths, agent }));
  };
  const spool = async (door: Door, folder: string): Promise<void> => {
    const path = `${folder}/${(names += 1)}/${newName()}`;
    tree.write(path, compose());
    await give([path], door, false);
  };

  const doors: (() => Promise<void>)[] = [
    () => withPaths((paths) => give(paths.map(wayTo), 'command', false)),
    () => withPaths((paths) => give(paths.map(wayTo), 'command', dice.happens(0.5))),
    () => withPaths((paths) => give(paths.map(wayTo), 'window', false)),
    () => withPaths((paths) => give(paths.map(wayTo), 'tray', false)),
    () => spool('command', '/spool'),
    () => spool('clipboard', '/data/pasted'),
    () => withPaths((paths) => bundle(paths.map(wayTo), false)),
    () => bundle([dice.pick(folders)], dice.happens(0.3)),
    () => withPaths((paths) => bundle(paths.map(wayTo), true)),
    () => withPaths((paths) => byAgent(paths.map(wayTo))),
  ];

  /** Changes that may make a refused file look like another one. */
  const disturb = async (path: string): Promise<void> => {
    const text = tree.text(path);
    if (text === null || dice.happens(0.2)) return;
    const beside = `${path.slice(0, path.lastIndexOf('/'))}/${(names += 1)} more.txt`;
    const act = dice.pick([
      'touch',
      'chmod',
      'rename',
      'move',
      'copy',
      'restore',
      'link',
      'agent',
      'zip',
    ] as const);
    note(`${act} ${JSON.stringify(path)}`);
    if (act === 'touch') tree.touch(path);
    if (act === 'chmod') tree.chmod(path);
    if (act === 'rename') tree.rename(tree.real(path), beside);
    if (act === 'copy' || act === 'move') tree.write(beside, text);
    // A move to another disk: a copy, then the removal of the original.
    if (act === 'move') tree.remove(tree.real(path));
    if (act === 'restore') tree.replace(path, text);
    if (act === 'link') tree.hardLink(tree.real(path), beside);
    if (act === 'agent') await byAgent([dice.happens(0.5) ? path : copied(text)]);
    if (act === 'zip') await bundle([path], true);
    await clock.advance(5000);
  };
  const copied = (text: string): string => {
    const path = `/given/agents/${(names += 1)} copy.txt`;
    tree.write(path, text);
    return path;
  };

  /** Changes that may replace a released content before it is sent. */
  const afterYes = async (path: string): Promise<void> => {
    if (path.startsWith('/spool/') || dice.happens(0.5)) return;
    if (dice.happens(0.5)) await clock.advance(dice.pick([1, 50, 400, 3000]));
    const text = tree.text(path);
    if (text === null) return;
    const act = dice.pick(['touch', 'restore', 'write', 'replace', 'move over'] as const);
    note(`${act} after a yes ${JSON.stringify(path)}`);
    if (act === 'touch') tree.touch(path);
    if (act === 'restore') tree.replace(path, text);
    if (act === 'touch' || act === 'restore') return;
    const given = markOf(text) ?? path;
    const other = compose();
    const now = markOf(other) ?? '';
    for (const known of [said.given, said.named]) if (known.has(given)) known.add(now);
    if (act === 'write') tree.write(path, other);
    if (act === 'replace') tree.replace(path, other);
    if (act === 'move over') {
      const from = `/given/${(names += 1)} over.txt`;
      tree.write(from, other);
      tree.remove(tree.real(path));
      tree.rename(from, path);
    }
  };

  const takeBack = async (
    kind: 'recalled' | 'expired',
    act: (files: { fileId: FileId }[]) => Promise<void>,
  ): Promise<void> => {
    const row = rowOf(['uploaded']);
    const file = service.stored.find(({ fileId }) => fileId === row?.fileId);
    if (row === null || file === undefined) return;
    note(`${kind} ${pathOf(row)}`);
    await quietly(() => act([{ fileId: file.fileId }]));
    if (ledger.uploads.byId(row.id)?.state.kind === kind && !zips.has(file.name))
      for (const mark of marksIn(file.bytes.toString('latin1')))
        if (!isWanted(mark, row.id)) said.refused.set(mark, kind);
    await clock.advance(15_000);
    await disturb(pathOf(row));
  };

  /** A program spoils the file of the settings. What goes meanwhile is judged by what the person has set. */
  const spoilt = async (): Promise<void> => {
    const drawn = Object.keys(drawSettings(dice)) as (keyof Settings)[];
    const ours = Object.fromEntries(drawn.map((name) => [name, person()[name]]));
    const isKilled = dice.happens(0.5);
    if (isKilled) run.life.kill();
    const { inForce, isBack } = await spoilSettings(ours, dice);
    note(`settings spoilt, ${inForce === null ? 'refused' : 'obeyed'}`);
    if (!isBack) walk.problems.push('the good copy does not bring the settings back');
    const obey = async (values: Partial<Settings>): Promise<void> => {
      for (const name of drawn) await settings.set(name, values[name]);
    };
    if (inForce !== null) {
      own = settings.current();
      await obey(inForce);
    }
    if (isKilled && inForce !== null) run = await world.start();
    await clock.advance(dice.pick([400, 5000, minuteMs]));
    if (inForce !== null) await obey(ours);
    own = null;
    if (isKilled && inForce === null) run = await world.start();
  };

  const words: (() => Promise<void>)[] = [
    async () => {
      const row = rowOf(['held']);
      if (row === null) return;
      await approve(row);
      note(`confirm ${pathOf(row)}`);
      await quietly(() => run.call('queue.confirm', { ids: [row.id] }));
      await afterYes(pathOf(row));
    },
    async () => {
      const row = rowOf(['ready', 'settling', 'waiting', 'held']);
      const content = row === null ? null : await contentOf(row);
      if (row === null) return;
      note(`cancel ${pathOf(row)}`);
      await quietly(() =>
        run.call(row.state.kind === 'held' ? 'queue.skip' : 'queue.cancel', { ids: [row.id] }),
      );
      const state = ledger.uploads.byId(row.id)?.state;
      const isLeftOut = state?.kind === 'skipped' && state.rule === 'cancelled';
      // Refusing a zip does not refuse its files.
      if (isLeftOut && !zips.has(row.name))
        for (const mark of marksIn(content)) if (!isWanted(mark, row.id)) said.refused.set(mark, 'cancelled');
      await clock.advance(15_000);
      await disturb(pathOf(row));
    },
    () =>
      takeBack('recalled', async (files) => {
        await run.call('files.recall', { files });
      }),
    () =>
      takeBack('expired', async (files) => {
        await run.call('files.expire', { files, expire: { afterMs: 1000 } });
        await clock.advance(minuteMs);
      }),
    async () => {
      const row = rowOf(['skipped', 'failed']);
      if (row === null) return;
      await approve(row);
      note(`retry ${pathOf(row)}`);
      await quietly(() => run.call('queue.retry', { ids: [row.id] }));
      await afterYes(pathOf(row));
    },
    async () => {
      before = settings.current();
      const [name, value] = dice.pick<[keyof Settings, unknown]>(
        Object.entries(drawSettings(dice)).filter(([one]) => !isQuestion(one)) as [keyof Settings, unknown][],
      );
      note(`set ${name} ${JSON.stringify(value)}`);
      await settings.set(name, value);
      await clock.advance(5000);
      before = settings.current();
    },
    async () => {
      note('pause');
      await run.call('queue.pause', { untilMs: clock.wallMs() + 3 * minuteMs });
    },
    async () => {
      const isKilled = dice.happens(0.5);
      note(isKilled ? 'kill' : 'restart');
      if (isKilled) run.life.kill();
      else await run.stop();
      run = await world.start();
    },
    spoilt,
  ];

  const programs = programsOf({
    dice,
    disk,
    tree,
    said,
    note,
    compose,
    some,
    newPath,
    number: () => (names += 1),
    zips: () => [...world.spool.packed.keys()],
  });

  /** Another disk is mounted in place of the watched folder. A person chose none of its files. */
  const otherDisk = async (): Promise<void> => {
    const away = `/away/disk ${(names += 1)}`;
    note('another disk');
    tree.move(watched, away);
    for (const folder of [watched, `${watched}/sub`]) disk.make(folder, 'folder');
    disk.identify(`another ${away}`);
    for (const folder of [watched, `${watched}/sub`, watched]) {
      const text = compose();
      said.foreign.add(markOf(text) ?? '');
      tree.write(`${folder}/${newName()}`, text);
    }
    await clock.advance(dice.pick([400, 5000, minuteMs]));
    note('the disk is back');
    tree.move(watched, `${away} there`);
    tree.move(away, watched);
    disk.identify(`${watched}#1`);
    said.foreign.clear();
    await clock.advance(minuteMs);
  };

  // A download program begins again at any moment.
  disk.raceAtOpen((path) => {
    if (dice.happens(0.02) && !tree.isThere(`${path}.aria2`)) tree.write(`${path}.aria2`, 'state');
    return null;
  });
  for (const folder of folders.slice(1)) disk.make(folder, 'folder');
  tree.link('/way', '/secret');
  tree.link('/chain', '/way');
  tree.link('/given/agents/way', '/chain');
  await clock.advance(1000);
  run = await world.start();
  try {
    for (let n = 0; n < cases; n += 1) {
      const path = newPath();
      note(`write ${JSON.stringify(path)}`);
      tree.write(path, compose());
      for (let acts = dice.whole(0, 3); acts > 0; acts -= 1) {
        // An upload whose tail is sent can no longer be kept back.
        while (ledger.uploads.countInState('committing') > 0) await clock.advance(5);
        const way = dice.chance();
        if (way < 0.5) await dice.pick(doors)();
        else if (way < 0.75) await dice.pick(words)();
        else if (way < 0.76) await otherDisk();
        else dice.pick(programs)();
        if (dice.happens(0.5)) await clock.advance(dice.pick([10, 400, 5000]));
      }
    }
    await clock.advance(4 * minuteMs);
  } finally {
    await end();
  }
  return walk;
};
