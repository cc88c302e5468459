// The line of a secret, for the person who decides about its file. It is read each time and stored nowhere: the ledger
// has only its rule and its number.
import { foundInLine } from '../../../contract/model.ts';
import { contentBytes } from '../../inspect/content.ts';
import type { Ports } from '../../ports/ports.ts';
import { rootOf } from '../../shared/folder.ts';
import { joinPath } from '../../shared/paths.ts';

/** The answer comes within this time, because a drive may hang. */
const mostMs = 3_000;

type Port = Pick<Ports, 'clock' | 'files' | 'inspect' | 'ledger'>;

/** Reads one file after another. */
export const createExcerpts = ({ clock, files, inspect, ledger }: Port) => {
  let last: Promise<unknown> = Promise.resolve();

  const read = async (id: number): Promise<string | null> => {
    const row = ledger.uploads.byId(id);
    const found = row === null ? null : foundInLine(row.state);
    if (row === null || found === null) return null;
    const file = await files.open(joinPath(row.dir, row.name), rootOf(ledger, row));
    try {
      if (file.stamp.key !== row.stamp?.key) return null;
      const bytes = await file.head(contentBytes.text);
      return (await file.unchanged()) ? await inspect.excerpt({ kind: 'text', bytes }, found) : null;
    } finally {
      await file.close();
    }
  };

  return (id: number, signal: AbortSignal): Promise<string | null> => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    let isOver = signal.aborted;
    const disarm = clock.after(mostMs, () => {
      isOver = true;
      resolve(null);
    });
    last = last.then(async () => {
      resolve(isOver ? null : await read(id).catch(() => null));
      disarm();
    });
    return promise;
  };
};
