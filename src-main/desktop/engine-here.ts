// Starts the engine of this process or, where another process has it, follows that one until it ends.
import { readHolder } from '../adapters/system/lock.ts';
import type { compose } from '../compose.ts';
import { watchedPaths } from '../contract/settings.ts';
import type { AppContext } from '../shell/app-context.ts';

/** The engine of another process (`outtray watch`) sends us no events, so we poll its status at this interval. */
const otherEveryMs = 3_000;

const repeat = (act: () => void): (() => void) => {
  const timer = setInterval(act, otherEveryMs);
  return () => clearInterval(timer);
};

export const createEngineHere = (
  composed: Awaited<ReturnType<typeof compose>>,
): Pick<AppContext, 'transport' | 'start' | 'whenAlone'> => {
  const { engine, home, isEngine, ledger, log, settings, transport } = composed;

  const isFree = (): boolean => {
    if (ledger.unwritable !== null) return composed.canBeWritten();
    // A data folder that is gone has no holder either; another start would make a new, empty one.
    ledger.check();
    return engine.trouble() === null && readHolder(home.folder) === null;
  };

  const startWhenDiskIsBack = (): void => {
    const undo = engine.listen(() => {
      if (engine.trouble() !== null) return;
      undo();
      void start();
    });
  };

  const start = async (): Promise<void> => {
    if (!isEngine) return;
    try {
      const [folder = null] = watchedPaths(settings.current());
      await engine.start({ folder, existing: 'skip' });
    } catch (error) {
      log.warn('folder not opened', { error });
      if (engine.trouble() !== null) startWhenDiskIsBack();
    }
  };

  return {
    start,
    transport: {
      call: transport.call,
      listen(hear) {
        const undo = transport.listen(hear);
        if (isEngine) return undo;
        const stop = repeat(() => {
          const status = engine.status();
          // A gap in the numbers: every listener reads everything again.
          hear({ seq: status.seq + 2, kind: 'status', status });
        });
        return () => {
          stop();
          undo();
        };
      },
    },
    whenAlone(act) {
      if (isEngine) return () => undefined;
      const stop = repeat(() => {
        if (!isFree()) return;
        stop();
        act();
      });
      return stop;
    },
  };
};
