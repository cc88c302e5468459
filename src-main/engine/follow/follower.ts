// Stage: asks how often followed links were downloaded, and reports it. The first new download of a link is reported at
// once; further ones of all links are reported together at nine the next morning. What is reported is noted in the
// transaction of its entry, so each download is reported at most once. Without a followed link there is no request
// (decisions/follow.md).
import { call, wording } from '../../contract/text/wording.ts';
import type { FollowPrice, FollowState } from '../../contract/commands.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Service } from '../account/service.ts';
import { askWhile } from '../limiter/ask.ts';
import type { Followed } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { isGoneAnswer } from '../shared/links.ts';
import { createLoop, type Stage } from '../shared/loop.ts';
import { joinPath } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';

export type Follower = Stage & {
  /** In a transaction. Throws `bad-use` when too many are followed. */
  follow(row: Upload): void;
  /** In a transaction. */
  unfollow(row: Upload): void;
  price(): FollowPrice;
  /** Null: it is not followed. */
  stateOf(uploadId: number): FollowState | null;
};

/** Each of them is read at every turn. */
const mostFollowed = 1000;
/** All checks together take at most this part of the day's requests: with more links each is checked less often. */
const partOfDay = 0.1;
/** The daily entry names at most this many files. */
const mostNamed = 10;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** How soon to look again whether a check that is due may be made. */
const tryAgainMs = minuteMs;
/** How often to look at the clock at least: it may be set. */
const lookAgainMs = 15 * minuteMs;
const lineAtHour = 9;
/** After a check that failed: the service may refuse all of them. */
const afterFailureMs = 15 * minuteMs;

