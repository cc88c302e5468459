// What a ledger knows, asked through its own questions: the answers before and after an update must be the same.
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';

/** When the fixtures were made, and are asked. */
export const askedAtMs = Date.UTC(2026, 10, 25, 12);

const most = 1_000;
const groups = ['all', 'ours', 'elsewhere', 'gone'] as const;
const hash = (n: number): string => n.toString(16).padStart(64, '0');
const hashes = Array.from({ length: 600 }, (_, n) => hash(n));

export const answersOf = (ledger: Ledger): Record<string, unknown> => {
  const { uploads, views, attempts, permits, remote, entries, facts, folders, decisions, bundled, reports } =
    ledger;
  const ids = Array.from({ length: uploads.lastId() }, (_, at) => at + 1);
  const latest = Number.MAX_SAFE_INTEGER;
  return {
    uploads: ids.map((id) => uploads.byId(id)),
    versions: ids.map((id) => uploads.versionsOf(id, most).map((one) => one.id)),
    counts: [views.counts(1), views.counts(null)],
    backlog: uploads.backlog(),
    waiting: uploads.dueWaiting(latest, most).map(({ id }) => id),
    held: views.alike('held', [1, null]),
    skipped: views.alike('skipped', [1, null]),
    departed: ids.map((id) => uploads.departedByInode(String(1000 + id)).map((one) => [one.id, one.keptBy])),
    byContent: hashes.flatMap((sha256) => [
      ...uploads.uploadedBySha(sha256).map(({ id }) => ['uploaded', id]),
      ...uploads.bySha('held', sha256).map(({ id }) => ['held', id]),
      ...[uploads.recalledBySha(sha256)].flatMap((one) => (one === null ? [] : [['recalled', one.id]])),
    ]),
    ends: uploads.ended({ atMs: latest, provenMs: latest }, most).map(({ id, ends }) => [id, ends]),
    files: groups.map((place) => page(ledger, place, '')),
    found: [page(ledger, 'all', 'uploaded'), page(ledger, 'all', 'stored-77'), page(ledger, 'all', 't9000k')],
    attempts: ids.map((id) => attempts.ofUpload(id)),
    permits: [permits.after(0), permits.since(0), permits.outstanding(), permits.memory()],
    committed: attempts.committedSince(0),
    remote: [...Array.from({ length: 10 }, (_, at) => 9_000 + at), 77, 78].map((id) => remote.byId(id)),
    shared: sharedOf(ledger),
    mostDownloaded: views.mostDownloaded(most, 0).map(({ row, gained }) => ({ row, week: gained })),
    entries: entries.after(0, most),
    audit: facts.get('audit'),
    facts: [facts.get('pause'), facts.get('may-be-older'), facts.get('expired')],
    folders: [folders.byId(1), folders.byPath('/srv/tray')],
    dirs: uploads.presentDirs(1).sort(),
    stamps: ['/srv/tray', '/srv/tray/Größe'].map((dir) => [...uploads.stampsIn(1, dir, true)].sort()),
    decisions: hashes.filter(
      (sha256) => decisions.has(sha256, 'burst') || decisions.has(sha256, 'without-location'),
    ),
    zips: ids.map((id) => [bundled.inside(id, most), bundled.pathsIn(id).sort()]),
    zipsWith: bundled.uploadsWith('/srv/tray/a.txt', most),
    followed: ledger.watched.all('downloads'),
    counted: ids.map((id) => ledger.watched.countsOf(id, most)),
    proofs: [ids.map((id) => ledger.watched.byId('content', id)), ledger.watched.countWrong()],
    exposure: reports.linksOf(hashes, most),
    open: reports.openWith(hashes, most).length,
    review: [
      reports.old(latest, 0, most),
      reports.neverDownloaded(latest, 0, most),
      reports.expiring(latest, most),
      reports.wrong(most),
      notDead(ledger),
      reports.goneButOnDisk(most),
      reports.largest(0, most),
    ],
    exported: [
      withoutIds(reports.uploadsAfter(0, most)),
      withoutIds(reports.membersAfter(0, '', most)),
      withoutIds(reports.othersAfter(0, most)),
    ],
  };
};

/** Without those that are still to be deleted: the shipped versions did not list them. */
const notDead = ({ reports, uploads }: Ledger): unknown => {
  const links = reports
    .openRecalls(most)
    .links.filter(({ uploadId }) => uploads.byId(uploadId)?.state.kind === 'recalled');
  return { total: links.length, links };
};

/** Without the counts of downloads, which the shipped versions did not have. */
const sharedOf = ({ views }: Ledger): unknown => {
  const { downloads: _, downloaded: __, reported: ___, gone: ____, ...shared } = views.shared();
  return shared;
};

/** Without the id of the upload in the fields of a file: the shipped versions did not have it there. */
const withoutIds = (exported: unknown): unknown =>
  JSON.parse(
    JSON.stringify(exported, function (this: object, name, value: unknown) {
      return name === 'uploadId' && 'told' in this ? undefined : value;
    }),
  );

/** Without the counts of matches, which the shipped versions did not have. */
const page = (ledger: Ledger, place: (typeof groups)[number], search: string): unknown => {
  const { matches: _, ...found } = ledger.views.page({
    search,
    place,
    sort: 'uploaded',
    descending: true,
    after: null,
    limit: 100,
  });
  return found;
};
