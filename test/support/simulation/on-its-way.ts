// What happens to a file while it is being sent: it is saved again, it is replaced, its link is to end within seconds, or
// a person does not want it after all, just before its tail leaves.
import type { UploadRequest } from '../../../src-main/engine/ports/api.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Person } from './actors.ts';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';

export const createOnItsWay = (options: {
  fate: Dice;
  /** A stream of its own, so that these wishes do not change the other events of a seed. */
  wishes: Dice;
  world: VirtualClock;
  machine: Machine;
  tray: Tray;
  actor: Pick<Person, 'giveWithEnd' | 'refuse'>;
  story: Story;
}): { begins(request: UploadRequest): UploadRequest } => {
  const { fate, wishes, world, machine, tray, actor, story } = options;
  const sending = (name?: string): Upload | undefined =>
    machine
      .ledger()
      .uploads.inState('sending', 100)
      .find(({ sentName }) => name === undefined || sentName === name);
  const saveAgain = (): void => {
    const row = sending();
    if (row === undefined || !tray.isHere(`${row.dir}/`)) return;
    story.fault('saved-while-sent');
    tray.saveOver(`${row.dir}/${row.name}`);
  };
  const swapUnder = (): void => {
    const row = sending();
    if (row !== undefined && tray.isMounted()) tray.swapUnder(`${row.dir}/${row.name}`);
  };
  const endSoon = (): void => {
    const row = sending();
    if (row !== undefined && tray.isHere(`${row.dir}/`)) actor.giveWithEnd(wishes, row);
  };
  /** All is sent but the tail. */
  const refuse = async (name: string): Promise<void> => {
    const row = sending(name);
    if (row !== undefined && tray.isHere(`${row.dir}/`)) await actor.refuse(row);
  };
  const hasWishes = wishes.happens(0.4);
  return {
    /** An upload has begun. Returns it with what a person says of it. */
    begins(request) {
      if (fate.happens(0.08)) world.after(fate.spread(10, 10_000), saveAgain);
      if (fate.happens(0.05)) world.after(fate.spread(10, 10_000), swapUnder);
      if (hasWishes && wishes.happens(0.1)) world.after(wishes.spread(10, 10_000), endSoon);
      if (!hasWishes || !wishes.happens(0.05)) return request;
      return {
        ...request,
        async *pieces(signal) {
          yield* request.pieces(signal);
          await refuse(request.sentName);
        },
      };
    },
  };
};
