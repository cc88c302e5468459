// While a drive hangs, the other folders continue (I22): a file that is put into one of them is found soon, and does
// not stay in `settling` for ever.
import type { StateKind } from '../../../src-main/contract/model.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Folders } from './folders.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';

/** A hint of a change arrives within five seconds here, and the engine may look at other files first. */
const foundWithinMs = 15_000;
/** Looks into files may hang, too, one after the other, and writers that no process list shows may pause. */
const settledWithinMs = 900_000;

export const createGoingOn = (options: {
  dice: Dice;
  world: VirtualClock;
  machine: Pick<Machine, 'life' | 'works'>;
  tray: Pick<Tray, 'copyIn' | 'isPlain' | 'isReadable'> & { disk: Pick<Tray['disk'], 'text'> };
  folders: Pick<Folders, 'paths' | 'rule' | 'isJudged'>;
  /** The state of the newest row of this file in its folder; null: it has none. */
  stateOf: (folder: string, path: string) => StateKind | null;
  story: Pick<Story, 'fault' | 'violated'>;
}) => {
  const { dice, world, machine, tray, folders, stateOf, story } = options;
  let isBusy = false;

  const put = (): void => {
    const life = machine.life();
    const works = (): boolean => machine.works() && machine.life() === life;
    const mayGo = (folder: string): boolean =>
      folders.rule(`${folder}/copied.txt`) === null && folders.isJudged(folder) && tray.isPlain(folder);
    const plain = folders.paths.filter(mayGo);
    if (life === null || !works() || plain.length === 0) return;
    const folder = dice.pick(plain);
    const [path = ''] = tray.copyIn(1, folder);
    const text = tray.disk.text(path);
    isBusy = true;
    const isUndisturbed = (): boolean =>
      works() && mayGo(folder) && tray.isReadable(path) && tray.disk.text(path) === text;
    world.after(foundWithinMs, () => {
      isBusy = false;
      if (!isUndisturbed()) return;
      story.fault('went-on-beside', path);
      if (stateOf(folder, path) === null)
        story.violated('I22', `${path} is not found while another drive hangs`);
    });
    world.after(settledWithinMs, () => {
      if (isUndisturbed() && stateOf(folder, path) === 'settling')
        story.violated('I22', `${path} still settles while another drive hangs`);
    });
  };

  return {
    /** A drive begins to hang. */
    hung(): void {
      if (!isBusy) world.after(dice.spread(100, 5000), put);
    },
  };
};
