// What the person does with whole folders: adds, removes and pauses them, and changes their rules. And with links:
// follows them to have downloads reported, while others download.
import type { EngineCommandName } from '../../../src-main/contract/commands.ts';
import { idNow } from '../../../src-main/engine/shared/links.ts';
import type { Accounts } from './accounts.ts';
import type { Dice } from './dice.ts';
import { drawRule, drawRules, type Folders } from './folders.ts';
import type { Machine, Reply } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';
import type { Truth } from './truth.ts';

export type FolderPerson = {
  /** Adds or removes a folder, or changes one of its rules. */
  change(): Promise<void>;
  /** Follows a link, or ends that. */
  follow(): Promise<void>;
};

export const createFolderPerson = (options: {
  dice: Dice;
  machine: Machine;
  tray: Tray;
  truth: Truth;
  accounts: Accounts;
  folders: Folders;
  call: (name: EngineCommandName, input: unknown) => Promise<Reply>;
  /** Watched folders or their rules may have changed. */
  hearRules: () => void;
  story: Story;
}): FolderPerson => {
  const { dice, machine, tray, truth, accounts, folders, call, story } = options;
  const watched = (): string[] => folders.paths.filter(folders.isWatched);

  const add = async (folder: string): Promise<void> => {
    const existing = dice.pick(['skip', 'skip', 'upload'] as const);
    // A person who adds a folder again with the files in it also wants those that came in the meantime.
    if (!folders.isJudged(folder) || existing === 'upload') tray.added(folder, existing);
    story.fault('folder-added', `${folder} ${existing}`);
    await call('folders.add', { folder: { path: folder }, existing, rules: drawRules(dice) });
  };
  const remove = async (folder: string): Promise<void> => {
    story.fault('folder-removed', folder);
    await call('folders.remove', { folder });
  };
  const setRule = async (folder: string): Promise<void> => {
    const [name, value] = drawRule(dice);
    story.fault('folder-rule', `${folder} ${name} ${JSON.stringify(value)}`);
    await call('folders.set', { folder, name, value });
  };
  const setEnd = async (folder: string): Promise<void> => {
    const [value, ms] = dice.pick<[string, number]>([
      ['6h', 21_600_000],
      ['1d', 86_400_000],
    ]);
    truth.endAfter(ms, folder);
    story.fault('folder-rule', `${folder} expireAfter ${value}`);
    await call('folders.set', { folder, name: 'expireAfter', value });
  };

  return {
    async change() {
      // A person chooses no folder whose drive does not answer or is another one.
      const others = folders.paths.filter((path) => !folders.isWatched(path) && tray.isDriveHere(path));
      const mine = watched();
      const what = dice.pick(['add', 'remove', 'rule', 'rule', 'rule', 'rule', 'rule', 'end'] as const);
      if (what === 'add') {
        if (others.length > 0) await add(dice.pick(others));
      } else if (mine.length === 0) return;
      else if (what === 'remove') {
        if (mine.length > 1) await remove(dice.pick(mine));
      } else await (what === 'end' && dice.happens(0.3) ? setEnd : setRule)(dice.pick(mine));
      options.hearRules();
    },
    async follow() {
      const { uploads } = machine.ledger();
      const links = accounts.files().filter((file) => file.by === 'us' && !file.deleted);
      if (links.length > 0 && dice.happens(0.6)) {
        const file = dice.pick(links);
        file.downloads += dice.whole(1, 5);
        story.note(`downloads of ${file.fileId}: ${file.downloads}`);
      }
      const rows = uploads.inState('uploaded', 100);
      if (rows.length === 0 || dice.happens(0.4)) return;
      const row = dice.pick(rows);
      const fileId = row.idTakenAtMs === null ? idNow(machine.ledger(), row) : row.fileId;
      if (fileId === null) return;
      story.fault('link-followed');
      await call(dice.happens(0.8) ? 'files.follow' : 'files.unfollow', { files: [{ fileId }] });
    },
  };
};
