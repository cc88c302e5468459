// Followed links: asks how often they were downloaded, and reports it. The first new download of a link is reported at
// once; further ones of all links are reported together at nine the next morning. What is reported is noted in the
// transaction of its entry, so each download is reported at most once.
import { call, wording } from '../../contract/text/wording.ts';
import type { FollowPrice, FollowState } from '../../contract/answers.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Service } from '../account/service.ts';
import { askOf, askWhile } from '../limiter/ask.ts';
import type { Followed } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { isGoneAnswer } from '../shared/links.ts';
import { joinPath } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';

/** Each of them is read at every turn. */
const mostFollowed = 1000;
/** All checks together take at most this part of the day's requests: with more links each is checked less often. */
const partOfDay = 0.1;
/** The daily entry names at most this many files. */
const mostNamed = 10;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const lineAtHour = 9;
/** After a check that failed: the service may refuse all of them. */
const afterFailureMs = 15 * minuteMs;

/** Reports downloads: the first one of a link at once, then all links once a day. */
const createReports = ({ feed, ports: { ledger, clock } }: Pick<Core, 'feed' | 'ports'>) => {
  const { watched } = ledger;
  /** Links with downloads that are not reported yet, those with the most of them first. */
  const news = () =>
    watched
      .all('downloads')
      .map((link) => ({ ...link, gained: (link.downloads ?? 0) - link.told }))
      .filter(({ gained }) => gained > 0)
      .toSorted((a, b) => b.gained - a.gained);

  const reportFirst = (): void => {
    for (const { uploadId, path, fileId, publicLink, told, toldAtMs, gained } of news()) {
      if (toldAtMs !== null) continue;
      const downloads = told + gained;
      feed.record(uploadId, path, { kind: 'downloaded', fileId, publicLink, downloads });
      watched.update('downloads', uploadId, { told: downloads, toldAtMs: clock.wallMs() });
    }
  };

  const reportDaily = (): void => {
    const nowMs = clock.wallMs();
    const lastMs = ledger.facts.get('downloads-told')?.atMs ?? nowMs;
    const isDue = nowMs >= nextLineMs(lastMs);
    // The first daily entry is due at the next nine o'clock. A wall clock that was ahead delays no entry.
    if (isDue || lastMs >= nowMs) ledger.facts.set('downloads-told', true, nowMs);
    const links = isDue ? news() : [];
    if (links.length === 0) return;
    for (const { uploadId, told, gained } of links)
      watched.update('downloads', uploadId, { told: told + gained });
    feed.record(null, null, {
      kind: 'downloads',
      links: links.length,
      downloads: links.reduce((sum, { gained }) => sum + gained, 0),
      files: links
        .slice(0, mostNamed)
        .map(({ uploadId, fileId, path, gained }) => ({ uploadId, fileId, path, downloads: gained })),
    });
  };
  return { reportFirst, reportDaily };
};

