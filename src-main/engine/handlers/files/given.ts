// Files that are given by path, one by one or as a zip.
import type { Handlers } from '../../../contract/commands.ts';
import { AppError, ownData, toWire } from '../../../contract/errors.ts';
import type { ExpireWish } from '../../../contract/expiry.ts';
import { fateOf, type NameSkip } from '../../../contract/model.ts';
import { call, see, wording } from '../../../contract/text/wording.ts';
import { createLinkEnds } from '../../account/link-ends.ts';
import { liesIn } from '../../candidate/allowance.ts';
import { createNamesAt, type NamesAt } from '../../given/names-at.ts';
import { filesIn } from '../../given/walk.ts';
import { isKeptFromAgents, type ByAgent } from '../../discover/given-by-path.ts';
import { folderOf, zipNameIn } from '../../plan/burst.ts';
import { noLinks, type Files } from '../../ports/files.ts';
import type { Upload } from '../../ports/uploads.ts';
import { rootOf } from '../../shared/folder.ts';
import { joinPath, splitPath } from '../../shared/paths.ts';
import { createPackings, lostZip, packBundle, type Bundle } from '../../upload/bundle.ts';
import { rowsById, type Kit } from '../kit.ts';

/** `roots`: the real folders of an agent. */
type Agent = { roots: readonly string[]; isText?: true };

