// The machine the engine runs on: its clocks, its sleep, and one process after another, each of which may be killed at
// any commit, at any call of a port, or at any time.
import type { EngineLock } from '../../../src-main/adapters/system/lock.ts';
import { createIgnoreRules } from '../../../src-main/adapters/ignore.ts';
import { answerCall } from '../../../src-main/contract/client.ts';
import type { EngineCommandName } from '../../../src-main/contract/commands.ts';
import { AppError, type ErrorCode } from '../../../src-main/contract/errors.ts';
import { createEngine, type Engine } from '../../../src-main/engine/engine.ts';
import type { Api } from '../../../src-main/engine/ports/api.ts';
import type { Clock, Log, SettingsPort } from '../../../src-main/engine/ports/ports.ts';
import type { Files, Watch } from '../../../src-main/engine/ports/files.ts';
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';
import { createFakeAudit } from '../fake-audit.ts';
import {
  createFakeKeys,
  createFakePrograms,
  createFakePlaces,
  createFakeSpool,
  type FakeKeys,
} from '../fake-ports.ts';
import { createLife, type Life } from '../fake-process.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { hearAbsences } from './absences.ts';
import { countedHandles, countedTimers, onlyReading } from './counts.ts';
import type { Dice } from './dice.ts';
import { createLookInside } from './look-inside.ts';
import type { LedgerDisk } from './ledger-disk.ts';
import type { Story } from './story.ts';
import type { Wire } from './wire.ts';

export type Reply = { ok: true; answer: unknown } | { ok: false; code: ErrorCode };

export type Machine = {
  clock: Clock;
  ledger(): Ledger;
  /** Null while none runs. */
  engine(): Engine | null;
  life(): Life | null;
  keys: FakeKeys;
  start(): void;
  stop(): Promise<void>;
  /** Ends the process at once; another one starts after that time. */
  kill(downMs: number, how: 'kill' | 'power'): void;
  /** Kills at the n-th call of a port from now. */
  killAtCall(calls: number): void;
  /** Cancels the planned kill. */
  spare(): void;
  /** The process is dead: another one starts after that time. */
  buryAndRestart(downMs: number, how: 'kill' | 'power'): void;
  sleep(): void;
  wake(): void;
  /** A command. */
  call(name: EngineCommandName, input: unknown, from: Caller): Promise<Reply>;
  /** A person starts another engine on the same data folder. */
  startSecond(): void;
  /** Null while none runs, and when the process dies during the call. */
  status(): ReturnType<Engine['status']> | null;
  /** An engine runs, has opened its folders, can write its ledger, and is awake. */
  works(): boolean;
  /** Whether a person's command is being answered. */
  isAnswering(): boolean;
  openHandles(): number;
  /** Commits of the running process. */
  commits(): number;
  /** Errors that a process wrote into its log and that no fault of the disk explains. */
  complaints: Set<string>;
  lines(): number;
};

/** The engine's own process, or another one beside it; `unheard`: one that cannot tell the engine of its change. */
export type Caller = 'engine' | 'guest' | 'unheard';

const restartMs = 30_000;
/** A command beside the engine reads and changes rows; it sends nothing. */
const onlyForTheEngine: ReadonlySet<string> = new Set(['upload']);

