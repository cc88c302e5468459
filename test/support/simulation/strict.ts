// A file that the rules keep back no longer leaves some time after they changed (I16).
import type { Stored } from './account.ts';
import type { Story } from './story.ts';
import type { Truth } from './truth.ts';

/** Longer than the engine takes to judge all files again and to finish what is under way. */
const judgedWithinMs = 900_000;

export const createStrict = (options: { truth: Truth; nowMs: () => number; story: Story }) => {
  const { truth, nowMs, story } = options;
  let calmSinceMs = nowMs();
  return {
    /** The engine starts, wakes up, or can write again. */
    disturbed() {
      calmSinceMs = nowMs();
    },
    created(file: Stored) {
      const since = truth.content(file.content)?.keptBackSinceMs ?? null;
      const begunAtMs = file.request !== null && 'atMs' in file.request ? Number(file.request.atMs) : nowMs();
      if (since === null || file.by !== 'us') return;
      const lateMs = begunAtMs - Math.max(since, calmSinceMs);
      if (lateMs > judgedWithinMs)
        story.violated(
          'I16',
          `${file.name} left ${Math.round(lateMs / 1000)} s after its folder kept it back`,
        );
    },
  };
};

export type Strict = ReturnType<typeof createStrict>;
