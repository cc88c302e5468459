// Whether the Outtray that runs uploads to the address that this process names.
import { eachHandler, type Handlers } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import type { SettingsPort } from '../../engine/ports/ports.ts';
import { isStaying, readHolder, type Holder } from './lock.ts';

type Known = { settings: Pick<SettingsPort, 'current'> };

/**
 * For a process beside the one with the engine. Throws `bad-use` where that one stays and has another address: it would
 * make the file public there.
 */
export const requireSameAddress = ({ holder, settings }: Known & { holder: Holder | null }): void => {
  const running = isStaying(holder) ? holder?.address : undefined;
  const { baseUrl } = settings.current();
  if (running === undefined || baseUrl === null || baseUrl === running) return;
  throw new AppError(
    'bad-use',
    `Outtray runs and uploads to ${running}, not to ${baseUrl}. Nothing is uploaded.`,
    'Quit it first, or use a profile for the other address (`--profile NAME`).',
  );
};

/** The handlers of such a process: those that send throw the same. Who has the engine is asked each time. */
export const withSameAddress = (handlers: Handlers, folder: string, known: Known): Handlers =>
  eachHandler(handlers, ({ sends }, handle) =>
    sends === undefined
      ? handle
      : (input: { choice?: unknown }, signal) => {
          if (sends === 'always' || input.choice === 'again')
            requireSameAddress({ ...known, holder: readHolder(folder) });
          return handle(input as never, signal);
        },
  );
