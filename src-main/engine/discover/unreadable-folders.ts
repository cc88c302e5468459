// Folders that could not be read when the folder around them was chosen. What is in them was there before, or may have
// been: it is treated so until they have been read once.
import type { ActiveFolder } from '../shared/folder.ts';
import { relativeTo } from '../shared/paths.ts';
import type { Ports, Stamp } from '../ports.ts';
import { arrivedSince } from '../shared/file-version.ts';

export type Unread = {
  /** Could not be read now: matters in a first scan, and below what has not been read yet. */
  failed(active: ActiveFolder, dir: string): void;
  /** These have been read, and what is below them: what is in them counts as new from now on. */
  read(active: ActiveFolder, dirs: ReadonlySet<string>): void;
  /** Whether a file that nobody has seen before was there when the folder was chosen. */
  wasThere(active: ActiveFolder, dir: string, stamp: Stamp | null): boolean | 'perhaps';
};

export const createUnreadableFolders = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): Unread => {
  const fact = ({ row }: ActiveFolder): string => `unread-${row.id}`;
  /** Asked for with every new file; only this process writes it. */
  const cached = new Map<string, readonly string[]>();

  const load = (active: ActiveFolder): readonly string[] => {
    const known = cached.get(fact(active));
    if (known !== undefined) return known;
    const value = ledger.facts.get(fact(active))?.value;
    const dirs = Array.isArray(value) ? value.filter((dir) => typeof dir === 'string') : [];
    cached.set(fact(active), dirs);
    return dirs;
  };
  const store = (active: ActiveFolder, dirs: readonly string[]): void => {
    if (dirs.length === 0) ledger.facts.remove(fact(active));
    else ledger.facts.set(fact(active), dirs, clock.wallMs());
    cached.set(fact(active), dirs);
  };
  const covers = (active: ActiveFolder, dir: string): boolean =>
    load(active).some((unread) => dir === unread || relativeTo(unread, dir) !== null);

  return {
    failed(active, dir) {
      const dirs = load(active);
      if (dirs.includes(dir) || !(active.isBaseline || covers(active, dir))) return;
      store(active, [...dirs, dir]);
    },
    read(active, dirs) {
      const left = load(active).filter((dir) => !dirs.has(dir));
      if (left.length < load(active).length) store(active, left);
    },
    wasThere(active, dir, stamp) {
      const { chosenAtMs } = active.row;
      if (stamp === null || !covers(active, dir)) return false;
      if (!arrivedSince(stamp, chosenAtMs)) return true;
      // Changed, or moved here, since then: only one that did not exist yet is certainly new.
      return stamp.bornMs !== undefined && stamp.bornMs >= chosenAtMs ? false : 'perhaps';
    },
  };
};
