// A zip of many files, for one link. It is packed into the spool and uploaded like a file given by path. Whatever would
// hold one of its files holds the zip.
import { AppError, type ErrorCode } from '../../contract/errors.ts';
import type { Packing } from '../../contract/entries.ts';
import type { HoldReason, LeftOut, UploadState } from '../../contract/model.ts';
import { zipFileName } from '../given/zip-name.ts';
import { allowanceOf, refusal } from '../candidate/allowance.ts';
import { candidateOf, placeFor, writtenPlace } from '../candidate/candidate.ts';
import type { NamesAt } from '../given/names-at.ts';
import { controlOf } from '../candidate/unfinished.ts';
import {
  asksForPhotos,
  cutsAllPhotos,
  findInside,
  holdingOf,
  looksFor,
  readInside,
  reasonOf,
} from '../inspect/inspection.ts';
import type { Approval, PackedFile } from '../ports/ledger.ts';
import type { OpenFile, Packed } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Feed } from '../shared/feed.ts';
import { splitPath } from '../shared/paths.ts';
import { digest } from '../shared/same-content.ts';
import { byteLength } from '../shared/sent-name.ts';
import { pauseFor } from '../shared/time.ts';
import { membersOf, type Member } from './bundle-members.ts';

export type Held = Extract<UploadState, { kind: 'held' }>;

/**
 * `path`: in the spool. `versions`: the stamp of each file as it was packed, by its path. `held`: what keeps the zip
 * back, with its SHA-256, so that a person's decision about it is remembered.
 */
export type Bundle = {
  path: string;
  files: PackedFile[];
  versions: ReadonlyMap<string, string>;
  leftOut: LeftOut[];
  packedAgain: string[];
  held: { state: Held; sha256: string } | null;
};

/** A file that is still being written gets this many attempts, each after a pause. */
const mostTries = 4;
const pauseMs = 1000;
/** The path has another version of the file, or none. */
const isElsewhere: ReadonlySet<ErrorCode> = new Set(['changed', 'gone', 'not-a-file']);
/** A zip adds at most this much to a file besides its name, which it contains twice. */
const overheadBytes = 160;

type Port = Pick<Ports, 'clock' | 'files' | 'inspect' | 'ledger' | 'places' | 'settings' | 'spool'>;

/**
 * `rootFor`: the root with which a file is opened. Throws `bad-use`, `too-large`, `forbidden`, `locked`, `changed`,
 * `outside`, `gone`, `disk`, `aborted`; then nothing is left of the zip.
 */
export const packBundle = async (
  ports: Port,
  {
    paths,
    name,
    namesAt,
    from = null,
    mostBytes,
    rootFor,
    tell,
  }: {
    paths: readonly string[];
    name: string | null;
    namesAt: NamesAt;
    /** As in `membersOf`. */
    from?: string | null;
    mostBytes: number;
    rootFor: (path: string) => string | null;
    /** Reports how far it is. */
    tell: (far: Far) => void;
  },
  signal: AbortSignal,
): Promise<Bundle> => {
  const packedAgain: string[] = [];
  const zipName = nameOf(paths, name);
  // Large folders are read for seconds before the first file is packed.
  tell({ name: zipName, files: 0, totalFiles: 0, bytes: 0, totalBytes: 0 });
  for (let tries = 1; ; tries += 1) {
    const { members, leftOut } = await membersOf(
      ports,
      ports.settings.current(),
      { paths, namesAt, from },
      signal,
    );
    const bytes = members.reduce(
      (sum, one) => sum + one.stamp.sizeBytes + 2 * byteLength(one.name) + overheadBytes,
      0,
    );
    if (bytes > mostBytes)
      throw new AppError(
        bytes > (ports.settings.current().maxFileBytes ?? Infinity) ? 'forbidden' : 'too-large',
        `The zip would have about ${bytes} bytes; a file may have ${mostBytes}.`,
        'Nothing is uploaded. Make several, one for each folder.',
      );
    const total = members.reduce((sum, one) => sum + one.stamp.sizeBytes, 0);
    const wanted = looksFor(ports.settings.current());
    const packing = createPacking(
      ports,
      {
        members,
        rootFor,
        tell: (files, packedBytes) =>
          tell({ name: zipName, files, totalFiles: members.length, bytes: packedBytes, totalBytes: total }),
      },
      signal,
    );
    try {
      const path = await ports.spool.pack(zipName, packing.files(), signal);
      let isWhole = false;
      try {
        const changed = await changedIn(ports, members);
        if (changed === null && signal.aborted) throw stopped();
        // A photo may have been packed with its location, which is to be left out from now on.
        if (changed === null && wanted === looksFor(ports.settings.current())) {
          const result = await packing.result(path);
          isWhole = true;
          const versions = new Map(members.map((one) => [one.path, one.stamp.key]));
          return { path, ...result, versions, leftOut, packedAgain };
        }
        if (changed !== null) packedAgain.push(changed.path);
      } finally {
        if (!isWhole) await ports.spool.remove(splitPath(path).dir);
      }
    } catch (error) {
      const changed = packing.changed();
      if (changed === null || !(error instanceof AppError) || !isElsewhere.has(error.code)) throw error;
      packedAgain.push(changed.path);
    }
    if (tries === mostTries)
      throw new AppError(
        'changed',
        `${packedAgain.at(-1) ?? zipName} changes again and again while it is packed; nothing is uploaded.`,
        'Try again when it is finished.',
      );
    await pauseFor(ports.clock, pauseMs, signal).catch(() => {
      throw stopped();
    });
  }
};

