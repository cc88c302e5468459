// A rehearsal: what would happen with files and folders, and when. It asks the functions that decide in the real run,
// and writes nothing. A folder that is watched, or lies in one that is, is planned as a scan finds it; any other as
// `upload --recursive` takes it. The files are walked twice: first counted (for a burst, and for the length of the
// queue), then decided.
import type { BurstPlan, PlanEnd, PlannedFile } from '../../contract/answers.ts';
import { dailyUploadsOf, isBusy, isUnfinished, type UploadState } from '../../contract/model.ts';
import { createBursts, isOfBurst } from '../discover/bursts.ts';
import { pauseNow } from '../shared/controls.ts';
import { splitPath } from '../shared/paths.ts';
import { isRecent } from '../shared/time.ts';
import { statsFreshMs } from '../upload/preflight.ts';
import { burstPlans, type PlannedBurst } from './burst.ts';
import { createDecide, createRecord, createTwins } from './becomes.ts';
import { createWalk, plannedPlaces, type World } from './places.ts';

const dayMs = 86_400_000;

export async function* planFiles(
  world: World,
  given: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<PlannedFile, PlanEnd> {
  const { ports, service } = world;
  const { ledger, clock, settings } = ports;
  const places = await plannedPlaces(world, given);
  const walked = createWalk(ports, world.discovery.choice.folderOf, places, signal);
  const record = createRecord(world);
  const bursts = createBursts(() => settings.current());
  const twins = createTwins(ports, signal);

  const most = { files: 0, bytes: 0 };
  for await (const item of walked()) {
    const recorded = 'found' in item ? await record(item) : null;
    if (recorded?.kind !== 'settles') continue;
    const { sizeBytes } = recorded.stamp;
    most.files += 1;
    most.bytes += sizeBytes;
    twins.count(recorded.row);
    if (recorded.isNew) bursts.arrived(most.files, sizeBytes, 0);
  }
  const isBurst = bursts.isOver(0);
  const decide = createDecide(ports, service, { isBurst, signal });

  const graceMs = Math.max(0, ...places.map(({ folder }) => 1000 * (folder?.rules.graceSeconds ?? 0)));
  const fromMs = beginsAtMs(world, graceMs);
  /** A first guess: some of these will not go. Only the mean size and the length of the queue matter here. */
  const ahead = fromMs === null ? null : world.forecast({ ...most, fromMs });
  /** A file that still has to stay unchanged for a while is done after that and its time of grace at the earliest. */
  const afterQuiet = (inTurnAtMs: number | null, quietMs: number): number | null => {
    const firstAtMs = ahead?.doneAtMs(1) ?? null;
    if (inTurnAtMs === null || firstAtMs === null || fromMs === null || quietMs === 0) return inTurnAtMs;
    const tookMs = firstAtMs - fromMs;
    return Math.max(inTurnAtMs, clock.wallMs() + quietMs + graceMs + tookMs);
  };
  const queued = ledger.uploads.backlog().files;
  const goes = { files: 0, bytes: 0 };
  const burst = {
    files: 0,
    bytes: 0,
    newest: { name: '', sizeBytes: 0, mtimeMs: -Infinity },
    dirs: new Set<string>(),
  };
  let waiting = 0;
  let longestQuietMs = 0;
  for await (const item of walked()) {
    const { path } = item;
    if ('unreadable' in item) {
      yield { path, verdict: 'failed', why: 'locked', sizeBytes: null, expectedAtMs: null };
      continue;
    }
    const recorded = await record(item);
    if (recorded === null) continue;
    const { found } = item;
    const stamp = found === null || found instanceof Error ? null : found.stamp;
    const sizeBytes = stamp?.sizeBytes ?? null;
    let state = recorded.kind === 'is' ? recorded.state : await decide(recorded, item);
    const isQueued = recorded.kind === 'is' && state.kind === 'ready';
    if (
      isQueued &&
      isBurst &&
      item.folder !== null &&
      recorded.row !== null &&
      isOfBurst(recorded.row, clock.wallMs())
    )
      state = { kind: 'held', reason: 'burst' };
    if (recorded.kind === 'settles' && state.kind === 'ready' && (await twins.isShared(recorded.row)))
      state = { kind: 'skipped', rule: 'already-shared' };
    const { verdict, why } = verdictOf(state);
    if (why === 'burst' && stamp !== null) {
      const { dir, name } = splitPath(path);
      burst.files += 1;
      burst.bytes += stamp.sizeBytes;
      burst.dirs.add(dir);
      if (stamp.mtimeMs >= burst.newest.mtimeMs) burst.newest = { name, ...stamp };
    }
    if (verdict !== 'upload') {
      yield { path, verdict, why, sizeBytes, expectedAtMs: null };
      continue;
    }
    if (isQueued) waiting += 1;
    else if (state.kind === 'ready') {
      goes.files += 1;
      goes.bytes += sizeBytes ?? 0;
    }
    const place = isQueued ? waiting : queued + goes.files;
    const quietMs = recorded.kind === 'settles' ? recorded.quietMs : 0;
    longestQuietMs = Math.max(longestQuietMs, quietMs);
    const inTurnAtMs = ahead?.doneAtMs(place) ?? null;
    yield { path, verdict, why, sizeBytes, expectedAtMs: afterQuiet(inTurnAtMs, quietMs) };
  }
  const isGoing = goes.files + waiting > 0;
  const all = isGoing && fromMs !== null ? world.forecast({ ...goes, fromMs }) : null;
  const place = goes.files > 0 ? queued + goes.files : waiting;
  const limit = dailyUploadsOf(service.account.stats()?.value);
  return {
    requests: goes.files + waiting + (isGoing && isStatsDue(world) ? 1 : 0),
    finishesAtMs: afterQuiet(all?.doneAtMs(place) ?? null, longestQuietMs),
    dailyUploadsLeft:
      typeof limit !== 'number'
        ? limit
        : Math.max(0, limit - ledger.attempts.committedSince(clock.wallMs() - dayMs)),
    burst: burst.files === 0 ? [] : plansFor(world, burst, goes),
  };
}

/** Its files wait for a person, and not for their time of grace. `goes`: files that need no answer, which go first. */
const plansFor = (
  world: World,
  burst: Pick<PlannedBurst, 'files' | 'bytes' | 'newest'> & { dirs: ReadonlySet<string> },
  goes: { files: number; bytes: number },
): BurstPlan[] => {
  const fromMs = beginsAtMs(world, 0);
  return burstPlans(
    { ...burst, dirs: [...burst.dirs] },
    {
      settings: world.ports.settings.current(),
      mostBytes: world.service.account.maxFileSizeBytes(),
      ahead:
        fromMs === null
          ? null
          : ({ files, bytes }) =>
              world.forecast({ files: goes.files + files, bytes: goes.bytes + bytes, fromMs }),
    },
  );
};

/** Before the first upload of a day the account's limits are read. */
const isStatsDue = ({ service, ports }: World): boolean => {
  const stats = service.account.stats();
  return stats === null || !isRecent(ports.clock, stats.atMs, statsFreshMs);
};

/** When the first file may go, wall clock; null: not known. */
const beginsAtMs = ({ ports, queueNow }: World, graceMs: number): number | null => {
  if (queueNow().gate.kind === 'closed') return null;
  const pause = pauseNow(ports);
  const nowMs = ports.clock.wallMs();
  if (pause === null) return nowMs + graceMs;
  return pause.untilMs === null ? null : Math.max(pause.untilMs, nowMs + graceMs);
};

const verdictOf = (state: UploadState): Pick<PlannedFile, 'verdict' | 'why'> => {
  switch (state.kind) {
    case 'settling':
    case 'ready':
    case 'sending':
    case 'committing':
      return { verdict: 'upload', why: null };
    case 'waiting':
      return isUnfinished(state) ? { verdict: 'skipped', why: 'partial' } : { verdict: 'upload', why: null };
    case 'held':
      return { verdict: 'held', why: state.reason };
    case 'uncertain':
      return isBusy(state) ? { verdict: 'upload', why: null } : { verdict: 'held', why: 'uncertain' };
    case 'skipped':
      return { verdict: 'skipped', why: state.rule };
    case 'failed':
      return { verdict: 'failed', why: state.code };
    case 'uploaded':
    case 'superseded':
      return { verdict: 'skipped', why: 'already-shared' };
    case 'recalling':
    case 'recalled':
      return { verdict: 'skipped', why: state.isExpired === true ? 'expired' : 'recalled' };
    case 'gone':
      return { verdict: 'failed', why: 'gone' };
  }
};
