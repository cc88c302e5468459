// The watched folders and the programs and people that work in them: writers that pause, editors, downloads, renames,
// copies, a disk that goes away. Each act records in `truth` which content is now at which path.
import type { Files, Found, Watch } from '../../../src-main/engine/ports/files.ts';
import { createFakeDisk, type FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Clock } from '../../../src-main/engine/ports/ports.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import { createHands, type Acts } from './hands.ts';
import { createSwaps } from './swaps.ts';
import { createMount, createDiskFaults } from './disk-faults.ts';
import { createDrives } from './drives.ts';
import { createFolderMoves } from './folder-moves.ts';
import { firstFolder, type Folders } from './folders.ts';
import type { Truth } from './truth.ts';
import { createWriters } from './writers.ts';

export type Tray = {
  disk: FakeDisk;
  /** The files as the engine sees them. */
  files: Files;
  /** The changes as the engine sees them: late, in parts, and sometimes not at all. */
  watch: Watch;
  /** One act of a person or a program in the folder. */
  act(): void;
  /** A person copies this many files into a folder. Returns their paths. */
  copyIn(count: number, into?: string): string[];
  /** Files that were there before the folder was chosen. */
  furnish(): void;
  /** Makes all files unlocked, readable and present; lets all writers finish. */
  settleDown(): void;
  /** Every file in this folder, with its path; not `isDeep`: without those in subfolders. */
  all(folder: string, isDeep: boolean): Promise<{ path: string; found: Found }[]>;
  isMounted(): boolean;
  /** The disk or folder of this path is there. */
  isHere(path: string): boolean;
  /** The drive of this folder is there, and the right one. */
  isDriveHere(folder: string): boolean;
  /** The file is there and readable. */
  isReadable(path: string): boolean;
  /** A folder of the machine's own disk whose watch reports every change. */
  isPlain(folder: string): boolean;
  /** Changes this file but not its content. Returns what it did; null: the file is busy. */
  disturb(path: string): string | null;
  /** A process begins. */
  restarted(): void;
  /** Watched folders or their rules have changed. */
  judgeAgain(): void;
  /** This folder is watched from now on. The files in it count as existing, unless the user wants them. */
  added(folder: string, existing: 'skip' | 'upload'): void;
  /** The data folder is copied. Call the result when the copy is restored: it lacks folders that were added since. */
  backUp(): () => void;
  /** Whether writers are invisible: then only a quiet period keeps a partial file from going up. */
  isUnseen(): boolean;
  /** The path of a file that is there, or null. */
  somePath(): string | null;
  /** A program saves this file at once, in place, with the same length. */
  saveOver(path: string): void;
  /** A person puts a link in the place of this file's folder. */
  swapUnder(path: string): void;
};

export const root = firstFolder;
const dirs = [root, root, `${root}/sub`, `${root}/sub/deep`, `${root}/two words`, `${root}/.hidden`];
const names = [
  'a.txt',
  'b.txt',
  'Photo 1.jpg',
  'Photo 2.jpg',
  'report.pdf',
  'notes.txt',
  'nämen.txt',
  'x"y.bin',
  'id_rsa',
  'site.pem',
  'app.log',
  '.profile',
  'draft.tmp',
];
const sizes = [12, 12, 40, 40, 300, 2000];
const dirsOf = (folder: string): string[] =>
  folder === root ? dirs : [folder, folder, `${folder}/sub`, `${folder}/.hidden`];
/** File times are coarse: a file that changed this shortly before its folder was added may count as new. */
const grainMs = 60_000;

const keptName = '/kept.txt';

