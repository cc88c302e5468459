// What the simulation knows and the engine does not: every content that was ever in the folder, whether it was
// complete, how often it may be public, and whether the user consented to that.
import { sha256Of, type Stored } from './account.ts';
import { secretName, type Folders } from './folders.ts';

export type Content = {
  /** `c17`: the text starts with it. */
  id: string;
  text: string;
  /** It was complete at some moment: no writer was writing it. */
  wasWhole: boolean;
  /** How many files had this content. At most this many may be on the service at a time. */
  allowed: number;
  /** Null: it may leave. */
  whyNot: string | null;
  created: Stored[];
  /** When a file with this content was deleted as a person wanted; null: never, or a person asked for it since. */
  takenBackAtMs: number | null;
  /** A person released it although it holds a secret. */
  isLetGo: boolean;
  /** A person released it although one of its names looks like a secret. */
  isNameLetGo: boolean;
  /** A person asked for it after asking for its deletion: a later deletion does not take it back. */
  isAskedSince: boolean;
  /** How many files with this content had been created when a person last asked for it. */
  askedWith: number;
  /** The watched folders in which a file with this content was. */
  folders: Set<string>;
  /** Since then it is skipped or an open question; null: neither, or it was released since. */
  no: { by: string; sinceMs: number } | null;
  /** A person left it out while it was on its way or looked for: it is deleted if the service has it. */
  isUnwanted: boolean;
  /** That was so once: its deletion may be under way. */
  wasUnwanted: boolean;
  /** Where the files lie that a person asked for. */
  asked: Set<string>;
  /** When the rules of its folder began to keep it back; null: they let it go now, or never did. */
  keptBackSinceMs: number | null;
  /** The end that a person gave with it. */
  moment: Moment | null;
  /** The earliest such end that there ever was. */
  earliestMs: number;
};

/** By real time, and as the clock of the machine showed it. */
export type Moment = { monoMs: number; wallMs: number };

/** A file that is in a folder now. */
export type Standing = { path: string; text: string; isExisting: boolean };

export type Truth = {
  /** A new text of this size that occurs nowhere else. */
  compose(sizeBytes: number): string;
  /** A complete file with this content is at this path. */
  stands(text: string, path: string, options: { isNewFile: boolean; isExisting: boolean }): void;
  /** The rules have changed. `files`: all files that exist. */
  judgeAgain(files: readonly Standing[], nowMs: number): void;
  content(text: string): Content | null;
  whyNot(text: string): string | null;
  /** The user wants the file at `path` public, now and in later versions. `again`: this version once more. */
  consent(path: string, text: string, again: boolean): void;
  /** A person releases this content under any name that looks like a secret. */
  letGoOfName(sha256: string): void;
  /** The user releases a content in which a secret was found, under any name. */
  letGo(sha256: string): void;
  /**
   * The file at `path` is skipped or an open question. False: a person asked for another file with this content, which
   * may still go.
   */
  sayNo(text: string, path: string, by: string, sinceMs: number): boolean;
  /** A person left out the upload `id` of this content while it may have been sent. */
  unwant(id: number, sha256: string): void;
  /** A person says no to this content; it is not known yet whether the ledger gets it. */
  mayUnwant(sha256: string): void;
  /** Uploads that a person left out on their way, without a wish for their contents since. */
  unwanted(): { id: number; sha256: string }[];
  /** A person released this content, which was at `path`. */
  saidYes(sha256: string, path: string): void;
  /** An older ledger was restored: it does not have the refusals. */
  forgetNoes(): void;
  /** A file that has consent keeps it under its new name. */
  moved(from: string, to: string): void;
  /** How many times a person asked to delete each file, by its link: an id may be given to another file. */
  deletionsAskedFor: Map<string, number>;
  askDeletion(link: string): void;
  /** The ledger has the wish that these are taken back. */
  taken: Set<string>;
  /** A person sets the end of its link, in real time. `isSure`: the ledger has it; else an earlier end may hold. */
  askEnd(file: Stored, atMs: number, isSure: boolean): void;
  /** From now on links of this folder end this long after their upload; null: those of all folders. */
  endAfter(ms: number, folder: string | null): void;
  /** A person gives this content with an end at a moment, until a person asks for it otherwise. Null: without an end. */
  askMoment(text: string, end: Moment | null): void;
  /** It is not known yet whether the ledger gets such an end. */
  mayEndAt(text: string, path: string, monoMs: number): void;
  /** The file at this path is deleted. One that is restored later is another file for Outtray. */
  lost(path: string): void;
  /** The end of the only file with this content. */
  momentOf(text: string): Moment | null;
  /** A file of this request is there, and the service never showed otherwise. */
  isThere(request: object): boolean;
  /** For a while no link lasts longer than this after its upload. */
  endAtLatest(ms: number): void;
  /** The earliest time at which its link may end by itself; null: never. */
  endOf(file: Stored): number | null;
  /** An older ledger was restored: it lacks later recalls and ends of links. */
  forgetTakenBack(): void;
  contents(): number;
};

