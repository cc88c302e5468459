// A world for the whole engine in virtual time: a disk, a service, the real ledger in memory, the real ignore rules,
// and processes that start on them and can be killed.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { onTestFinished } from 'vitest';
import { createIgnoreRules } from '../../src-main/adapters/ignore.ts';
import { openMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import { answerCall, createClient, type Change, type Client } from '../../src-main/contract/client.ts';
import type { CommandAnswer, CommandInput, EngineCommandName } from '../../src-main/contract/commands.ts';
import type { Entry } from '../../src-main/contract/entries.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { createEngine, type Engine } from '../../src-main/engine/engine.ts';
import { withStatus } from '../../src-main/engine/shared/feed.ts';
import type { Existing } from '../../src-main/contract/answers.ts';
import type { Inspect } from '../../src-main/engine/ports/files.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import type { Upload } from '../../src-main/engine/ports/uploads.ts';
import { createFakeDisk, type FakeDisk } from './fake-folder.ts';
import {
  createFakeInspect,
  createFakeKeys,
  createFakeLog,
  createFakePlaces,
  createFakePrograms,
  createFakeSettings,
  createFakeSpool,
  markOfFake,
  type FakeKeys,
  type FakeSpool,
} from './fake-ports.ts';
import { createFakeAudit } from './fake-audit.ts';
import { createLife, type Life } from './fake-process.ts';
import { createFakeService, type FakeService } from './fake-service.ts';
import { seeded } from './limiter-models.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export type Running = {
  engine: Engine;
  client: Client;
  life: Life;
  changes: Change[];
  /** The call, with time passing until it is answered. */
  call<Name extends EngineCommandName>(name: Name, input: CommandInput<Name>): Promise<CommandAnswer<Name>>;
  entries(): Entry[];
  stop(): Promise<void>;
};

export type World = {
  clock: VirtualClock;
  disk: FakeDisk;
  service: FakeService;
  ledger: Ledger;
  settings: ReturnType<typeof createFakeSettings>;
  keys: FakeKeys;
  log: ReturnType<typeof createFakeLog>;
  inspect: Inspect;
  spool: FakeSpool;
  /** An engine that watches `/tray` (or what `folder` says) from now on, with its first scan done. */
  start(options?: { folder?: string | null; existing?: Existing }): Promise<Running>;
  /** An engine made, not started. */
  make(owner?: string): Running;
  /** The newest of those made. */
  running(): Running;
  /** Lets time pass until the promise is settled. */
  during<T>(promise: Promise<T>): Promise<T>;
  audit: ReturnType<typeof createFakeAudit>;
  programs: ReturnType<typeof createFakePrograms>;
  row(name: string): Upload;
  rows(): Upload[];
  /** Lets time pass until the file is in such a state. */
  until(name: string, kind: Upload['state']['kind'], limitMs?: number): Promise<Upload>;
  /** Writes the file below `/tray`, and lets time pass until it is in such a state. */
  put(file: string, content: string, kind: Upload['state']['kind'], limitMs?: number): Promise<Upload>;
};

