// Counts what a process holds: timers that are set, files that are open (I11).
import type { Clock } from '../../../src-main/engine/ports/ports.ts';
import type { Files } from '../../../src-main/engine/ports/files.ts';
import type { Life } from '../fake-process.ts';
import type { Story } from './story.ts';

/** Six uploads at once and the few that are being compared. */
const mostHandles = 10;
/** A few for each stage and each request; more is a leak. */
const mostTimers = 50;

export const countedTimers = (story: Story, inner: Clock): Clock => {
  let timers = 0;
  return {
    ...inner,
    after(delayMs, act) {
      timers += 1;
      story.bounded('timers', timers, mostTimers);
      let isSet = true;
      const over = (): void => {
        if (isSet) timers -= 1;
        isSet = false;
      };
      const undo = inner.after(delayMs, () => {
        over();
        act();
      });
      return () => {
        over();
        undo();
      };
    },
  };
};

/** Everything that the engine may call on the folder; anything else could write into it (I7). */
const ways: Record<keyof Files, true> = {
  identify: true,
  disk: true,
  mounts: true,
  list: true,
  look: true,
  spell: true,
  place: true,
  open: true,
  seesWriters: true,
  openForWriting: true,
};

export const onlyReading = (story: Story, files: Files): Files =>
  new Proxy(files, {
    get(target, name) {
      if (typeof name === 'string' && !Object.hasOwn(ways, name))
        story.violated('I7', `the folder was asked to ${name}`);
      return Reflect.get(target, name) as unknown;
    },
  });

export type Handles = { files(life: Life): Files; now(): number; forget(): void };

/** Handles close with their process, so only those of the running one count. */
export const countedHandles = (story: Story, files: Files): Handles => {
  let handles = 0;
  return {
    now: () => handles,
    forget() {
      handles = 0;
    },
    files(life) {
      const count = (change: number): void => {
        if (life.isOver()) return;
        handles += change;
        story.bounded('open files', handles, mostHandles);
      };
      return {
        ...files,
        async open(path, root) {
          const open = await files.open(path, root);
          count(1);
          return {
            ...open,
            async close() {
              count(-1);
              await open.close();
            },
          };
        },
      };
    },
  };
};