export const createDownloads = (core: Core, service: Service) => {
  const { ports, feed, work } = core;
  const { ledger, clock, api, log, settings } = ports;
  const { limiter, spare } = service;
  const { watched } = ledger;

  /** No check before this, by the limiter's time: the pace of this process, and the wait after a failure. */
  let notBeforeMs = -Infinity;

  const ask = askWhile(spare.mayAsk, service.ask);

  /** The time between two checks, whatever links they are of. */
  const gapMs = (links: number): number =>
    Math.max(
      (settings.current().followEveryMinutes * minuteMs) / links,
      dayMs / (limiter.view().day.limit * partOfDay),
    );
  const everyMs = (links: number): number => Math.ceil(gapMs(links) * links);

  const dueMs = (): number | null => {
    const links = watched.count('downloads');
    if (links === 0) return null;
    const nowMs = limiter.nowMs();
    // There may be fewer links than before, or another setting.
    watched.hasten('downloads', nowMs + everyMs(links));
    const next = watched.next('downloads');
    return next === null ? null : Math.max(0, next.nextMs - nowMs, notBeforeMs - nowMs);
  };

  const look = async (): Promise<void> => {
    const link = watched.next('downloads');
    if (link === null) return;
    const { uploadId, fileId, tries } = link;
    const links = watched.count('downloads');
    notBeforeMs = limiter.nowMs() + gapMs(links);
    // Before the request: a check that fails, or is cut off by a crash, is not repeated sooner than others.
    watched.update('downloads', uploadId, { nextMs: limiter.nowMs() + everyMs(links) });
    try {
      const accountId = ledger.accounts.present();
      await askOf(accountId, ask)('background', work.signal, async (signal) => {
        const file = await api.info(fileId, signal);
        // Our own file is no candidate for a lost upload. So it does not matter when it was first seen.
        ledger.remote.saw(accountId, [{ ...file, file_id: fileId }], clock.wallMs());
      });
      if (tries > 0) watched.update('downloads', uploadId, { tries: 0 });
    } catch (caught) {
      const { code, message } = toAppError(caught);
      if (code === 'not-found') {
        if (tries === 0) watched.update('downloads', uploadId, { tries: 1 });
        else if (await isLinkGone(ports, link, work.signal)) died(core, uploadId);
        return;
      }
      notBeforeMs = Math.max(notBeforeMs, limiter.nowMs() + afterFailureMs);
      // This does not close the gate: an upload finds out by itself, and the check does not delay it.
      if (!work.signal.aborted) log.warn('followed link not checked', { code, message });
    } finally {
      spare.ended();
    }
  };

  const { reportFirst, reportDaily } = createReports(core);
  const price = (): FollowPrice => {
    const links = watched.count('downloads');
    const every = gapMs(Math.max(1, links)) * Math.max(1, links);
    return {
      links,
      requestsPerDay: Math.ceil((links * dayMs) / every),
      dayLimit: limiter.view().day.limit,
      everyMs: every,
      waits: dueMs() === 0 ? spare.waits() : null,
    };
  };

  const record = (row: Upload, isFollowed: boolean): void =>
    void feed.record(row.id, joinPath(row.dir, row.name), { kind: 'follow-set', isFollowed });

  return {
    patienceMs: 0,
    dueMs,
    look,
    /** In a transaction. Throws `bad-use` when too many are followed. */
    follow(row: Upload): void {
      if (watched.count('downloads') >= mostFollowed && watched.byId('downloads', row.id) === null)
        throw new AppError(
          'bad-use',
          `Outtray follows at most ${mostFollowed} links.`,
          wording`${call('follow')} lists them; ${call('follow', '--stop ID')} ends one.`,
        );
      const added = watched.add('downloads', row.id, { sinceMs: clock.wallMs(), nextMs: limiter.nowMs() });
      if (added) record(row, true);
    },
    /** In a transaction. */
    unfollow(row: Upload): void {
      if (watched.remove('downloads', row.id)) record(row, false);
    },
    /** Reports what is new. Returns when to report next, in milliseconds; null: no link is followed. */
    report(): number | null {
      if (watched.count('downloads') === 0) return null;
      ledger.atomically(() => {
        reportFirst();
        reportDaily();
      });
      const nowMs = clock.wallMs();
      return nextLineMs(nowMs) - nowMs;
    },
    price,
    /** Null: it is not followed. */
    stateOf(uploadId: number): FollowState | null {
      const links = watched.all('downloads');
      const turnsBefore = links.findIndex((link) => link.uploadId === uploadId);
      const nextMs = links[turnsBefore]?.nextMs;
      if (nextMs === undefined || nextMs === null) return null;
      const inTurnMs = (dueMs() ?? 0) + turnsBefore * gapMs(links.length);
      return { nextCheckMs: clock.wallMs() + Math.max(nextMs - limiter.nowMs(), inTurnMs), price: price() };
    },
  };
};

const died = ({ feed, ports: { ledger } }: Pick<Core, 'feed' | 'ports'>, uploadId: number): void =>
  ledger.atomically(() => {
    const link = ledger.watched.byId('downloads', uploadId);
    // It was taken back meanwhile, or is not followed any more.
    if (link === null) return;
    ledger.remote.markGone(link.fileId);
    feed.record(uploadId, link.path, { kind: 'lost', fileId: link.fileId });
  });

/** The second kind of evidence: a 404 to an id may come from a proxy, and proves nothing about the link. */
const isLinkGone = async (
  { api, ledger }: Core['ports'],
  { fileId, publicLink }: Followed,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    // No byte of the content is wanted. The service may count it as a download all the same.
    await api.digestOfLink(publicLink, 0, signal);
    ledger.remote.readByUs(fileId);
    return false;
  } catch (caught) {
    return isGoneAnswer(toAppError(caught));
  }
};

/** The first nine o'clock after this moment, in local time. */
const nextLineMs = (afterMs: number): number => {
  const at = new Date(afterMs);
  if (at.setHours(lineAtHour, 0, 0, 0) <= afterMs) at.setDate(at.getDate() + 1);
  return at.getTime();
};