export const createWorld = (
  options: {
    settings?: Partial<Settings>;
    seed?: number;
    turns?: number;
    boot?: null;
    inspect?: Inspect;
    /** Folders that may not be watched. */
    refused?: readonly string[];
    /** Ends the world; a test does so by itself. */
    whenDone?: (end: () => Promise<void>) => void;
    /** Opens the ledger of an earlier run, with what is on the disk and the service now; left out: a new one. */
    ledger?: (disk: FakeDisk, service: FakeService) => MemoryLedger;
  } = {},
): World => {
  const clock = createVirtualClock({
    turns: options.turns ?? 1,
    ...(options.boot === null ? { boot: null } : {}),
  });
  const disk = createFakeDisk(clock);
  const service = createFakeService(clock);
  const ledger = options.ledger?.(disk, service) ?? openMemoryLedger(() => clock.wallMs());
  const settings = createFakeSettings({ folder: '/tray', ...options.settings });
  const log = createFakeLog();
  const inspect = options.inspect ?? createFakeInspect();
  const spool = createFakeSpool(disk.write);
  const audit = createFakeAudit();
  const programs = createFakePrograms();
  const keys = createFakeKeys(
    () => service.api,
    () => settings.current().baseUrl,
  );
  // The key of the beginning is known to be of the account of a new ledger.
  if (options.ledger === undefined)
    ledger.accounts.addMark(
      ledger.accounts.present(),
      markOfFake(keys.stored ?? '', settings.current().baseUrl),
    );
  const chance = seeded(options.seed ?? 1);
  const made: (Running & { owner: string })[] = [];
  let starts = 0;
  (options.whenDone ?? onTestFinished)(async () => {
    for (const one of made) if (!one.life.isOver()) await one.stop();
    ledger.close();
  });

  const during = async <T>(promise: Promise<T>): Promise<T> => {
    let settled = false;
    const noted = promise.finally(() => {
      settled = true;
    });
    noted.catch(() => undefined);
    await clock.runUntil(() => settled);
    return await noted;
  };

  const make = (owner = `engine:${String(++starts)}`): Running => {
    const life = createLife();
    const changes: Change[] = [];
    const engine = createEngine({
      ports: {
        clock: life.clock(clock),
        chance,
        log,
        files: disk.files,
        inspect,
        spool,
        watch: disk.watch,
        ignore: createIgnoreRules(),
        api: life.api(service.api),
        ledger: life.ledger(ledger),
        audit: audit.port,
        settings,
        keys,
        places: createFakePlaces(options.refused),
        runProgram: programs.run,
        checks: async () => [{ name: 'disk', ok: true, message: 'There is room.', remedy: '' }],
      },
      owner,
      isAlive: (other) => made.some((one) => one.owner === other && !one.life.isOver()),
      nudgeOthers: () => {
        for (const other of made) if (other.engine !== engine && !other.life.isOver()) other.engine.nudge();
      },
    });
    const listen = withStatus(engine);
    listen((change) => changes.push(change));
    const client = createClient({
      call: (name, input) => answerCall(engine.handlers, name, input, new AbortController().signal),
      listen,
    });
    const running: Running & { owner: string } = {
      owner,
      engine,
      client,
      life,
      changes,
      call: (name, input) => during(client.call(name, input)),
      entries: () => changes.flatMap((change) => (change.kind === 'entries' ? change.entries : [])),
      stop: async () => {
        await during(engine.stop());
        life.kill();
      },
    };
    made.push(running);
    return running;
  };

  let read: { writes: number; rows: Upload[] } = { writes: -1, rows: [] };
  const rows = (): Upload[] => {
    if (read.writes !== ledger.writes()) {
      read = { writes: ledger.writes(), rows: [] };
      for (let id = 1, row = ledger.uploads.byId(id); row !== null; id += 1, row = ledger.uploads.byId(id))
        read.rows.push(row);
    }
    return read.rows;
  };
  const row = (name: string): Upload => {
    const one = rows().findLast((each) => each.name === name);
    if (one === undefined) throw new Error(`The ledger has no ${name}.`);
    return one;
  };

  const until: World['until'] = async (name, kind, limitMs = 60_000) => {
    await clock.runUntil(() => rows().findLast((one) => one.name === name)?.state.kind === kind, limitMs);
    return row(name);
  };

  return {
    clock,
    disk,
    service,
    ledger,
    settings,
    keys,
    log,
    inspect,
    spool,
    audit,
    programs,
    async start(given = {}) {
      const running = make();
      const folder = given.folder === undefined ? '/tray' : given.folder;
      await during(running.engine.start({ folder, existing: given.existing ?? 'skip' }));
      return running;
    },
    make,
    running() {
      const newest = made.at(-1);
      if (newest === undefined) throw new Error('Nothing runs.');
      return newest;
    },
    during,
    row,
    rows,
    until,
    put(file, content, kind, limitMs) {
      disk.write(`/tray/${file}`, content);
      return until(file.slice(file.lastIndexOf('/') + 1), kind, limitMs);
    },
  };
};

type Begun = Promise<{ world: World; run: Running }>;

/** A world whose program has just started. */
export const started = async (given: Parameters<typeof createWorld>[0] = {}): Begun => {
  const world = createWorld(given);
  return { world, run: await world.start() };
};

/** A world whose program has been at work for a second. `before` happens a minute before it starts. */
export const begin = async (
  given: Parameters<typeof createWorld>[0] = {},
  before: (world: World) => void = () => undefined,
  start: Parameters<World['start']>[0] = {},
): Begun => {
  const world = createWorld(given);
  before(world);
  await world.clock.advance(minuteMs);
  const run = await world.start(start);
  await world.clock.advance(1000);
  return { world, run };
};

/** A file in the folder, and the id of its upload. */
export const share = async (world: World, name: string, content = name): Promise<FileId> => {
  return (await world.put(name, content, 'uploaded')).fileId ?? 0;
};

/** A file that was sent and whose answer was lost. */
export const loseAnswer = (world: World, name: string, content: string): Promise<Upload> => {
  world.service.faults.push('answer-lost');
  return world.put(name, content, 'uncertain');
};