export const createTray = (options: {
  dice: Dice;
  world: VirtualClock;
  /** Sleeps with the machine. */
  clock: Clock;
  truth: Truth;
  story: Story;
  folders: Folders;
  /** A drive has begun to hang. */
  hung: () => void;
  /** Whether the ledger has a file with this inode number. */
  knowsInode: (inode: string) => boolean;
  /** Whether the ledger has a file at this path. */
  knowsPath: (path: string) => boolean;
  /** An older data folder was restored, and its ledger does not have an upload of this content. */
  isForgotten: (text: string) => boolean;
}): Tray => {
  const { dice, world, clock, truth, story, folders } = options;
  const disk = createFakeDisk(world, root);
  const existing = new Set<string>();
  const paths = new Set<string>();
  const locked = new Set<string>();
  /** The writers are another user's programs: no process shows that they have a file open. */
  const isUnseen = dice.stream('unseen writers').happens(0.15);
  if (isUnseen) disk.hideWriters('hidden');
  const mounted = createMount(disk, (isOther) => drives.exchange(root, isOther));
  let isLossy = dice.happens(0.3);
  let serial = 0;

  const isHere = (path: string): boolean => {
    const folder = folders.of(path);
    if (folder === null || !drives.isHere(folder)) return false;
    return folder === root ? mounted.isHere() : moves.isHere(folder);
  };
  const isFree = (path: string): boolean =>
    isHere(path) && !writers.isBusy(path) && !locked.has(path) && !swaps.isAway(path);
  const anyFree = (): string | null => {
    const free = [...paths].filter(isFree);
    return free.length === 0 ? null : dice.pick(free);
  };
  const newPath = (): string => {
    const base = dice.pick(names);
    const name = dice.happens(0.4) ? base : base.replace(/^(.*?)(\.\w+)?$/, `$1-${(serial += 1)}$2`);
    return `${someDir()}/${name}`;
  };
  const someDir = (): string => {
    const folder = someFolder();
    const dir = dice.pick(dirsOf(folder));
    return swaps.isAway(`${dir}/`) ? folder : dir;
  };
  /** One that is there. */
  const someFolder = (): string => {
    const here = folders.paths.filter(isHere);
    return here.length < 2 ? (here[0] ?? root) : dice.pick(here);
  };
  const stands = (path: string, isNewFile: boolean): void => {
    const text = disk.text(path);
    if (text === null) return;
    touched(path);
    story.note(`folder has ${path} ${text.slice(0, 5)}${isNewFile ? ' new' : ''}`);
    paths.add(path);
    truth.stands(text, path, { isNewFile, isExisting: existing.has(path) });
  };
  /** Another file with a former content. To a ledger that does not have that content, the file is new. */
  const standsAgain = (path: string): void => stands(path, options.isForgotten(disk.text(path) ?? ''));
  const touchedAtMs = new Map<string, number>();
  const touched = (path: string): void => void touchedAtMs.set(path, world.monoMs());
  const compose = (): string => truth.compose(dice.pick(sizes));

  const writers = createWriters({
    dice,
    world,
    disk,
    story,
    isHere,
    // A pause longer than the quiet period of ten seconds looks like the end of the writing.
    longestPauseMs: isUnseen ? 8000 / 1.2 : 60_000,
    begun: (path) => paths.add(path),
    closed: stands,
  });

  const move = (from: string, to: string): void => {
    story.note(`folder renames ${from} ${to}`);
    disk.rename(from, to);
    moved(from, to);
  };
  /** For each pre-existing file the folder in which it was. */
  const wasIn = new Map<string, string | null>();
  /** Whether the engine knew a pre-existing file at this path as such. */
  const isKnownBefore = (path: string): boolean => {
    const folder = folders.of(path);
    if (folder === null || !folders.isWatched(folder) || !folders.isJudged(folder)) return false;
    const isRead = folders.isDeep(folder) || path.lastIndexOf('/') === folder.length;
    return isRead && !flat.has(folder);
  };
  /** Pre-existing files that another file with the same content has replaced. */
  const copies = new Set<string>();
  /** Folders whose subfolders were left out at some time of this day. */
  const flat = new Set<string>();
  const moved = (from: string, to: string): void => {
    truth.moved(from, to);
    paths.delete(from);
    paths.delete(to);
    const wasThere = existing.delete(from);
    existing.delete(to);
    // A pre-existing file stays one under its new name. It counts as new if its old name kept it back, because the
    // user who renames it wants it there, and also if it comes from a folder that is not watched.
    // On a drive with unstable inode numbers nothing distinguishes a renamed file from a new one. The same holds for
    // a file that replaced a pre-existing one if the engine did not look there before the rename.
    const isSeen = !copies.delete(from) || options.knowsInode(disk.inode(to));
    const isKnown = isKnownBefore(from) && drives.keepsNumber(from, to) && isSeen;
    if (wasThere && folders.nameRule(from) === null && isKnown) {
      existing.add(to);
      wasIn.set(to, wasIn.get(from) ?? folders.of(from));
    }
    stands(to, false);
  };
  const backUp = (): (() => void) => {
    const known = new Set(existing);
    return () => {
      for (const path of existing) if (!known.has(path)) existing.delete(path);
    };
  };
  const wished = new Set<string>();
  const judgeAgain = (): void => {
    for (const folder of folders.paths) if (!folders.isDeep(folder)) flat.add(folder);
    for (const path of [...existing]) {
      const from = wasIn.get(path) ?? null;
      if (from !== null && from !== folders.of(path) && !folders.isWatched(from)) existing.delete(path);
    }
    const standing = [...paths].flatMap((path) => {
      const text = disk.text(path);
      return text === null ? [] : [{ path, text, isExisting: existing.has(path) }];
    });
    truth.judgeAgain(standing, world.monoMs());
  };

  const drives = createDrives({
    dice: dice.stream('drives'),
    world,
    clock,
    disk,
    story,
    folders: folders.paths,
    pathsIn: (dir) => [...paths].filter((path) => path.startsWith(`${dir}/`)),
    isKnown: folders.isJudged,
    hung: options.hung,
    back: () => judgeAgain(),
  });
  const moves = createFolderMoves({
    dice: dice.stream('folder moves'),
    world,
    disk,
    story,
    folders: folders.paths.filter((path) => path !== root && !drives.isApart(path)),
    pathsIn: (dir) => [...paths].filter((path) => path.startsWith(`${dir}/`)),
    isFree,
    isHere,
    moved,
    leave(leaving) {
      const fresh = leaving.filter((path) => !existing.has(path));
      return () => {
        for (const path of fresh) existing.delete(path);
      };
    },
    back: judgeAgain,
  });

  const diskFaults = createDiskFaults({
    dice,
    world,
    disk,
    story,
    mounted,
    locked,
    anyFree,
    root,
    dirs: dirs.slice(2, 5),
  });
  const swaps = createSwaps({
    dice: dice.stream('swaps'),
    world,
    disk,
    story,
    isMounted: () => mounted.isHere(),
    dirs: [`${root}/sub/deep`, `${root}/two words`],
    pathsIn: (dir) => [...paths].filter((path) => path.startsWith(`${dir}/`)),
    isFree,
    anyFree,
    back(path) {
      for (const one of [...paths]) if (one === path || one.startsWith(`${path}/`)) cameBack(one);
    },
  });
  /** The file or folder was away and is back: it counts as new, because a person brought it back. */
  const cameBack = (path: string): void => {
    existing.delete(path);
    stands(path, false);
  };
  const hands = createHands({
    dice,
    world,
    disk,
    story,
    paths,
    existing,
    isHere,
    isFree,
    anyFree,
    newPath,
    someDir,
    nextSerial: () => (serial += 1),
    compose,
    lost: truth.lost,
    composeOf: truth.compose,
    stands,
    // The engine takes a file that it did not know before for a new one, because of the file's time.
    touched(path) {
      touched(path);
      if (!isKnownBefore(path)) existing.delete(path);
    },
    move,
    // If the engine did not know the file before, another one at its path is new.
    copiedOver(path) {
      if (!isKnownBefore(path) || !options.knowsPath(path)) existing.delete(path);
      if (existing.has(path)) copies.add(path);
      standsAgain(path);
    },
    standsAgain,
    writeSlowly: writers.write,
  });
  const acts: Acts = {
    ...swaps.acts,
    ...hands.acts,
    ...diskFaults.acts,
    ...moves.acts,
    ...drives.acts,
    link: [
      0.5,
      () => {
        const path = `${someDir()}/link-${(serial += 1)}`;
        disk.make(path, dice.pick(['link', 'special']));
      },
    ],
  };
  /** A file that no act moves or changes. It identifies a drive that nothing else identifies. */
  const keepOne = (folder: string): void => {
    const path = `${folder}${keptName}`;
    disk.write(path, compose());
    const text = disk.text(path) ?? '';
    truth.stands(text, path, { isNewFile: true, isExisting: false });
    truth.consent(path, text, false);
  };
  const weights = Object.values(acts).reduce((sum, [weight]) => sum + weight, 0);

  return {
    disk,
    files: drives.files,
    watch: {
      start: (given) =>
        disk.watch.start({
          ...given,
          sighted: (batch) => {
            if (drives.isShared(given.root) && dice.happens(0.7)) {
              story.fault('change-untold');
              return;
            }
            if (isLossy && dice.happens(0.02)) {
              story.fault('hint-dropped');
              return;
            }
            const delayMs = dice.happens(0.8) ? dice.spread(1, 50) : dice.spread(50, 5000);
            clock.after(delayMs, () => {
              if (!given.signal.aborted) given.sighted(batch);
            });
          },
        }),
    },
    act() {
      if (!folders.paths.some(isHere)) return;
      let left = dice.chance() * weights;
      for (const [weight, act] of Object.values(acts)) {
        left -= weight;
        if (left > 0) continue;
        act();
        return;
      }
    },
    copyIn(count, into) {
      const folder = into ?? someFolder();
      if (!isHere(folder)) return [];
      return Array.from({ length: count }, () => {
        const path = `${folder}/copied ${(serial += 1)}.txt`;
        disk.write(path, compose());
        stands(path, true);
        return path;
      });
    },
    furnish() {
      for (const dir of new Set(dirs)) if (dir !== root) disk.make(dir, 'folder');
      for (let i = dice.whole(0, 6); i > 0; i -= 1) {
        const path = `${dice.pick(dirs)}/old ${i}.txt`;
        existing.add(path);
        disk.write(path, compose());
        stands(path, true);
      }
      for (const folder of folders.paths.slice(1)) {
        for (const dir of new Set(dirsOf(folder))) disk.make(dir, 'folder');
        if (drives.isApart(folder)) keepOne(folder);
        for (let i = dice.whole(0, 2); i > 0; i -= 1) {
          const path = `${dice.pick(dirsOf(folder))}/old ${i}.txt`;
          if (folders.isWatched(folder)) existing.add(path);
          disk.write(path, compose());
          stands(path, true);
        }
      }
    },
    settleDown() {
      mounted.set('here');
      moves.comeBack();
      drives.end();
      isLossy = false;
      swaps.end();
      diskFaults.end();
      writers.finishAll();
      moves.moveBack();
    },
    async all(folder, isDeep) {
      const files: { path: string; found: Found }[] = [];
      const pending = [folder];
      for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
        const listing = await disk.files.list(dir);
        if (!listing.ok) continue;
        for (const found of listing.found) {
          const path = `${dir}/${found.name}`;
          if (found.type !== 'folder') files.push({ path, found });
          else if (isDeep) pending.push(path);
        }
      }
      return files;
    },
    isMounted: () => mounted.isHere(),
    isHere,
    isReadable: (path) => isFree(path) && !diskFaults.isUnreadable(path),
    isPlain: (folder) => isHere(folder) && !drives.isApart(folder) && diskFaults.isTelling() && !isLossy,
    isDriveHere: drives.isHere,
    disturb: hands.disturb,
    restarted: drives.restarted,
    judgeAgain,
    backUp,
    added(folder, wish) {
      if (wish === 'upload') wished.add(folder);
      const hasJumped = story.faults.has('clock-forward') || story.faults.has('clock-back');
      for (const path of paths) {
        if (folders.of(path) !== folder) continue;
        // A newer wish, for a file of which the engine knows nothing where it is now.
        if (wish === 'upload' && !options.knowsPath(path)) truth.askMoment(disk.text(path) ?? '', null);
        const isOld = world.monoMs() - (touchedAtMs.get(path) ?? Infinity) > grainMs;
        if (wished.has(folder)) existing.delete(path);
        else if (isOld && !hasJumped && !writers.isBusy(path)) existing.add(path);
      }
    },
    isUnseen: () => isUnseen,
    somePath: anyFree,
    saveOver(path) {
      const text = isFree(path) ? disk.text(path) : null;
      if (text === null || path.endsWith(keptName)) return;
      disk.write(path, truth.compose(text.length));
      stands(path, false);
    },
    swapUnder: swaps.swapUnder,
  };
};