/** The given name, else that of the only folder or file; several become `files.zip`. */
const nameOf = (paths: readonly string[], given: string | null): string => {
  const only = paths.length === 1 ? splitPath(paths[0] ?? '').name : '';
  const read = zipFileName(given ?? `${only === '' ? 'files' : only.replaceAll('\\', '_')}.zip`);
  if (read.ok) return read.name;
  throw read.problem === 'too-long'
    ? new AppError(
        'bad-use',
        "The name of the zip is too long: a file's has at most 255 bytes.",
        'Give a shorter one.',
      )
    : new AppError('bad-use', 'A file name cannot contain a folder.', 'Give a name like report.zip.');
};

/** The first file that is not as it was packed, or that a program still writes or has begun to download again. */
const changedIn = async ({ files }: Port, members: readonly Member[]): Promise<Member | null> => {
  const writing = await files.openForWriting(members.map(({ path }) => path));
  for (const one of members) {
    const found = await files.look(one.path);
    if (found?.stamp?.key !== one.stamp.key || (writing.get(one.path) ?? 'open') === 'open') return one;
    if ((await controlOf(files, writtenPlace(one.path), found)) !== null) return one;
  }
  return null;
};

/** Another program has removed it. */
export const lostZip = (path: string): AppError =>
  new AppError(
    'gone',
    `${splitPath(path).name} was removed from ${splitPath(path).dir} before it could be sent.`,
    'Nothing is uploaded. Try again; if it happens again, exclude the data folder from the program that removes files there.',
  );

const stopped = (): AppError => new AppError('aborted', 'It was stopped; nothing is public.');

