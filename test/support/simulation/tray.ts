// The folder and those who work in it: writers that pause, editors, downloads, renames, copies, a disk that goes away.
// Each act tells the truth what stands where now.
import type { Found, Watch } from '../../../src-main/engine/ports.ts';
import { createFakeDisk, type FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Clock } from '../../../src-main/engine/ports.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import { keptBack, type Truth } from './truth.ts';

export type Tray = {
  disk: FakeDisk;
  /** What the engine sees of the changes: late, in parts, and at times not at all. */
  watch: Watch;
  /** One act of somebody in the folder. */
  act(): void;
  /** Files that were there before the folder was chosen. */
  furnish(): void;
  /** Everything is let go, readable and there; what is being written is finished. */
  settleDown(): void;
  /** Every file in the folder, with its path. */
  all(): Promise<{ path: string; found: Found }[]>;
  isMounted(): boolean;
  /** A path that is there, or null. */
  somePath(): string | null;
  /** How many files hold this. */
  copiesOf(text: string): number;
};

export const root = '/tray';
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
/** Few, so that names and sizes meet. */
const sizes = [12, 12, 40, 40, 300, 2000];

export const createTray = (options: {
  dice: Dice;
  world: VirtualClock;
  /** Sleeps with the machine. */
  clock: Clock;
  truth: Truth;
  story: Story;
}): Tray => {
  const { dice, world, clock, truth, story } = options;
  const disk = createFakeDisk(world, root);
  const busy = new Map<string, () => void>();
  const existing = new Set<string>();
  const paths = new Set<string>();
  const locked = new Set<string>();
  const unreadable = new Set<string>();
  let mount: 'here' | 'gone' | 'another' = 'here';
  let isLossy = dice.happens(0.3);
  let serial = 0;

  const isFree = (path: string): boolean => !busy.has(path) && !locked.has(path);
  const anyFree = (): string | null => {
    const free = [...paths].filter(isFree);
    return free.length === 0 ? null : dice.pick(free);
  };
  const newPath = (): string => {
    const base = dice.pick(names);
    const name = dice.happens(0.4) ? base : base.replace(/^(.*?)(\.\w+)?$/, `$1-${(serial += 1)}$2`);
    return `${dice.pick(dirs)}/${name}`;
  };
  const stands = (path: string, isNewFile: boolean): void => {
    const text = disk.text(path);
    if (text === null) return;
    story.note(`folder has ${path} ${text.slice(0, 5)}${isNewFile ? ' new' : ''}`);
    paths.add(path);
    truth.stands(text, path, { isNewFile, isExisting: existing.has(path) });
  };
  const compose = (): string => truth.compose(dice.pick(sizes));

  /** Written in parts with pauses, open all the while; `then` when it is closed. */
  const writeSlowly = (
    path: string,
    text: string,
    isNewFile: boolean,
    then: () => void = () => undefined,
  ): void => {
    const parts = dice.whole(1, 5);
    story.note(`folder begins ${path} ${text.slice(0, 5)}`);
    const pauseMs = dice.spread(50, 60_000);
    let written = 0;
    let release = (): void => undefined;
    const finish = (): void => {
      undo();
      if (mount !== 'here') {
        undo = world.after(5000, finish);
        return;
      }
      if (written < text.length) disk.write(path, text);
      release();
      busy.delete(path);
      stands(path, isNewFile);
      then();
    };
    let undo = (): void => undefined;
    const next = (): void => {
      if (mount !== 'here') {
        undo = world.after(5000, next);
        return;
      }
      const part = Math.ceil(text.length / parts);
      if (written === 0) {
        disk.write(path, text.slice(0, part));
        release = disk.holdOpen(path);
        paths.add(path);
      } else disk.append(path, text.slice(written, written + part));
      written = Math.min(text.length, written + part);
      undo = world.after(pauseMs * (0.2 + dice.chance()), written < text.length ? next : finish);
    };
    busy.set(path, finish);
    next();
  };

  const move = (from: string, to: string): void => {
    story.note(`folder renames ${from} ${to}`);
    disk.rename(from, to);
    truth.moved(from, to);
    paths.delete(from);
    paths.delete(to);
    const wasThere = existing.delete(from);
    existing.delete(to);
    // What its name kept back and gets another one is put there by whoever renames it.
    if (wasThere && keptBack(from) === null) existing.add(to);
    stands(to, false);
  };

  const acts: Record<string, [weight: number, act: () => void]> = {
    put: [
      6,
      () => {
        const path = newPath();
        if (paths.has(path)) return;
        disk.write(path, compose());
        stands(path, true);
      },
    ],
    'put-many': [
      1,
      () => {
        for (let i = dice.whole(3, 30); i > 0; i -= 1) {
          const path = `${dice.pick(dirs)}/many ${(serial += 1)}.dat`;
          disk.write(path, compose());
          stands(path, true);
        }
      },
    ],
    'write-slowly': [
      4,
      () => {
        const path = newPath();
        if (!paths.has(path)) writeSlowly(path, compose(), true);
      },
    ],
    'edit-in-place': [
      3,
      () => {
        const path = anyFree();
        if (path !== null) writeSlowly(path, compose(), false);
      },
    ],
    'save-atomically': [
      3,
      () => {
        const path = anyFree();
        if (path === null) return;
        const aside = `${path}~`;
        if (paths.has(aside)) return;
        writeSlowly(aside, compose(), true, () => {
          if (mount !== 'here' || !isFree(path)) return;
          existing.delete(path);
          move(aside, path);
        });
      },
    ],
    download: [
      2,
      () => {
        const path = newPath();
        const part = `${path}.part`;
        if (paths.has(path) || paths.has(part)) return;
        writeSlowly(part, compose(), true, () => {
          if (mount === 'here' && !paths.has(path)) move(part, path);
        });
      },
    ],
    rename: [
      3,
      () => {
        const from = anyFree();
        const to = newPath();
        if (from !== null && !paths.has(to)) move(from, to);
      },
    ],
    copy: [
      2,
      () => {
        const from = anyFree();
        const to = newPath();
        const text = from === null ? null : disk.text(from);
        if (text === null || paths.has(to)) return;
        disk.write(to, text);
        stands(to, true);
      },
    ],
    delete: [
      2,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.note(`folder loses ${path}`);
        disk.remove(path);
        paths.delete(path);
        existing.delete(path);
      },
    ],
    touch: [
      2,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.note(`folder touches ${path}`);
        disk.touch(path);
      },
    ],
    lock: [
      1,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.fault('locked-file');
        locked.add(path);
        disk.lock(path, true);
        world.after(dice.spread(1000, 3_600_000), () => unlock(path));
      },
    ],
    unreadable: [
      1,
      () => {
        const path = dice.happens(0.5) ? anyFree() : dice.pick(dirs.slice(2, 5));
        if (path === null) return;
        story.fault('unreadable');
        unreadable.add(path);
        disk.hide(path, true);
        world.after(dice.spread(1000, 3_600_000), () => disk.hide(path, false));
      },
    ],
    unmount: [
      0.5,
      () => {
        if (mount !== 'here') return;
        story.fault('unmounted');
        mount = dice.happens(0.3) ? 'another' : 'gone';
        disk.mount(mount);
        world.after(dice.spread(1000, 7_200_000), remount);
      },
    ],
    'degrade-watch': [
      0.5,
      () => {
        story.fault('watch-degraded');
        disk.degrade({ kind: 'degraded', message: 'Too few watches.' });
        world.after(dice.spread(60_000, 7_200_000), () => disk.degrade({ kind: 'live' }));
      },
    ],
    'lose-hints': [
      0.5,
      () => {
        story.fault('hints-lost');
        disk.hints(false);
        world.after(dice.spread(1000, 600_000), () => {
          disk.hints(true);
          if (dice.happens(0.5)) disk.hint({ folder: root, name: null, everything: true });
        });
      },
    ],
    link: [
      0.5,
      () => {
        const path = `${dice.pick(dirs)}/link-${(serial += 1)}`;
        disk.make(path, dice.pick(['link', 'special']));
      },
    ],
  };
  const unlock = (path: string): void => {
    if (!locked.delete(path)) return;
    if (mount === 'here' && disk.text(path) !== null) disk.lock(path, false);
    else locked.add(path);
  };
  const remount = (): void => {
    mount = 'here';
    disk.mount('here');
  };
  const weights = Object.values(acts).reduce((sum, [weight]) => sum + weight, 0);

  return {
    disk,
    watch: {
      start: (given) =>
        disk.watch.start({
          ...given,
          sighted: (batch) => {
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
      if (mount !== 'here') return;
      let left = dice.chance() * weights;
      for (const [weight, act] of Object.values(acts)) {
        left -= weight;
        if (left > 0) continue;
        act();
        return;
      }
    },
    furnish() {
      for (const dir of new Set(dirs)) if (dir !== root) disk.make(dir, 'folder');
      for (let i = dice.whole(0, 6); i > 0; i -= 1) {
        const path = `${dice.pick(dirs)}/old ${i}.txt`;
        existing.add(path);
        disk.write(path, compose());
        stands(path, true);
      }
    },
    settleDown() {
      remount();
      isLossy = false;
      for (const path of [...locked]) unlock(path);
      for (const path of unreadable) disk.hide(path, false);
      for (const finish of [...busy.values()]) finish();
      disk.hints(true);
      disk.degrade({ kind: 'live' });
    },
    async all() {
      const files: { path: string; found: Found }[] = [];
      const pending = [root];
      for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
        const listing = await disk.files.list(dir);
        if (!listing.ok) continue;
        for (const found of listing.found) {
          const path = `${dir}/${found.name}`;
          if (found.type === 'folder') pending.push(path);
          else files.push({ path, found });
        }
      }
      return files;
    },
    isMounted: () => mount === 'here',
    somePath: anyFree,
    copiesOf: (text) => [...paths].filter((path) => disk.text(path) === text).length,
  };
};
