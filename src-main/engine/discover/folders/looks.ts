// The looks at the watched folders. Each runs beside the turns of discovery, at most one at a time for each folder, so a
// folder that answers slowly delays its own files only.
import { AppError, toAppError } from '../../../contract/errors.ts';
import { isByPerson } from '../../../contract/model.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Core } from '../../state/core.ts';
import type { createScanner, FolderLook } from '../scan.ts';
import type { OpenFolder } from './open-folder.ts';
import type { Post } from './post.ts';
import type { Watching } from './watching.ts';

/** A turn waits this long for a look. Nearly every look ends within it, and its files go on in the same turn. */
const patienceMs = 50;
/** For this long a look may still find more files that belong to the same question. */
const questionMs = 5000;

/** A look that is under way. `waiting`: the rows that are taken up when it has ended. */
type Running = { sinceMs: number; waiting: Set<number>; recording: Promise<void> | null };

export const createLooks = (
  { ports: { clock }, work: { signal } }: Pick<Core, 'ports' | 'work'>,
  watching: Pick<Watching, 'active' | 'activeOf'>,
  {
    scannerFor,
    takeUp,
    wake,
  }: {
    scannerFor: (look: FolderLook) => ReturnType<typeof createScanner>;
    /** The look for which this row waited has ended. */
    takeUp: (id: number) => void;
    wake: () => void;
  },
) => {
  const running = new Map<OpenFolder, Running>();
  /** The look at these has ended beside the turns. Before the next one, their files get a turn. */
  const seen = new WeakSet<OpenFolder>();
  const faults: AppError[] = [];

  const isWatched = (folder: OpenFolder): boolean => watching.activeOf(folder.row.id) === folder;

  const lookAt = async (post: Post, now: Running): Promise<void> => {
    const { folder, marks } = post;
    const { rules } = folder;
    const demandCurrent = (): void => {
      if (!isWatched(folder) || folder.rules !== rules) throw outdated();
    };
    const scanner = scannerFor({
      demandCurrent,
      async heard(answer) {
        const given = await answer;
        if (signal.aborted) throw outdated();
        demandCurrent();
        return given;
      },
      async recording(work) {
        now.recording = work;
        await work;
      },
    });
    try {
      await marks.scanWith(() => scanner.scan(folder));
      for (const { dir, names } of marks.takeDirty()) {
        if (names === null) await scanner.list(folder, dir);
        else for (const name of names) await scanner.look(folder, dir, name);
      }
    } catch (error) {
      // The marks of this work are already removed. Only a scan finds the rest.
      marks.requestScan();
      if (signal.aborted || !isWatched(folder)) return;
      // By other rules it begins again at once: its files still wait until all are known.
      if (folder.rules !== rules) await lookAt(post, now);
      else faults.push(toAppError(error));
    }
  };

  const takeUpAll = ({ waiting }: Running): void => {
    for (const id of waiting) takeUp(id);
    waiting.clear();
  };

  const isDue = ({ folder, marks }: Post): boolean => marks.hasWork() && !running.has(folder);

  /** Begins a look if one is due. Resolves when it has ended, or goes on beside. */
  const begin = async (post: Post): Promise<void> => {
    const { folder } = post;
    // A turn that is to throw begins none.
    if (faults.length > 0 || seen.delete(folder) || !isDue(post)) return;
    const now: Running = { sinceMs: clock.monoMs(), waiting: new Set(), recording: null };
    running.set(folder, now);
    const late = Promise.withResolvers<void>();
    const disarm = clock.after(patienceMs, late.resolve);
    let isBeside = false;
    const ended = lookAt(post, now).then(() => {
      running.delete(folder);
      disarm();
      if (!isBeside) return;
      if (faults.length === 0) seen.add(folder);
      takeUpAll(now);
      wake();
    });
    await Promise.race([ended, late.promise]);
    isBeside = true;
  };

  const runningAt = ({ folderId }: Pick<Upload, 'folderId'>): Running | undefined => {
    const folder = watching.activeOf(folderId);
    return folder === null ? undefined : running.get(folder);
  };

  return {
    /** Begins those that are due. Throws what one of them has thrown. */
    async turn(): Promise<void> {
      for (const [folder, now] of running) if (!isWatched(folder)) takeUpAll(now);
      for (const post of watching.active()) await begin(post);
      const [fault] = faults.splice(0);
      if (fault !== undefined) throw fault;
    },
    /**
     * Its folder is being looked at: its files are judged together, when all are known. What a person gives by path is
     * known to be complete.
     */
    holdBack: (row: Pick<Upload, 'folderId' | 'door'>): boolean =>
      !isByPerson(row.door) && runningAt(row) !== undefined,
    /** The row is taken up when the look has ended. */
    putOff: (row: Pick<Upload, 'id' | 'folderId'>): void => void runningAt(row)?.waiting.add(row.id),
    areDue: (): boolean => watching.active().some(isDue),
    areUnderWay: (): boolean => watching.active().some(({ folder }) => running.has(folder)),
    areNone: (): boolean => running.size === 0,
    haveJustBegun: (): boolean =>
      [...running.values()].some(({ sinceMs }) => clock.monoMs() - sinceMs < questionMs),
    /** Waits for no answer of a disk. */
    async stop(): Promise<void> {
      await Promise.allSettled([...running.values()].flatMap(({ recording }) => recording ?? []));
    },
  };
};

export type Looks = ReturnType<typeof createLooks>;

const outdated = (): AppError => new AppError('aborted', 'Another look is made, or none.');