export const createMachine = (options: {
  dice: Dice;
  world: VirtualClock;
  wire: Wire;
  files: Files;
  watch: Watch;
  api: Api;
  disk: LedgerDisk;
  settings: SettingsPort;
  story: Story;
  /** The first watched folder of the settings. */
  folder: () => string;
  /** An engine has started. */
  started: () => void;
  /** The attempt of an upload that a process calls absent. */
  toldAbsent: (attemptId: number) => void;
}): Machine => {
  const { dice, world, wire, files, watch, api, disk, settings, story } = options;
  const keys = createFakeKeys(() => api);
  const lookDice = dice.stream('look-inside');
  const engineDice = dice.stream('engine');
  const complaints = new Set<string>();
  const dreamt: (() => void)[] = [];
  let isAsleep = false;
  let isUnheard = false;
  let lines = 0;
  let starts = 0;
  const held = countedHandles(story, files);
  let doom: number | null = null;
  let running: { engine: Engine; life: Life; lock: EngineLock; owner: string; isStarted: boolean } | null =
    null;
  let answering = 0;
  let guest: { engine: Engine; life: Life } | null = null;
  let isWanted = false;

  const clock: Clock = {
    ...world,
    after: (delayMs, act) =>
      world.after(delayMs, () => {
        if (isAsleep) dreamt.push(act);
        else act();
      }),
  };
  const log = (life: () => Life): Log => {
    const write =
      (level: string) =>
      (event: string, fields: Record<string, unknown> = {}): void => {
        if (life().isOver()) return;
        lines += 1;
        const said = ['loop', 'code', 'message', 'error'].map((name) => fields[name]);
        const text = [level, event, ...said.filter((one) => one !== undefined).map(String)].join(' ');
        story.note(`log ${text}`);
        if (level === 'error' && !/disk is full|data folder was deleted/i.test(text)) complaints.add(text);
      };
    return { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') };
  };

  /** The process can be killed at each call of a port. */
  const step = (life: Life): void => {
    if (doom === null || life !== running?.life) return;
    doom -= 1;
    if (doom > 0) return;
    doom = null;
    story.note('killed at a call');
    life.kill();
  };
  const mortal = <T extends object>(port: T, life: Life): T =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          step(life);
          if (onlyForTheEngine.has(String(name)) && life !== running?.life && !life.isOver()) {
            story.violated('I13', `${String(name)} by a process that does not hold the engine lock`);
          }
          return Reflect.apply(value, target, given);
        };
      },
    });
  /** A dead process gets no events. When it dies while it handles one, its error does not reach the caller. */
  const tell = (life: Life, act: () => void): void => {
    if (life.isOver()) return;
    try {
      act();
    } catch (error) {
      // It may have been killed during `act`, which changes `isOver`.
      if (!life.isOver()) throw error;
    }
  };
  const heard = (life: Life): Watch => ({
    start: (given) => {
      if (life !== running?.life && !life.isOver()) story.violated('I13', 'a watch beside the engine’s');
      return watch.start({
        ...given,
        sighted: (batch) => tell(life, () => given.sighted(batch)),
        health: (health) => tell(life, () => given.health(health)),
      });
    },
  });

  const make = (owner: string, life: Life): Engine =>
    createEngine({
      ports: {
        clock: countedTimers(story, life.clock(clock)),
        chance: () => engineDice.chance(),
        log: log(() => life),
        files: onlyReading(story, mortal(held.files(life), life)),
        inspect: mortal(createLookInside({ dice: lookDice, clock: life.clock(clock), story }), life),
        spool: createFakeSpool(),
        watch: heard(life),
        ignore: createIgnoreRules(),
        api: life.api(mortal(api, life)),
        ledger: life.ledger(hearAbsences(disk.ledger(), options.toldAbsent)),
        audit: createFakeAudit().port,
        // A killed process hears nothing.
        settings: {
          ...settings,
          onChange: (hear) =>
            settings.onChange((now) => {
              if (!life.isOver()) hear(now);
            }),
        },
        keys,
        places: createFakePlaces(),
        runProgram: createFakePrograms().run,
        checks: async () => [],
      },
      owner,
      isAlive: (other) => running?.owner === other && !running.life.isOver(),
      nudgeOthers: () => {
        if (isUnheard) return;
        if (running !== null && !running.life.isOver() && running.isStarted) running.engine.nudge();
      },
    });

  const bury = (how: 'kill' | 'power'): void => {
    running?.life.kill();
    guest?.life.kill();
    // The system frees it when its process dies.
    running?.lock.release();
    running = null;
    guest = null;
    doom = null;
    held.forget();
    if (how === 'power') {
      world.reboot();
      disk.afterPowerCut();
    } else disk.afterKill();
  };

  const start = (): void => {
    isWanted = true;
    starts += 1;
    const life = createLife();
    const owner = `engine:${starts}`;
    const engine = make(owner, life);
    const mine = { engine, life, lock: disk.lock(), owner, isStarted: false };
    running = mine;
    story.note(`start ${starts}`);
    options.started();
    engine.start({ folder: options.folder(), existing: 'skip' }).then(
      () => {
        mine.isStarted = true;
        story.note('started');
      },
      (error: unknown) => {
        if (running !== mine || life.isOver()) return;
        // The folder is away: try again later, as a person would.
        story.note(`not started: ${String(error)}`);
        engine.stop().then(
          () => {
            if (running === mine) again(restartMs, 'kill');
          },
          () => undefined,
        );
      },
    );
  };

  const again = (downMs: number, how: 'kill' | 'power'): void => {
    bury(how);
    world.after(downMs, () => {
      if (isWanted && running === null) start();
    });
  };

  return {
    clock,
    ledger: () => disk.ledger(),
    engine: () => (running !== null && !running.life.isOver() ? running.engine : null),
    life: () => running?.life ?? null,
    keys,
    start,
    async stop() {
      isWanted = false;
      const mine = running;
      if (mine !== null && !mine.life.isOver()) await mine.engine.stop();
      mine?.lock.release();
      running = null;
    },
    kill(downMs, how) {
      story.fault(how === 'power' ? 'power-cut' : 'killed');
      again(downMs, how);
    },
    killAtCall(calls) {
      doom = calls;
    },
    spare() {
      doom = null;
      running?.life.killAt(Number.MAX_SAFE_INTEGER, 'before');
    },
    buryAndRestart: again,
    sleep() {
      isAsleep = true;
      wire.awake(false);
      wire.sever();
    },
    wake() {
      isAsleep = false;
      wire.awake(true);
      for (const act of dreamt.splice(0)) act();
      const mine = running;
      if (mine !== null) tell(mine.life, () => mine.engine.resumed());
    },
    async call(name, input, from) {
      if (running === null || running.life.isOver()) return { ok: false, code: 'aborted' };
      let { engine, life } = running;
      if (from !== 'engine') {
        if (guest === null) {
          const own = createLife();
          guest = { life: own, engine: make(`guest:${starts}`, own) };
        }
        ({ engine, life } = guest);
      }
      answering += 1;
      isUnheard = from === 'unheard';
      const answer = answerCall(engine.handlers, name, input, new AbortController().signal);
      const reply = await Promise.race([answer, life.over]).finally(() => {
        answering -= 1;
        isUnheard = false;
      });
      if (reply === undefined || life.isOver()) return { ok: false, code: 'aborted' };
      return reply.ok ? { ok: true, answer: reply.answer } : { ok: false, code: reply.error.code };
    },
    startSecond() {
      try {
        disk.lock().release();
      } catch (error) {
        if (error instanceof AppError && error.code === 'engine-taken') return;
        throw error;
      }
      story.violated('I13', 'a second engine got the lock while one was at work');
    },
    status() {
      const mine = running;
      let status: ReturnType<Engine['status']> | null = null;
      if (mine !== null)
        tell(mine.life, () => {
          status = mine.engine.status();
        });
      return status;
    },
    works() {
      const mine = running;
      if (mine === null || !mine.isStarted || isAsleep || mine.life.isOver() || mine.life.isFull())
        return false;
      let works = false;
      tell(mine.life, () => {
        works = mine.engine.trouble() === null;
      });
      return works;
    },
    isAnswering: () => answering > 0,
    openHandles: () => held.now(),
    commits: () => running?.life.commits() ?? 0,
    complaints,
    lines: () => lines,
  };
};