/** One pass over the files: looks into each, and hands it to the zip. */
const createPacking = (
  ports: Port,
  {
    members,
    rootFor,
    tell,
  }: {
    members: readonly Member[];
    rootFor: (path: string) => string | null;
    tell: (files: number, bytes: number) => void;
  },
  signal: AbortSignal,
) => {
  const { files, inspect, ledger, settings } = ports;
  const packed: PackedFile[] = [];
  const holds: { member: Member; state: Held }[] = [];
  let changed: Member | null = null;
  let bytes = 0;

  /** What of it is packed: the file, or a photo without its location. `whole`: the SHA-256 of such a photo itself. */
  const look = async (
    member: Member,
    file: OpenFile,
  ): Promise<{ content: OpenFile; whole: string | null }> => {
    const itself = { content: file, whole: null };
    const { lookInside } = settings.current();
    const cutsAll = cutsAllPhotos(settings.current());
    // A secret name needs no other question, but a location is still left out of the file.
    if (member.isSecret) hold(member, { reason: 'secret-name' });
    const wants = {
      secrets: lookInside && !member.isSecret,
      photos: asksForPhotos(settings.current()),
      cutsAll,
    };
    const read = wants.secrets || wants.photos ? await readInside(inspect, file, wants) : null;
    if (read === null) return itself;
    const { cut } = read;
    const findings = await findInside(ports, read, member.stamp.sizeBytes);
    if (findings.length === 0 && cut === null) return itself;
    const sha256 = await digest(ports, member.path, rootFor(member.path), member.stamp.key, signal);
    if (sha256 === null) throw new AppError('changed', `${member.path} changed.`);
    const isApproved = (reason: Approval): boolean => ledger.decisions.has(sha256, reason);
    const wantsCut = cutsAll || isApproved('without-location');
    const without = wantsCut && !isApproved('location') ? cut : null;
    const { holding } = holdingOf(findings, isApproved, without !== null);
    if (holding !== null && !member.isSecret) {
      const { kind, ...where } = holding;
      // A zip is sent as it was packed, so a location cannot be left out later.
      const removable = 'removable' in where ? { removable: false } : {};
      hold(member, { reason: reasonOf[kind], ...where, ...removable });
    }
    return without === null ? itself : { content: file.cut(without.parts), whole: sha256 };
  };

  const hold = (member: Member, what: { reason: HoldReason } & Partial<Held>): void => {
    holds.push({ member, state: { ...what, kind: 'held' } });
  };

  async function* counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytes += piece.length;
      tell(packed.length, bytes);
      yield piece;
    }
  }

  return {
    async *files(): AsyncGenerator<Packed> {
      tell(0, 0);
      const allowance = await allowanceOf(ports.files, settings.current());
      for (const member of members) {
        const { path, name, stamp } = member;
        // It counts as changed until all of it is packed.
        changed = member;
        const file = await files.open(path, rootFor(path));
        try {
          if (file.stamp.key !== stamp.key) throw new AppError('changed', `${path} changed.`);
          const refused = refusal(
            candidateOf(await placeFor(file, allowance, path), stamp.sizeBytes),
            allowance,
          );
          if (refused !== null)
            throw new AppError(refused.code, `${path}: ${refused.message}`, refused.remedy);
          const { content, whole } = await look(member, file);
          yield { name, sizeBytes: content.stamp.sizeBytes, pieces: counted(content.pieces(signal)) };
          const sha256 = await content.sha256();
          packed.push({ name, path, sizeBytes: content.stamp.sizeBytes, sha256, whole: whole ?? sha256 });
        } finally {
          await file.close();
        }
        changed = null;
      }
    },
    changed: () => (signal.aborted ? null : changed),
    async result(path: string): Promise<Pick<Bundle, 'files' | 'held'>> {
      const [first] = holds;
      if (first === undefined) return { files: packed, held: null };
      const stamp = (await files.look(path))?.stamp?.key ?? null;
      if (stamp === null) throw lostZip(path);
      const sha256 = await digest(ports, path, null, stamp, signal);
      if (sha256 === null) throw new AppError('changed', `${path} changed in the spool.`);
      const open = holds.filter(({ state }) => !ledger.decisions.has(sha256, state.reason));
      const [left] = open;
      if (left === undefined) return { files: packed, held: null };
      const inZip = { name: left.member.name, others: open.length - 1 };
      return { files: packed, held: { state: { ...left.state, inZip }, sha256 } };
    },
  };
};

/** How far a zip is. */
type Far = Omit<Packing, 'id'>;

/** The zips that are being packed and have a number: how far each is, and a way to stop it. */
export const createPackings = (feed: Pick<Feed, 'packing'>) => {
  const going = new Map<number, { far: Packing | null; stop: AbortController }>();
  const tell = (): void => feed.packing([...going.values()].flatMap(({ far }) => far ?? []));
  return {
    /** Without a number its progress is not reported. */
    async run<Answer>(
      id: number | undefined,
      signal: AbortSignal,
      work: (signal: AbortSignal, tell: (far: Far) => void) => Promise<Answer>,
    ): Promise<Answer> {
      if (id === undefined) return await work(signal, () => undefined);
      const one: { far: Packing | null; stop: AbortController } = { far: null, stop: new AbortController() };
      going.set(id, one);
      try {
        return await work(AbortSignal.any([signal, one.stop.signal]), (far) => {
          one.far = { id, ...far };
          tell();
        });
      } finally {
        going.delete(id);
        tell();
      }
    },
    stop(id: number): boolean {
      going.get(id)?.stop.abort();
      return going.has(id);
    },
  };
};
