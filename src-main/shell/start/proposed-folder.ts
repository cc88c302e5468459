// The folder that is proposed at first run.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';

export const proposedFolder = (): string => path.join(app.getPath('home'), 'Outtray');

/** Creates it when the user accepts it; the app creates no other folder. True: it did not exist. */
export const makeProposed = async (): Promise<boolean> =>
  // The choice that follows reports a failure.
  (await mkdir(proposedFolder(), { recursive: true }).catch(() => undefined)) !== undefined;
