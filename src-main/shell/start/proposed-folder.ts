// The folder that is proposed at first run.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';

export const proposedFolder = (): string => path.join(app.getPath('home'), 'Outtray');

/** Makes it when the user starts with it; no other folder is ever made. True: it was not there. */
export const makeProposed = async (): Promise<boolean> =>
  // What went wrong is said by the choice that follows.
  (await mkdir(proposedFolder(), { recursive: true }).catch(() => undefined)) !== undefined;
