// Whether a refusal of an upload, or a connection that breaks before its tail, concerns one file or all of them. It is
// learned from what passes (design/upload-protocol.md). The ledger keeps it, so the next process knows it, too.
import { mayBeOfOneFile } from '../../contract/errors.ts';
import type { Facts, RefusedFile } from '../../contract/facts.ts';
import type { Attempt, Ledger } from '../ports/ledger.ts';
import type { Clock } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

export type Refused =
  /** Another file passed, or the same file was refused before: it is about this file. */
  | 'this-file'
  /** Not known yet: this file waits, and another one goes first. */
  | 'not-known'
  /** Several files are refused and none passes. */
  | 'all';

/** This many different files that are refused in a row are no coincidence of their names. */
const allFrom = 3;
/** A file is cut off this many times, and another one passes in between each time. Fewer times may be chance. */
const cutsFrom = 4;
/** More are not remembered: the oldest is forgotten and is only tried once more. */
const mostRemembered = 200;

const unseen = { refused: 0, isAlone: false, cuts: 0, isCounted: false };

export const createRefusals = ({ facts }: Pick<Ledger, 'facts'>, { wallMs }: Pick<Clock, 'wallMs'>) => {
  /** A file has passed since the last one was cut off. A crash may be the fault of a file, so it is not stored. */
  let isPassing = false;

  const load = (): Facts['refused-uploads'] =>
    facts.get('refused-uploads')?.value ?? { isAll: false, files: [] };
  const save = (isAll: boolean, files: RefusedFile[]): void => {
    if (files.length === 0 && !isAll) facts.remove('refused-uploads');
    else facts.set('refused-uploads', { isAll, files: files.slice(-mostRemembered) }, wallMs());
  };
  const seen = (id: number): RefusedFile => load().files.find((file) => file.id === id) ?? { id, ...unseen };
  /** Stores what is known of a file now, as the newest. */
  const note = (file: RefusedFile): void => {
    const { isAll, files } = load();
    save(isAll, [...files.filter(({ id }) => id !== file.id), file]);
  };

  return {
    /** Enough files were refused to show that it concerns all, and none has passed since. */
    isAll: (): boolean => load().isAll,
    passed(uploadId: number): void {
      isPassing = true;
      const { isAll, files } = load();
      const isNews = files.some(({ id, refused, isCounted }) => id === uploadId || refused > 0 || isCounted);
      if (!isAll && !isNews) return;
      const others = files.filter(({ id }) => id !== uploadId);
      save(
        false,
        others.map(({ id, refused, isAlone, cuts }) => ({
          id,
          refused: 0,
          isAlone: isAlone || refused > 0,
          cuts,
          isCounted: false,
        })),
      );
    },
    /** Something before the service refused it, while the statistics are fine. */
    refused(uploadId: number): Refused {
      const before = seen(uploadId);
      const refused = before.refused + 1;
      note({ ...before, refused, isAlone: false });
      const { isAll, files } = load();
      if (isAll) return 'all';
      if (before.isAlone) return 'this-file';
      // Their counts stay: when another file passes, each of them is one that is refused alone.
      const isAllNow = files.filter((file) => file.refused > 0).length >= allFrom;
      if (isAllNow) save(true, files);
      return isAllNow ? 'all' : refused >= 2 ? 'this-file' : 'not-known';
    },
    /** The service itself may have refused it. That concerns all files until another one passes. */
    denied(uploadId: number): void {
      const before = seen(uploadId);
      if (!before.isAlone) note({ ...before, refused: before.refused + 1 });
    },
    /** It was denied again after another file passed, and no other one was refused since. */
    isOnlyThis: (uploadId: number): boolean =>
      seen(uploadId).isAlone && load().files.every(({ refused }) => refused === 0),
    /** No usable answer came before its tail. */
    cut(uploadId: number): 'this-file' | 'all' {
      const before = seen(uploadId);
      // It counts if another file has passed since the last time.
      const cuts = before.cuts + (before.isCounted ? 0 : 1);
      note({ ...before, cuts, isCounted: true });
      isPassing = false;
      return cuts >= cutsFrom ? 'this-file' : 'all';
    },
    /** Whether another file goes first. What the ledger keeps decides it, so it also holds after a restart. */
    goesLast: ({ attempts }: Pick<Upload, 'attempts'>, last: Pick<Attempt, 'status'> | undefined): boolean =>
      mayBeOfOneFile(last?.status ?? null) || (attempts >= 2 && !isPassing),
  };
};

export type Refusals = ReturnType<typeof createRefusals>;
