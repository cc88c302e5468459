// The start of the thread that searches long texts, and loading the modules that send requests, take long. Both begin
// while the ledger is opened and the file is recorded.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Early } from '../../compose.ts';
import { headBytes, kindOf } from '../../engine/inspect/content.ts';

/** A drive that takes longer is not waited for. */
const mostMs = 10;

/** Looks only at the first file. Its errors are reported when its turn comes. */
export const expectUpload = async (
  { files, settings, expectText }: Early,
  [first]: readonly string[],
): Promise<void> => {
  const begin = async (path: string): Promise<void> => {
    const file = await files.open(path, null);
    try {
      if (kindOf(await file.head(headBytes)) === 'text') expectText(file.stamp.sizeBytes);
    } finally {
      await file.close();
    }
  };
  if (first !== undefined && settings.current().lookInside)
    await Promise.race([begin(first).catch(() => undefined), sleep(mostMs, undefined, { ref: false })]);
  // If this fails, the upload loads it again and reports the fault.
  const carriers = [import('../../adapters/api/exchange.ts'), import('../../adapters/api/connect.ts')];
  void Promise.all(carriers).catch(() => undefined);
};
