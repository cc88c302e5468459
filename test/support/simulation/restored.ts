// A whole data folder is restored from an older copy. Later uploads are on the service, but not in its ledger.
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Checks } from './ending.ts';
import type { LedgerDisk } from './ledger-disk.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';
import type { Truth } from './truth.ts';

/** Longer than the list may lag, and longer than a ledger counts as fresh. */
const leastDownMs = 900_000;

/** Copies it once, and puts it back up to three hours later. */
export const restoreOnce = (options: {
  dice: Dice;
  world: VirtualClock;
  lengthMs: number;
  machine: Machine;
  disk: LedgerDisk;
  checks: Checks;
  truth: Truth;
  tray: Pick<Tray, 'backUp'>;
  story: Story;
  isAsleep: () => boolean;
}): void => {
  const { dice, world, machine, disk, checks, truth, tray, story } = options;
  const restore = (forgetFolders: () => void): void => {
    if (options.isAsleep() || machine.life()?.isOver() !== false || !disk.restoreNext()) return;
    story.fault('data-folder-restored');
    checks.outcomes();
    checks.forget();
    truth.forgetTakenBack();
    truth.forgetNoes();
    forgetFolders();
    machine.kill(leastDownMs + dice.spread(1000, 3_600_000), 'kill');
  };
  world.after(dice.chance() * options.lengthMs * 0.8, () => {
    disk.backUp();
    const forgetFolders = tray.backUp();
    world.after(dice.spread(600_000, 10_800_000), () => restore(forgetFolders));
  });
};
