// What befalls the machine: its process is killed or started twice, it sleeps, its clock jumps, its disk is full, its
// data folder goes away.
import { scopeOf } from '../../../src-main/engine/account/gate-rules.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Audit, UploadsWait } from './audit.ts';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Strict } from './strict.ts';

const hourMs = 3_600_000;
/** A probe every two seconds, plus one turn. */
const roomNoticedMs = 5000;
/** Requests that already had their permit. */
const mostUnderWay = 8;
/** For the granularity of clocks. */
const clockMs = 2000;

export const createAccidents = (options: {
  fate: Dice;
  /** A stream of its own, so that this part does not change the other events of a seed. */
  below: Dice;
  world: VirtualClock;
  machine: Machine;
  audit: Audit;
  strict: Strict;
  story: Story;
  /** The faults have stopped. */
  isOver: () => boolean;
}) => {
  const { fate, below, world, machine, audit, strict, story, isOver } = options;
  let isAsleep = false;
  const downMs = (): number => fate.spread(100, hourMs);
  /** What the process says now. A full disk cannot keep it. */
  const uploadsWait = (): UploadsWait | null => {
    const gate = machine.status()?.gate;
    if (gate?.kind !== 'closed' || gate.untilMs === null || scopeOf(gate.reason) !== 'uploads') return null;
    if (machine.life()?.isFull() !== false) return null;
    const nowMs = world.monoMs();
    return { saidMs: nowMs, untilMs: nowMs + gate.untilMs - world.wallMs() - clockMs };
  };
  /** Its process is killed if uploads wait, and the next one starts while they should. */
  const killWhileClosed = (chance: Dice): void => {
    const wait = isAsleep || machine.engine() === null ? null : uploadsWait();
    if (wait === null || chance.happens(0.5)) return;
    story.fault('killed-while-closed');
    audit.died(wait);
    machine.kill(chance.spread(100, 300_000), chance.happens(0.5) ? 'power' : 'kill');
  };
  const crash = (): void => {
    if (machine.engine() === null || isAsleep) return;
    audit.acted();
    const way = fate.pick(['now', 'commit', 'commit', 'call', 'call', 'power'] as const);
    switch (way) {
      case 'now':
        audit.died(uploadsWait());
        machine.kill(downMs(), 'kill');
        return;
      case 'power':
        audit.died(uploadsWait());
        machine.kill(downMs(), 'power');
        return;
      case 'commit':
        machine.life()?.killAt(fate.whole(1, 40), fate.pick(['before', 'after']));
        break;
      case 'call':
        machine.killAtCall(fate.whole(1, 60));
    }
    awaitDeath(way);
  };
  const awaitDeath = (way: string): void => {
    const life = machine.life();
    let wait: UploadsWait | null = null;
    const look = (): void => {
      if (life === null || machine.life() !== life) return;
      if (life.isOver()) {
        story.fault(`killed-at-${way}`);
        audit.died(wait);
        machine.buryAndRestart(downMs(), fate.happens(0.5) ? 'power' : 'kill');
      } else if (!isOver()) {
        wait = uploadsWait();
        world.after(20_000, look);
      }
    };
    look();
  };
  const sleep = (): void => {
    if (isAsleep || machine.engine() === null) return;
    isAsleep = true;
    story.fault('slept');
    machine.sleep();
    world.after(fate.spread(1000, 8 * hourMs), () => {
      isAsleep = false;
      audit.acted();
      strict.disturbed();
      machine.wake();
    });
  };
  const jump = (): void => {
    if (machine.engine() === null || isAsleep) return;
    const ms = Math.round((fate.happens(0.5) ? 1 : -1) * fate.spread(100, 6 * hourMs));
    story.fault(ms > 0 ? 'clock-forward' : 'clock-back', String(ms));
    world.jumpWall(ms);
    audit.jumped(ms);
  };
  const fillDisk = (): void => {
    const life = machine.life();
    if (life === null || life.isOver()) return;
    story.fault('disk-full');
    life.fillDisk(true);
    world.after(fate.spread(1000, 600_000), () => {
      life.fillDisk(false);
      strict.disturbed();
      const atMs = world.monoMs();
      world.after(roomNoticedMs, () => {
        const isSame = machine.life() === life && !life.isOver() && !isAsleep && !isOver();
        if (!isSame || life.isFull() || world.monoMs() - atMs > roomNoticedMs) return;
        const waits = machine.engine()?.trouble()?.message ?? null;
        if (waits !== null) story.violated('I9', `the disk has room, and the engine still waits: ${waits}`);
      });
    });
  };
  const loseDataFolder = (): void => {
    const life = machine.life();
    if (life === null || life.isOver() || isAsleep) return;
    story.fault('data-folder-gone');
    audit.acted();
    life.loseFolder();
    const begun = audit.requests();
    const end = (): void => {
      if (machine.life() !== life || life.isOver()) return;
      if (isAsleep) {
        world.after(10_000, end);
        return;
      }
      if (audit.requests() > begun + mostUnderWay) story.violated('I9', 'requests without a data folder');
      // The process ends; the folder is put back as it was, and another one starts.
      machine.buryAndRestart(below.spread(100, hourMs), 'kill');
    };
    world.after(10_000, end);
  };
  const secondEngine = (): void => {
    if (machine.engine() === null) return;
    story.fault('second-engine');
    machine.startSecond();
  };

  return {
    crash,
    killWhileClosed,
    sleep,
    jump,
    fillDisk,
    loseDataFolder,
    secondEngine,
    isAsleep: () => isAsleep,
  };
};