export const givenHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { expiry, agentShare: share } = kit.service;
  const { ledger, clock } = ports;
  const { choice } = kit.discovery;
  const { setEnd, setEndByAgent } = createLinkEnds(kit, expiry, choice.folderOf);
  const packings = createPackings(kit.feed);
  const namesFor = (agent: Agent | null): NamesAt => createNamesAt(ports, choice.folderOf, agent);
  const setEndFor = (row: Upload, expire: ExpireWish | undefined, isAgents: boolean): Upload => {
    if (!isAgents && expire === undefined) return row;
    const now = isAgents || expire === undefined ? setEndByAgent(row, expire) : setEnd(row, expire);
    return now === 'stale' ? row : now;
  };

  /** Why each of these files is not taken; null: it is. The answers are in their order. */
  const refusals = async (paths: readonly string[], agent: Agent | null): Promise<(AppError | null)[]> => {
    const names = namesFor(agent);
    const isOwn = new Map<string, boolean>();
    const refused: (AppError | null)[] = [];
    for (const path of paths) {
      const { dir } = splitPath(path);
      const verdict = agent === null || agent.roots.includes(path) ? null : names(path, dir);
      // What was copied, standard input and a text of an agent are given from our own folders.
      const isContent =
        (agent === null && ports.places.isPasted(dir)) ||
        ((agent === null || agent.isText === true) && ports.spool.holds(dir));
      if (!isOwn.has(dir)) isOwn.set(dir, (await ports.places.ownIn(dir)) === dir);
      if (verdict?.kind === 'skip') refused.push(keptOut(path, verdict.rule));
      else refused.push(isOwn.get(dir) === true && !isContent ? ownData(path) : null);
    }
    return refused;
  };

  /** Throws `outside` for a file that only a person may share again. */
  const requireShareable = async (
    packed: Bundle['files'],
    agent: ByAgent,
    signal: AbortSignal,
  ): Promise<void> => {
    for (const file of packed)
      if (await isKeptFromAgents(ports, kit.discovery.choice.folderIdOf, file, agent, signal))
        throw new AppError(
          'outside',
          `A person left ${file.path} out, has to decide about it, or took its link back.`,
          wording`Nothing is uploaded. A person can share it with ${call('upload')}, or in the window.`,
        );
  };

  /** Packs them and records the zip. `andThen`: what else is asked for, in the same transaction. */
  const bundle = async (
    {
      paths,
      name,
      from = null,
      packing,
      rootFor = () => noLinks,
    }: {
      paths: readonly string[];
      name: string | null;
      from?: string | null;
      packing?: number | undefined;
      rootFor?: (path: string) => string | null;
    },
    signal: AbortSignal,
    {
      again,
      agent,
      andThen,
    }: {
      again: boolean;
      agent: (ByAgent & Agent) | null;
      andThen: (row: Upload, packed: Bundle) => Upload | 'stale';
    },
  ) => {
    const mostBytes = Math.min(
      kit.service.account.maxFileSizeBytes() ?? Infinity,
      ports.settings.current().maxFileBytes ?? Infinity,
    );
    const packed = await packings.run(packing, signal, (stop, tell) =>
      packBundle(ports, { paths, name, namesAt: namesFor(agent), from, mostBytes, rootFor, tell }, stop),
    );
    const record = (given: Upload): Upload => {
      ledger.bundled.add(given.id, packed.files);
      ledger.run.weigh(given.id, packed.files.length);
      const wished = andThen(given, packed);
      const recorded = wished === 'stale' ? given : wished;
      if (packed.held === null) return recorded;
      // It needs no time to settle: it was looked into when it was packed, and no other program writes to the spool.
      const { id, stamp } = recorded;
      const held = kit.rows.apply(id, { kind: 'settled', stamp, ...packed.held });
      return held === 'stale' ? recorded : held;
    };
    const door = agent === null ? 'zip' : 'agent';
    const asked = { again, door, agent, share, andThen: record } as const;
    const given = agent === null ? Promise.resolve() : requireShareable(packed.files, agent, signal);
    const added = given.then(() => kit.discovery.addByHand([packed.path], asked));
    const recorded = added.then(([taken]) => {
      if (taken?.row === null && taken.error.code === 'budget') throw taken.error;
      if (taken === undefined || taken.row === null) throw lostZip(packed.path);
      return taken.row;
    });
    const row = await recorded.catch(async (error: unknown) => {
      await ports.spool.remove(splitPath(packed.path).dir);
      throw error;
    });
    kit.nudge();
    return { ...packed, row };
  };

  return {
    'files.walk': ({ paths }, signal) => filesIn(ports, paths, namesFor(null), signal),
    async 'files.upload'({ paths: files, again, expire, door, agent }) {
      if (expire !== undefined) expiry.allow(expire);
      await requireRoots(ports.files, files, again, agent);
      const refused = await refusals(files, agent ?? null);
      const taken = await kit.discovery.addByHand(
        files.filter((_, at) => refused[at] === null),
        {
          again,
          door: agent === undefined ? door : 'agent',
          agent: agent ?? null,
          share,
          andThen: (row) => setEndFor(row, expire, agent !== undefined),
        },
      );
      kit.nudge();
      const next = taken.values();
      return files.map((path, at) => {
        const one = refused[at] === null ? next.next().value : undefined;
        if (one?.row !== undefined && one.row !== null)
          return { path, upload: kit.view(one.row), error: null };
        const error = one?.error ?? refused[at] ?? new AppError('internal', 'The file was not recorded.');
        return { path, upload: null, error: toWire(error) };
      });
    },
    async 'files.bundle'({ agent, again, expire, ...what }, signal) {
      await requireRoots(ports.files, what.paths, again, agent);
      const refused = (await refusals(what.paths, agent ?? null)).find((error) => error !== null);
      if (refused !== undefined) throw refused;
      // Before the zip is packed. It is asked again when the zip is recorded.
      if (agent !== undefined && share.left() < 1) throw share.refusal();
      if (expire !== undefined) expiry.allow(expire);
      const { row, files, leftOut, packedAgain } = await bundle(what, signal, {
        again,
        agent: agent ?? null,
        andThen: (given) => setEndFor(given, expire, agent !== undefined),
      });
      return { upload: kit.view(row), files: files.length, leftOut, packedAgain };
    },
    async 'queue.zip'({ asOfMs, packing }, signal) {
      const ids = ledger.views.idsAlike({ kind: 'held', fate: 'burst', asOfMs });
      const asked = rowsById(kit, ids);
      if (asked.length === 0) throw new AppError('bad-use', 'No burst is held now.', see('held'));
      const dirs = asked.map(({ dir }) => dir);
      const roots = new Map(asked.map((row) => [joinPath(row.dir, row.name), rootOf(ledger, row)]));
      const rootFor = (path: string): string | null => roots.get(path) ?? noLinks;
      const what = {
        paths: [...roots.keys()],
        name: zipNameIn(dirs),
        from: folderOf(dirs),
        packing,
        rootFor,
      };
      const { row } = await bundle(what, signal, {
        again: false,
        agent: null,
        andThen(given, { versions }) {
          for (const now of rowsById(kit, ids)) {
            // A file that was decided or changed meanwhile must not become public by this answer.
            if (fateOf(now.state) !== 'burst' || now.stamp?.key !== versions.get(joinPath(now.dir, now.name)))
              throw new AppError('changed', 'The burst changed while it was packed.', 'Look at it again.');
            kit.rows.apply(now.id, { kind: 'left-out' });
          }
          const ends = asked.flatMap((one) => expiry.ofUpload(one, expiry.now()).wanted?.atMs ?? []);
          if (ends.length === 0) return given;
          // None of them is public for longer than its folder allows.
          return setEnd(given, { afterMs: Math.max(1, Math.min(...ends) - clock.wallMs()) });
        },
      });
      return kit.view(row);
    },
    'files.stopPacking': ({ packing }) => packings.stop(packing),
  } satisfies Partial<Handlers>;
};

const keptOut = (path: string, rule: NameSkip): AppError =>
  new AppError(
    'forbidden',
    `${path} is kept out by a rule of a person (${rule}).`,
    wording`Nothing is uploaded. A person can share it with ${call('upload')}, or change the rule.`,
  );

/** An agent names nothing outside its roots, and asks for nothing twice. Throws `outside`, `bad-use`. */
const requireRoots = async (
  files: Pick<Files, 'place'>,
  paths: readonly string[],
  again: boolean,
  agent: { roots: readonly string[] } | undefined,
): Promise<void> => {
  if (agent === undefined) return;
  if (again) throw new AppError('bad-use', 'An agent cannot ask for another link to the same content.');
  const roots = await Promise.all(agent.roots.map((root) => files.place(root)));
  const remedy = 'Name a file in one of the folders that agents may use (setting agentRoots).';
  for (const path of paths) {
    const place = await files.place(path);
    if (!roots.some((root) => liesIn(place, root)))
      throw new AppError('outside', `${path} is outside the folders that agents may use.`, remedy);
  }
};
