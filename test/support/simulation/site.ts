// What happens on the service's own page: a file is deleted, or downloads move its entry in the list.
import type { Account } from './account.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

export const createSite =
  ({
    dice,
    account,
    nowMs,
    story,
  }: {
    dice: Dice;
    account: Account;
    nowMs: () => number;
    story: Story;
  }): (() => void) =>
  () => {
    const there = account.stored.filter((file) => !file.deleted && file.visibleAtMs <= nowMs());
    if (there.length === 0) return;
    const file = dice.pick(there);
    if (dice.happens(0.5)) {
      file.downloads += dice.whole(1, 9);
      story.fault('downloaded', file.name);
      return;
    }
    if (file.by === 'us' && dice.happens(0.5)) return;
    account.remove(file);
    story.fault('deleted-on-site', `${file.fileId} ${file.name}`);
  };
