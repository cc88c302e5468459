// A person's refusal, and a question that is still open, apply to the content (I23). Once the engine had time to read
// that content, the file is touched, renamed, copied, copied over, deleted and restored, and must not be uploaded.
import { isTakenBack, takenBackRule } from '../../../src-main/contract/model.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { sha256Of } from './account.ts';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';
import type { Truth } from './truth.ts';

export type Noes = {
  /** A person has skipped or cancelled these. */
  said(ids: readonly number[]): void;
  /** Looks for open questions, and for links that were taken back. */
  look(): void;
};

/** The reasons that keep a content back under any name. */
export const noes = [
  'no-cancelled',
  'no-burst',
  'no-secret-name',
  'no-existing-changed',
  'no-maybe-uploaded',
  'no-recalled',
  'no-expired',
] as const;
type No = (typeof noes)[number];

/** The engine reads the content within this time if it works and the file is there. */
const readWithinMs = 60_000;
const looks = 3;
const mostAtOnce = 5;

export const createNoes = (options: {
  dice: Dice;
  world: VirtualClock;
  machine: Machine;
  tray: Tray;
  truth: Truth;
  story: Story;
}): Noes => {
  const { dice, world, machine, tray, truth, story } = options;
  const uploads = () => machine.ledger().uploads;
  /** Rows that are or were followed, each with the reason that keeps it back. */
  const seen = new Set<string>();

  const noOf = (row: Upload): No | null => {
    const { state } = row;
    if (isTakenBack(state)) return takenBackRule(state) === 'expired' ? 'no-expired' : 'no-recalled';
    const by = state.kind === 'held' ? state.reason : state.kind === 'skipped' ? state.rule : null;
    return noes.find((no) => no === `no-${String(by)}`) ?? null;
  };

  /** If its content was not read, another file of the same size may have been at its path for a moment. */
  const isOf = ({ sha256, stamp }: Upload, path: string, text: string): boolean =>
    sha256 === null ? stamp?.mtimeMs === tray.disk.mtimeMs(path) : sha256 === sha256Of(text);

  /** The process that can read a file now; null: none. */
  const worker = () => (machine.works() ? machine.life() : null);

  const follow = (row: Upload, no: No): void => {
    const path = `${row.dir}/${row.name}`;
    const text = tray.disk.text(path);
    const sinceMs = world.monoMs();
    const life = worker();
    if (text === null || life === null) return;
    const isAsBefore = (): boolean => {
      const now = uploads().byId(row.id);
      const isSame = now?.present === true && noOf(now) === no && `${now.dir}/${now.name}` === path;
      // The row lacks the last change, maybe because its folder is not watched: the refusal is for the earlier content.
      if (isSame && (now.stamp?.sizeBytes !== text.length || !isOf(now, path, text))) return false;
      return isSame && worker() === life && tray.isReadable(path) && tray.disk.text(path) === text;
    };
    const again = (left: number): void => {
      if (!isAsBefore()) {
        seen.delete(`${row.id} ${no}`);
        return;
      }
      if (left > 0) world.after(readWithinMs / looks, () => again(left - 1));
      else settled(row, text, no, sinceMs);
    };
    again(looks);
  };

  /**
   * A person also gave this file by path, and that upload still waits. The folder may have had another name then, or
   * another file may have taken its place since.
   */
  const isGiven = ({ id, stamp, dir, name }: Upload): boolean => {
    const atPath = uploads().presentAt(null, dir, name);
    const ofFile = stamp === null ? [] : uploads().presentByInode(stamp.inode);
    return [...(atPath === null ? [] : [atPath]), ...ofFile].some(
      (one) => one.id !== id && one.door !== 'folder' && noOf(one) === null,
    );
  };

  const settled = (row: Upload, text: string, no: No, sinceMs: number): void => {
    const path = `${row.dir}/${row.name}`;
    const isTaken = no === 'no-recalled' || no === 'no-expired';
    if (!isTaken && (isGiven(row) || !truth.sayNo(text, path, no, sinceMs))) return;
    if (dice.happens(0.3)) return;
    world.after(dice.spread(1000, 10_800_000), () => {
      if (tray.disk.text(path) !== text) return;
      const done = tray.disturb(path);
      if (done !== null) story.fault(no, `${path} ${done}`);
    });
  };

  const take = (row: Upload | null): void => {
    if (row === null || !row.present) return;
    const no = noOf(row);
    const key = `${row.id} ${String(no)}`;
    if (no === null || seen.has(key)) return;
    seen.add(key);
    follow(row, no);
  };

  return {
    said(ids) {
      for (const id of ids) take(uploads().byId(id));
    },
    look() {
      const kinds = ['held', 'recalled', 'skipped'] as const;
      for (const kind of kinds) {
        const rows = uploads()
          .inState(kind, 200)
          .filter((row) => row.present && noOf(row) !== null && !seen.has(`${row.id} ${String(noOf(row))}`));
        for (let i = 0; i < mostAtOnce && rows.length > 0; i += 1)
          take(rows.splice(dice.whole(0, rows.length - 1), 1)[0] ?? null);
      }
    },
  };
};
