// What happens at the service: on its own page a file is deleted, or downloads move its entry in the list; another device
// uploads; on some days it is set up again.
import type { VirtualClock } from '../virtual-clock.ts';
import type { Account } from './account.ts';
import type { Accounts } from './accounts.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

export const createSite =
  ({
    dice,
    accounts,
    nowMs,
    story,
  }: {
    dice: Dice;
    accounts: Accounts;
    nowMs: () => number;
    story: Story;
  }): (() => void) =>
  () => {
    const there = accounts.files().filter((file) => !file.deleted && file.visibleAtMs <= nowMs());
    if (there.length === 0) return;
    const file = dice.pick(there);
    if (dice.happens(0.5)) {
      file.downloads += dice.whole(1, 9);
      story.fault('downloaded', file.name);
      return;
    }
    if (file.by === 'us' && dice.happens(0.5)) return;
    accounts.remove(file);
    story.fault('deleted-on-site', `${file.fileId} ${file.name}`);
  };

/** Another device uploads, often what could be one of our files. */
export const createOtherDevice =
  ({ dice, accounts, story }: { dice: Dice; accounts: Accounts; story: Story }): (() => void) =>
  () => {
    const account = accounts.reached();
    const ours = account.stored.filter((file) => file.by === 'us');
    const like = ours.length > 0 && dice.happens(0.7) ? dice.pick(ours.slice(-3)) : null;
    const sentName = like?.name ?? dice.pick(['a.txt', 'b.txt', 'Photo 1.jpg', 'other.bin']);
    const size = like?.content.length ?? 40;
    account.accepts();
    account.add(
      sentName,
      `other ${account.stored.length}`.padEnd(size, '!').slice(0, Math.max(size, 9)),
      'other device',
    );
    story.fault('other-device', sentName);
  };

/** Where the list shows no links, nothing tells a lost upload from the file that had its id. */
export const setUpAnewOnce = ({
  dice,
  world,
  lengthMs,
  account,
  story,
}: {
  dice: Dice;
  world: VirtualClock;
  lengthMs: number;
  account: Account;
  story: Story;
}): void => {
  if (!dice.happens(0.4)) return;
  world.after(dice.chance() * lengthMs, () => {
    account.setUpAnew();
    story.fault('set-up-anew');
  });
};
