// `recall ID|PATH…`: takes links back, and says of each whether it is dead.
import { resolve } from 'node:path';
import { fromWire } from '../../contract/errors.ts';
import type { RecallResult } from '../../contract/commands.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { nameText } from '../output/words.ts';
import { unlessInterrupted, within, type Session } from '../session.ts';
import { recalledFields } from '../uploads/events.ts';

export const recall = (session: Session, given: readonly string[]): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const { output } = session;
    const files = given.map((text) =>
      /^[1-9]\d{0,15}$/.test(text) ? { fileId: Number(text) } : { path: resolve(text) },
    );
    const results = await unlessInterrupted(session, client.call('files.recall', { files }));
    /** A file may be named twice, by its id and by its path. */
    const told = new Set<number>();
    for (const [index, result] of results.entries()) {
      const { path, recalled, error } = result;
      if (recalled !== null) {
        if (told.has(recalled.fileId)) continue;
        told.add(recalled.fileId);
        const { file_id, ...rest } = recalledFields(recalled);
        output.object({ event: 'recalled', file_id, path, ...rest });
        (recalled.dead ? output.line : output.trouble)(textOf(result));
      } else if (error !== null && results.length > 1) {
        output.object({ error, file_id: result.fileId, path });
        output.trouble(`${given[index] ?? ''}: ${error.message} ${error.remedy}`);
      }
    }
    const [first] = results.flatMap(({ error }) => error ?? []);
    if (first !== undefined && results.length === 1) throw fromWire(first);
    return results.every(({ recalled }) => recalled?.dead === true) ? exitCodes.done : exitCodes.someFailed;
  });

const textOf = ({ path, recalled }: RecallResult): string => {
  if (recalled === null) return '';
  const name = nameText(path ?? recalled.publicLink);
  const { publicSeconds, downloads, dead } = recalled;
  const times = downloads === null ? '' : `, downloaded ${downloads === 1 ? 'once' : `${downloads} times`}`;
  const past = `It was public for ${spanText(publicSeconds)}${times}.`;
  return dead
    ? `${name}: recalled, the link is dead. ${past}`
    : `${name}: the file is deleted, but ${recalled.publicLink} could not be proven dead. ${past} Run it again later.`;
};

const spanText = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
};