export const createFollower = (core: Core, service: Service): Follower => {
  const { ports, feed, work } = core;
  const { ledger, clock, api, log, settings } = ports;
  const { limiter, gate, spare } = service;

  /** By the limiter's time; null: the last check did not fail. */
  let failedMs: number | null = null;

  const ask = askWhile(spare.mayAsk, service.ask);

  /** The time between two checks, whatever links they are of. */
  const gapMs = (links: number): number =>
    Math.max(
      (settings.current().followEveryMinutes * minuteMs) / links,
      dayMs / (limiter.view().day.limit * partOfDay),
    );

  const untilNextMs = (links: readonly Followed[]): number => {
    const lastMs = Math.max(...links.map(({ checkedMs }) => checkedMs ?? -Infinity));
    const failedUntilMs = (failedMs ?? -Infinity) + afterFailureMs;
    return Math.max(0, lastMs + gapMs(links.length) - limiter.nowMs(), failedUntilMs - limiter.nowMs());
  };

  const check = async (link: Followed): Promise<void> => {
    const { uploadId, fileId, isDoubted } = link;
    // Before the request: a check that fails, or is cut off by a crash, is not repeated sooner than others.
    ledger.followed.update(uploadId, { checkedMs: limiter.nowMs() });
    try {
      const file = await ask('background', work.signal, (signal) => api.info(fileId, signal));
      // Our own file is no candidate for a lost upload. So it does not matter when it was first seen.
      ledger.remote.saw([{ ...file, file_id: fileId }], clock.wallMs());
      failedMs = null;
      if (isDoubted) ledger.followed.update(uploadId, { isDoubted: false });
    } catch (caught) {
      const { code, message } = toAppError(caught);
      if (code === 'not-found') {
        if (!isDoubted) ledger.followed.update(uploadId, { isDoubted: true });
        else if (await isLinkGone(link)) died(uploadId);
        return;
      }
      failedMs = limiter.nowMs();
      // This does not close the gate: an upload finds out by itself, and the check does not delay it.
      if (!work.signal.aborted) log.warn('followed link not checked', { code, message });
    } finally {
      spare.ended();
    }
  };

  /** The second kind of evidence: a 404 to an id may come from a proxy, and proves nothing about the link. */
  const isLinkGone = async ({ fileId, publicLink }: Followed): Promise<boolean> => {
    try {
      // No byte of the content is wanted. The service may count it as a download all the same.
      await api.digestOfLink(publicLink, 0, work.signal);
      ledger.remote.readByUs(fileId);
      return false;
    } catch (caught) {
      return isGoneAnswer(toAppError(caught));
    }
  };

  const died = (uploadId: number): void =>
    ledger.atomically(() => {
      const link = ledger.followed.byId(uploadId);
      // It was taken back meanwhile, or is not followed any more.
      if (link === null) return;
      ledger.remote.markGone(link.fileId);
      feed.record(uploadId, link.path, { kind: 'lost', fileId: link.fileId });
    });

  /** Links with downloads that are not reported yet, those with the most of them first. */
  const news = () =>
    ledger.followed
      .all()
      .map((link) => ({ ...link, gained: (link.downloads ?? 0) - link.told }))
      .filter(({ gained }) => gained > 0)
      .toSorted((a, b) => b.gained - a.gained);

  const tellFirst = (): void => {
    for (const { uploadId, path, fileId, publicLink, isFirstTold, told, gained } of news()) {
      if (isFirstTold) continue;
      const downloads = told + gained;
      feed.record(uploadId, path, { kind: 'downloaded', fileId, publicLink, downloads });
      ledger.followed.update(uploadId, { told: downloads, isFirstTold: true });
    }
  };

  const tellDaily = (): void => {
    const nowMs = clock.wallMs();
    const lastMs = ledger.facts.get('downloads-told')?.atMs ?? nowMs;
    const isDue = nowMs >= nextLineMs(lastMs);
    // The first daily entry is due at the next nine o'clock. A wall clock that was ahead delays no entry.
    if (isDue || lastMs >= nowMs) ledger.facts.set('downloads-told', true, nowMs);
    const links = isDue ? news() : [];
    if (links.length === 0) return;
    for (const { uploadId, told, gained } of links) ledger.followed.update(uploadId, { told: told + gained });
    feed.record(null, null, {
      kind: 'downloads',
      links: links.length,
      downloads: links.reduce((sum, { gained }) => sum + gained, 0),
      files: links
        .slice(0, mostNamed)
        .map(({ uploadId, fileId, path, gained }) => ({ uploadId, fileId, path, downloads: gained })),
    });
  };

  const tell = (): void =>
    ledger.atomically(() => {
      tellFirst();
      tellDaily();
    });

  const turn = async (): Promise<number | null> => {
    const links = ledger.followed.all();
    const [oldest] = inTurn(links);
    if (oldest === undefined) return null;
    if (untilNextMs(links) === 0 && spare.waitMs() === 0) await check(oldest);
    if (work.signal.aborted) return null;
    tell();
    const left = ledger.followed.all();
    if (left.length === 0) return null;
    const nowMs = clock.wallMs();
    // A check that is due and may not be made now is tried again soon.
    return Math.min(
      untilNextMs(left) || spare.waitMs() || tryAgainMs,
      nextLineMs(nowMs) - nowMs,
      lookAgainMs,
    );
  };

  const price = (): FollowPrice => {
    const links = ledger.followed.all();
    const everyMs = gapMs(Math.max(1, links.length)) * Math.max(1, links.length);
    return {
      links: links.length,
      requestsPerDay: Math.ceil((links.length * dayMs) / everyMs),
      dayLimit: limiter.view().day.limit,
      everyMs,
      waits: links.length > 0 && untilNextMs(links) === 0 ? spare.waits() : null,
    };
  };

  const loop = createLoop({ name: 'follower', ports, work, turn });
  gate.onChange(loop.wake);

  const record = (row: Upload, isFollowed: boolean): void =>
    void feed.record(row.id, joinPath(row.dir, row.name), { kind: 'follow-set', isFollowed });

  return {
    wake: loop.wake,
    stop: loop.stop,
    isStill() {
      if (ledger.followed.count() === 0) return true;
      return !loop.isBusy() && (untilNextMs(ledger.followed.all()) !== 0 || spare.waitMs() !== 0);
    },
    follow(row) {
      if (ledger.followed.count() >= mostFollowed && ledger.followed.byId(row.id) === null)
        throw new AppError(
          'bad-use',
          `Outtray follows at most ${mostFollowed} links.`,
          wording`${call('follow')} lists them; ${call('unfollow', 'ID')} ends one.`,
        );
      if (ledger.followed.add(row.id, clock.wallMs())) record(row, true);
    },
    unfollow(row) {
      if (ledger.followed.remove(row.id)) record(row, false);
    },
    price,
    stateOf(uploadId) {
      const links = ledger.followed.all();
      const turnsBefore = inTurn(links).findIndex((link) => link.uploadId === uploadId);
      if (turnsBefore === -1) return null;
      const waitMs = untilNextMs(links) + turnsBefore * gapMs(links.length);
      return { nextCheckMs: clock.wallMs() + waitMs, price: price() };
    },
  };
};

/** The link that is checked next comes first. */
const inTurn = (links: readonly Followed[]): Followed[] =>
  links.toSorted((a, b) => (a.checkedMs ?? 0) - (b.checkedMs ?? 0));

/** The first nine o'clock after this moment, in local time. */
const nextLineMs = (afterMs: number): number => {
  const at = new Date(afterMs);
  if (at.setHours(lineAtHour, 0, 0, 0) <= afterMs) at.setDate(at.getDate() + 1);
  return at.getTime();
};