const wasThere = 'was there before';

/** Every ninth content, by its number. */
export const holdsSecret = (text: string): boolean => Number(/^c(\d+):/.exec(text)?.[1]) % 9 === 4;

export const createTruth = (folders: Pick<Folders, 'of' | 'nameRule' | 'rule'>): Truth => {
  const contents = new Map<string, Content>();
  const consented = new Set<string>();
  const deletionsAskedFor = new Map<string, number>();
  const taken = new Set<string>();
  const left = new Map<number, string>();
  let leastMs = Infinity;
  /** The user released a file whose name marks it as a secret, and so expects a secret in its content. */
  const isNamedAndConfirmed = (path: string): boolean =>
    consented.has(path) && folders.nameRule(path) === secretName;
  const ends = new Map<string, number>();
  /** The file at this path may have such an end: it keeps it when its content changes before it is uploaded. */
  const endsAt = new Map<string, number>();
  /** By folder; null: all folders. */
  const afterMs = new Map<string | null, number>();
  const afterOf = (file: Stored): number => {
    const stoodIn = contents.get(file.content)?.folders ?? [];
    return Math.min(...[null, ...stoodIn].map((folder) => afterMs.get(folder) ?? Infinity));
  };
  const ruleFor = (path: string, isExisting: boolean): string | null =>
    consented.has(path) ? null : (folders.rule(path) ?? (isExisting ? wasThere : null));
  /** The consent to a secret name applies to the content, under any such name. */
  const unlessLetGo = (rule: string | null, known: Content | undefined): string | null =>
    rule === secretName && known?.isNameLetGo === true ? null : rule;
  let count = 0;
  return {
    compose(sizeBytes) {
      count += 1;
      return `c${count}:`.padEnd(sizeBytes, '.');
    },
    stands(text, path, { isNewFile, isExisting }) {
      const known = contents.get(text);
      const whyNot = unlessLetGo(ruleFor(path, isExisting), known);
      const folder = folders.of(path);
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
          isNameLetGo: false,
          isAskedSince: false,
          askedWith: 0,
          folders: new Set(folder === null ? [] : [folder]),
          keptBackSinceMs: null,
          no: null,
          isUnwanted: false,
          wasUnwanted: false,
          asked: new Set(),
          moment: null,
          earliestMs: endsAt.get(path) ?? Infinity,
        });
        return;
      }
      if (folder !== null) known.folders.add(folder);
      known.wasWhole = true;
      known.earliestMs = Math.min(known.earliestMs, endsAt.get(path) ?? Infinity);
      known.isLetGo ||= isNamedAndConfirmed(path);
      if (isNewFile) {
        known.allowed += 1;
        known.moment = null;
      }
      if (whyNot !== null) return;
      known.whyNot = null;
      known.keptBackSinceMs = null;
    },
    judgeAgain(files, nowMs) {
      const free = new Set<string>();
      const rules = new Map<string, string>();
      for (const { path, text, isExisting } of files) {
        const rule = unlessLetGo(ruleFor(path, isExisting), contents.get(text));
        if (rule === null) free.add(text);
        else rules.set(text, rule);
      }
      for (const { text } of files) {
        const known = contents.get(text);
        if (known === undefined) continue;
        if (free.has(text)) {
          known.whyNot = null;
          known.keptBackSinceMs = null;
        } else if (known.whyNot === null) {
          if (known.isLetGo && rules.get(text) === secretName) continue;
          // A person's yes to it holds under every name.
          if (known.asked.size > 0) continue;
          known.keptBackSinceMs ??= nowMs;
        } else known.whyNot = rules.get(text) ?? known.whyNot;
      }
    },
    content: (text) => contents.get(text) ?? null,
    whyNot(text) {
      const known = contents.get(text);
      return known?.whyNot ?? (known?.isLetGo === false && holdsSecret(text) ? 'holds a secret' : null);
    },
    letGoOfName(sha256) {
      for (const content of contents.values()) {
        if (sha256Of(content.text) !== sha256) continue;
        content.isNameLetGo = true;
        // This holds even if its folder is no longer watched, or skips it by another rule now.
        content.isLetGo = true;
      }
    },
    letGo(sha256) {
      for (const content of contents.values()) {
        if (sha256Of(content.text) !== sha256) continue;
        content.isLetGo = true;
        content.no = null;
        content.isUnwanted = false;
      }
    },
    consent(path, text, again) {
      consented.add(path);
      const known = contents.get(text);
      if (known === undefined) return;
      known.whyNot = null;
      known.keptBackSinceMs = null;
      known.isLetGo ||= isNamedAndConfirmed(path);
      known.takenBackAtMs = null;
      known.isAskedSince = true;
      known.askedWith = known.created.length;
      known.no = null;
      known.isUnwanted = false;
      known.asked.add(path);
      known.moment = null;
      if (again) known.allowed += 1;
    },
    sayNo(text, path, by, sinceMs) {
      const known = contents.get(text);
      if (known === undefined || [...known.asked].some((one) => one !== path)) return false;
      known.no ??= { by, sinceMs };
      return true;
    },
    saidYes(sha256, path) {
      for (const content of contents.values()) {
        if (sha256Of(content.text) !== sha256) continue;
        content.no = null;
        content.isUnwanted = false;
        content.asked.add(path);
        content.moment = null;
        // A file that was there before may have a new name by now.
        if (content.whyNot === wasThere) content.whyNot = null;
      }
    },
    unwant(id, sha256) {
      left.set(id, sha256);
      for (const content of contents.values())
        if (sha256Of(content.text) === sha256) content.isUnwanted = content.wasUnwanted = true;
    },
    mayUnwant(sha256) {
      for (const content of contents.values())
        if (sha256Of(content.text) === sha256) content.wasUnwanted = true;
    },
    unwanted: () =>
      [...contents.values()]
        .filter(({ isUnwanted }) => isUnwanted)
        .flatMap(({ text }) => {
          const sha256 = sha256Of(text);
          return [...left].filter(([, one]) => one === sha256).map(([id]) => ({ id, sha256 }));
        }),
    forgetNoes() {
      taken.clear();
      left.clear();
      for (const content of contents.values()) {
        content.no = null;
        content.isUnwanted = false;
      }
    },
    moved(from, to) {
      if (consented.delete(from)) consented.add(to);
      const endMs = endsAt.get(from);
      if (endMs !== undefined) endsAt.set(to, Math.min(endsAt.get(to) ?? Infinity, endMs));
      for (const { asked } of contents.values()) if (asked.delete(from)) asked.add(to);
    },
    deletionsAskedFor,
    taken,
    askDeletion(link) {
      deletionsAskedFor.set(link, (deletionsAskedFor.get(link) ?? 0) + 1);
      for (const content of contents.values())
        if (content.created.some((file) => file.link === link)) content.isAskedSince = false;
    },
    askEnd(file, atMs, isSure) {
      const before = ends.get(file.link) ?? file.atMs + afterOf(file);
      ends.set(file.link, isSure ? atMs : Math.min(before, atMs));
    },
    endAfter(ms, folder) {
      afterMs.set(folder, Math.min(afterMs.get(folder) ?? Infinity, ms));
    },
    askMoment(text, end) {
      const known = contents.get(text);
      if (known === undefined) return;
      known.moment = known.allowed === 1 && known.created.length === 0 ? end : null;
    },
    mayEndAt(text, path, monoMs) {
      endsAt.set(path, Math.min(endsAt.get(path) ?? Infinity, monoMs));
      const known = contents.get(text);
      if (known !== undefined) known.earliestMs = Math.min(known.earliestMs, monoMs);
    },
    lost(path) {
      for (const known of contents.values()) if (known.asked.has(path)) known.moment = null;
    },
    momentOf: (text) => contents.get(text)?.moment ?? null,
    isThere: (request) =>
      [...contents.values()].some(({ created }) =>
        created.some((file) => file.request === request && !file.deleted && !file.wasIdGone),
      ),
    endAtLatest(ms) {
      leastMs = Math.min(leastMs, ms);
    },
    endOf(file) {
      const atMs = Math.min(
        ends.get(file.link) ?? file.atMs + afterOf(file),
        file.atMs + leastMs,
        contents.get(file.content)?.earliestMs ?? Infinity,
      );
      return atMs === Infinity ? null : atMs;
    },
    forgetTakenBack() {
      // An end that was set before the copy is valid again.
      for (const link of ends.keys()) ends.set(link, -Infinity);
      for (const content of contents.values()) {
        content.takenBackAtMs = null;
        content.moment = null;
      }
    },
    contents: () => contents.size,
  };
};
