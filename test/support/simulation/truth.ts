// What the simulation knows and the engine does not: every content that ever was in the folder, whether it was whole,
// how often it may be public, and whether the user consented to that.
import { sha256Of, type Stored } from './account.ts';

export type Content = {
  /** `c17`: the text starts with it. */
  id: string;
  text: string;
  /** At some instant no writer was writing it. */
  wasWhole: boolean;
  /** How many files had this content: at most this many may be on the service at a time. */
  allowed: number;
  /** Null: it may leave. */
  whyNot: string | null;
  created: Stored[];
  /** When a person's wish deleted a file with this content; null: none did, or a person asked for it since. */
  takenBackAtMs: number | null;
  /** A person let it go although it holds a secret. */
  isLetGo: boolean;
  /** A person asked for it after the wish to delete it: a deletion that comes later takes nothing back. */
  isAskedSince: boolean;
  /** How many files with this content were there when a person asked for it last. */
  askedWith: number;
};

export type Truth = {
  /** A new text of this size that occurs nowhere else. */
  compose(sizeBytes: number): string;
  /** A file with this content stands whole at this path. */
  stands(text: string, path: string, options: { isNewFile: boolean; isExisting: boolean }): void;
  content(text: string): Content | null;
  whyNot(text: string): string | null;
  /** The user wants the file at `path` public, now and in later versions. `again`: this version once more. */
  consent(path: string, text: string, again: boolean): void;
  /** The user lets a content go in which something was found, whatever its file is called. */
  letGo(sha256: string): void;
  /** A file that has consent keeps it under its new name. */
  moved(from: string, to: string): void;
  /** How many times a person asked for the deletion of a file. */
  deletionsAskedFor: Map<number, number>;
  askDeletion(fileId: number): void;
  /** A person wants its link to end then, in real time. `isSure`: the ledger has it; else any earlier wish may still hold. */
  askEnd(file: Stored, atMs: number, isSure: boolean): void;
  /** From now on links of the folder end this time after their upload. */
  endAfter(ms: number): void;
  /** Before that no link may end by itself; null: never. */
  endOf(file: Stored): number | null;
  /** The ledger is an older one, and does not know what was taken back or wanted since. */
  forgetTakenBack(): void;
  contents(): number;
};

/** Every ninth content, by its number. */
export const holdsSecret = (text: string): boolean => Number(/^c(\d+):/.exec(text)?.[1]) % 9 === 4;

/** The names that the simulation uses and the rules keep. */
const secretName = 'looks like a secret';
export const keptBack = (path: string): string | null => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.(part|crdownload|tmp)$/.test(name) || name.endsWith('~')) return 'unfinished';
  if (/\.log$/.test(name)) return 'ignored';
  if (/\.env$|^id_rsa|\.pem$/.test(name)) return secretName;
  if (path.split('/').some((part) => part.startsWith('.'))) return 'hidden';
  return null;
};

export const createTruth = (): Truth => {
  const contents = new Map<string, Content>();
  const consented = new Set<string>();
  const deletionsAskedFor = new Map<number, number>();
  /** Its name said that it is a secret, and the user let it go. So its content is no surprise. */
  const isNamedAndConfirmed = (path: string): boolean => consented.has(path) && keptBack(path) === secretName;
  const ends = new Map<number, number>();
  let afterMs = Infinity;
  let count = 0;
  return {
    compose(sizeBytes) {
      count += 1;
      return `c${count}:`.padEnd(sizeBytes, '.');
    },
    stands(text, path, { isNewFile, isExisting }) {
      const rule = keptBack(path) ?? (isExisting ? 'was there before' : null);
      const whyNot = consented.has(path) ? null : rule;
      const known = contents.get(text);
      if (known === undefined) {
        const id = text.slice(0, text.indexOf(':'));
        contents.set(text, {
          id,
          text,
          wasWhole: true,
          allowed: 1,
          whyNot,
          created: [],
          takenBackAtMs: null,
          isLetGo: isNamedAndConfirmed(path),
          isAskedSince: false,
          askedWith: 0,
        });
        return;
      }
      known.wasWhole = true;
      known.isLetGo ||= isNamedAndConfirmed(path);
      if (isNewFile) known.allowed += 1;
      if (whyNot === null) known.whyNot = null;
    },
    content: (text) => contents.get(text) ?? null,
    whyNot(text) {
      const known = contents.get(text);
      return known?.whyNot ?? (known?.isLetGo === false && holdsSecret(text) ? 'holds a secret' : null);
    },
    letGo(sha256) {
      for (const content of contents.values()) if (sha256Of(content.text) === sha256) content.isLetGo = true;
    },
    consent(path, text, again) {
      consented.add(path);
      const known = contents.get(text);
      if (known === undefined) return;
      known.whyNot = null;
      known.isLetGo ||= isNamedAndConfirmed(path);
      known.takenBackAtMs = null;
      known.isAskedSince = true;
      known.askedWith = known.created.length;
      if (again) known.allowed += 1;
    },
    moved(from, to) {
      if (consented.delete(from)) consented.add(to);
    },
    deletionsAskedFor,
    askDeletion(fileId) {
      deletionsAskedFor.set(fileId, (deletionsAskedFor.get(fileId) ?? 0) + 1);
      for (const content of contents.values())
        if (content.created.some((file) => file.fileId === fileId)) content.isAskedSince = false;
    },
    askEnd(file, atMs, isSure) {
      const before = ends.get(file.fileId) ?? file.atMs + afterMs;
      ends.set(file.fileId, isSure ? atMs : Math.min(before, atMs));
    },
    endAfter(ms) {
      afterMs = Math.min(afterMs, ms);
    },
    endOf(file) {
      const atMs = ends.get(file.fileId) ?? file.atMs + afterMs;
      return atMs === Infinity ? null : atMs;
    },
    forgetTakenBack() {
      // A wish before the copy holds again.
      for (const fileId of ends.keys()) ends.set(fileId, -Infinity);
      for (const content of contents.values()) content.takenBackAtMs = null;
    },
    contents: () => contents.size,
  };
};
