// The far side of the window's pipe without engine and shell: the same table of calls, answered from seeded
// files. For pictures of the window and for tests of the built window alone. Every call is kept in `calls`.
import { answerCall, type Change, type Reply } from '../../../src-main/contract/client.ts';
import type { FileGroup, FolderView, FollowPrice } from '../../../src-main/contract/answers.ts';
import type {
  Alike,
  CommandAnswer,
  CommandArguments,
  Handlers,
} from '../../../src-main/contract/commands.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import {
  fateOf,
  noCounts,
  type EngineStatus,
  type FileRow,
  type UploadView,
} from '../../../src-main/contract/model.ts';
import { noReviewCounts } from '../../../src-main/contract/report.ts';
import { fold, isFound, naturalOrder, rankOf, searchWords } from '../../../src-main/contract/search.ts';
import {
  defaultSettings,
  folderRules,
  settingNames,
  withRule,
  type SettingView,
} from '../../../src-main/contract/settings.ts';
import type { WindowNews } from '../../../src-main/contract/window.ts';
import { shellHandlers } from './fake-shell.ts';
import { alikeOf, burstOf, candidates, deletionOf, excerpts, filesAlike, statsOf } from './fake-answers.ts';
import type { Seed } from './fake-seed.ts';
import { account, fewRows, inspection, NOW_MS, status, statusAfter } from './seed.ts';

export type FakeTransport = {
  call(name: string, input: unknown): Promise<Reply>;
  listen(hear: (change: Change | WindowNews) => void): () => void;
  calls: { name: string; input: unknown }[];
  /** Sends a change with the next number. */
  send(change: ChangeBody): void;
  /** Sends what the shell sends in addition to the changes. */
  tell(news: WindowNews): void;
  setStatus(change: Partial<EngineStatus>): void;
  seed: Seed;
};

type ChangeBody = Change extends infer One ? (One extends Change ? Omit<One, 'seq'> : never) : never;

export const createFakeTransport = (change: Partial<Seed> = {}): FakeTransport => {
  const seed: Seed = {
    rows: fewRows(),
    uploads: [],
    status: status(),
    account: account(),
    inspection: inspection([], [], []),
    languages: ['en-GB'],
    platform: 'linux',
    compactRows: false,
    ownRules: {},
    screenshots: null,
    goodKey: 'good-key-4d06',
    lockedSettings: {},
    silent: [],
    failing: [],
    alive: [],
    statsRead: true,
    accountId: 1,
    readings: null,
    serviceFiles: null,
    given: null,
    downloads: [],
    followWaits: null,
    packings: [],
    inside: null,
    ...change,
  };
  const listeners = new Set<(change: Change | WindowNews) => void>();
  const calls: { name: string; input: unknown }[] = [];
  const settings = defaultSettings();
  settings.baseUrl = seed.account.baseUrl;
  settings.folder = seed.status.folder;

  const send = (body: ChangeBody): void => {
    seed.status = { ...seed.status, seq: seed.status.seq + 1 };
    const { seq } = seed.status;
    const whole: Change =
      body.kind === 'status' ? { seq, kind: 'status', status: seed.status } : { ...body, seq };
    for (const hear of listeners) hear(whole);
  };
  const tell = (news: WindowNews): void => {
    for (const hear of listeners) hear(news);
  };
  const setStatus = (next: Partial<EngineStatus>): EngineStatus => {
    seed.status = statusAfter(seed.status, next);
    send({ kind: 'status', status: seed.status });
    return seed.status;
  };

  const compare: Record<string, (a: FileRow, b: FileRow) => number> = {
    uploaded: (a, b) => (a.uploadedAtMs ?? 0) - (b.uploadedAtMs ?? 0),
    name: (a, b) => (naturalOrder(fold(a.name)) < naturalOrder(fold(b.name)) ? -1 : 1),
    size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
    downloads: (a, b) => (a.downloads ?? 0) - (b.downloads ?? 0),
  };

  const isIn = (group: FileGroup, { place }: FileRow): boolean =>
    group === 'all' ||
    (group === 'gone' ? place === 'gone-from-service' : (group === 'ours') === (place !== 'elsewhere'));
  const countGroups = (rows: readonly FileRow[] = seed.rows): Record<FileGroup, number> => {
    const count = (group: FileGroup): number => rows.filter((one) => isIn(group, one)).length;
    return { all: count('all'), ours: count('ours'), elsewhere: count('elsewhere'), gone: count('gone') };
  };

  /** The last answer is kept: paging through 100,000 rows asks the same question 200 times. */
  let last: { question: string; of: FileRow[]; rows: FileRow[] } | null = null;
  const answer = (question: string, work: () => FileRow[]): FileRow[] => {
    if (last?.question !== question || last.of !== seed.rows)
      last = { question, of: seed.rows, rows: work() };
    return last.rows;
  };

  const settingViews = (): SettingView[] =>
    settingNames.map(
      (name) =>
        ({
          name,
          value: settings[name],
          origin: seed.lockedSettings[name] === undefined ? 'default' : 'policy',
          lockedBy: seed.lockedSettings[name] ?? null,
        }) as SettingView,
    );

  const folderViews = (): FolderView[] =>
    seed.status.folders.map((one) => {
      const own = seed.ownRules[one.folder] ?? {};
      return {
        ...one,
        rules: { ...settings, paused: false, ...own },
        own: folderRules.filter((name) => Object.hasOwn(own, name)),
        locked: folderRules.filter((name) => name !== 'paused' && seed.lockedSettings[name] !== undefined),
      };
    });

  const inState = (...kinds: string[]): UploadView[] =>
    seed.uploads.filter((one) => kinds.includes(one.state.kind));
  const pick = (ids: readonly number[] | undefined): UploadView[] =>
    seed.uploads.filter((one) => ids === undefined || ids.includes(one.id));
  let beforeDrop = seed.uploads;
  const chosen = (of: { ids: number[] } | { alike: Alike }): number[] =>
    'ids' in of
      ? of.ids
      : inState(of.alike.kind)
          .filter(({ state }) => fateOf(state) === of.alike.fate)
          .map(({ id }) => id);
  const drop = (ids: readonly number[]): UploadView[] => {
    const gone = pick(ids);
    beforeDrop = seed.uploads;
    seed.uploads = seed.uploads.filter((one) => !ids.includes(one.id));
    send({ kind: 'entries', entries: [] });
    return gone;
  };
  const ready = (ids: readonly number[] | undefined): UploadView[] => {
    seed.uploads = seed.uploads.map((one) =>
      ids?.includes(one.id) === true ? { ...one, state: { kind: 'ready' }, bucket: 'waiting' } : one,
    );
    send({ kind: 'entries', entries: [] });
    return pick(ids);
  };

  const followPrice = (): FollowPrice => {
    const links = seed.rows.filter((one) => one.isFollowed).length;
    return { links, requestsPerDay: 96 * links, dayLimit: 5000, everyMs: 900_000, waits: seed.followWaits };
  };
  const followed = (uploadId: number) => {
    if (!seed.rows.some((one) => one.uploadId === uploadId && one.isFollowed))
      return { follow: null, downloads: [] };
    const nextCheckMs = NOW_MS + 13 * 60_000;
    return {
      follow: { nextCheckMs, price: followPrice() },
      downloads: seed.downloads,
    };
  };
  const setFollowed = (
    files: CommandArguments<'files.follow'>['files'],
    isFollowed: boolean,
  ): CommandAnswer<'files.follow'> => {
    const isMeant = ({ fileId }: FileRow): boolean =>
      files.some((file) => 'fileId' in file && file.fileId === fileId);
    seed.rows = seed.rows.map((one) => (isMeant(one) ? { ...one, isFollowed } : one));
    send({ kind: 'entries', entries: [] });
    const results = seed.rows
      .filter(isMeant)
      .map(({ fileId, path, publicLink }) => ({ fileId, path, publicLink, link: null, error: null }));
    return { results, price: followPrice() };
  };

  const handlers: Handlers = {
    'app.status': () => {
      const group = seed.given;
      // The page listens by the time it makes this call.
      if (group !== null) setTimeout(() => tell({ kind: 'given', group }));
      const { packings } = seed;
      if (packings.length > 0) setTimeout(() => send({ kind: 'packing', packings }));
      return seed.status;
    },
    'account.get': () => seed.account,
    'account.login': ({ baseUrl, key }) => {
      if (key !== seed.goodKey) {
        throw new AppError(
          'key-refused',
          'The service does not accept this API key.',
          'Copy it again from the account settings, section API.',
        );
      }
      seed.account = account({
        baseUrl: baseUrl ?? seed.account.baseUrl,
        key: { kind: 'stored', lastFour: key.slice(-4) },
      });
      send({ kind: 'settings' });
      return seed.account;
    },
    'account.decide': () => {
      seed.account = { ...seed.account, isUnknown: false };
      return seed.account;
    },
    'account.logout': () => {
      seed.account = { ...seed.account, key: { kind: 'absent' }, plan: null };
      return seed.account;
    },
    'files.page': ({ search, place, folder, sort, descending, after, offset, limit }) => {
      const found = answer(JSON.stringify([search, place, folder, sort, descending]), () => {
        const words = searchWords(search);
        const isBelow = ({ path }: FileRow): boolean =>
          folder === null || path?.startsWith(`${folder}/`) === true;
        const rows = seed.rows.filter((one) => isIn(place, one) && isBelow(one) && isFound(one, words));
        if (sort === 'match') {
          const value = (one: FileRow): string => `${rankOf(one, search)}${naturalOrder(fold(one.name))}`;
          return rows.sort((a, b) => (value(a) < value(b) ? -1 : 1) * (descending ? -1 : 1));
        }
        return rows.sort((a, b) => (compare[sort]?.(a, b) ?? 0) * (descending ? -1 : 1));
      });
      const from = after === null ? (offset ?? 0) : Number(after);
      const next = from + limit;
      return {
        rows: found.slice(from, next),
        next: next < found.length ? String(next) : null,
        total: found.length,
        counts: search === '' ? countGroups() : null,
        matches:
          search === '' ? null : countGroups(seed.rows.filter((one) => isFound(one, searchWords(search)))),
        asOfMs: seed.statsRead ? NOW_MS - 10_000 : null,
        accountId: seed.accountId,
      };
    },
    'files.refresh': () => ({
      requests: Math.max(1, Math.ceil(seed.rows.length / 100)),
      total: seed.rows.length,
    }),
    'files.list': () => ({ files: [], pagination: { page: 1, limit: 100, total: 0, pages: 0 } }),
    'files.info': ({ fileId }) => {
      const found = seed.rows.find((one) => one.fileId === fileId);
      if (found === undefined)
        throw new AppError('not-found', 'The service does not know this file any more.');
      return {
        file_id: fileId,
        filename: found.name,
        download_count: (found.downloads ?? 0) + 1,
        expiresAtMs: found.expiresAtMs,
        sentBytes: null,
      };
    },
    'files.recall': () => [],
    'files.expire': ({ files, expire }) =>
      files.map((file) => {
        const row = seed.rows.find((one) => 'fileId' in file && one.fileId === file.fileId);
        if (row === undefined) throw new AppError('not-found', 'There is no such file.');
        const expiresAtMs =
          expire === 'never' ? null : 'atMs' in expire ? expire.atMs : NOW_MS + expire.afterMs;
        seed.rows = seed.rows.map((one) => (one === row ? { ...one, expiresAtMs } : one));
        return { fileId: row.fileId, path: row.path, publicLink: row.publicLink, expiresAtMs, error: null };
      }),
    'files.delete': ({ fileIds }) => {
      seed.rows = seed.rows.filter((one) => one.fileId === null || !fileIds.includes(one.fileId));
      send({ kind: 'entries', entries: [] });
      return fileIds.map((fileId) => deletionOf(seed, fileId));
    },
    'files.walk': ({ paths }) => ({ paths, leftOut: [], unreadable: [] }),
    'files.upload': () => [],
    'files.bundle': () => {
      throw new AppError('bad-use', 'The window packs through files.upload.', '');
    },
    'files.follow': ({ files }) => setFollowed(files, true),
    'files.unfollow': ({ files }) => setFollowed(files, false),
    'files.import': () => {
      throw new AppError('bad-use', 'No page imports files.', '');
    },
    'files.followed': () => ({ links: [], price: followPrice() }),
    'files.stopPacking': ({ packing }) => {
      const isThere = seed.packings.some(({ id }) => id === packing);
      seed.packings = seed.packings.filter(({ id }) => id !== packing);
      send({ kind: 'packing', packings: seed.packings });
      return isThere;
    },
    'files.card': () => [],
    'files.linked': () => [],
    'files.verify': () => [],
    'files.keep': ({ fileIds }) => fileIds,
    'files.remove': ({ fileIds }) => {
      seed.rows = seed.rows.filter(
        (one) => one.place !== 'gone-from-service' || one.fileId === null || !fileIds.includes(one.fileId),
      );
      return fileIds.length;
    },
    'files.links': ({ uploadIds }) =>
      seed.rows.flatMap((one) =>
        one.uploadId !== null && uploadIds.includes(one.uploadId) && one.publicLink !== null
          ? [{ uploadId: one.uploadId, name: one.name, publicLink: one.publicLink }]
          : [],
      ),
    'report.copies': () => {
      throw new AppError('not-found', 'No link to this content is known here.');
    },
    'report.review': () => ({ findings: [], counts: noReviewCounts, asOfMs: null }),
    'report.export': () => ({ files: [], next: null }),
    'queue.get': ({ limit }) => {
      const waiting = inState('settling', 'ready', 'waiting');
      const held = inState('held', 'uncertain');
      const failed = inState('failed');
      return {
        status: seed.status,
        sending: inState('sending', 'committing'),
        waiting: waiting.slice(0, limit),
        waitingTotal: waiting.length,
        held: held.slice(0, limit),
        heldTotal: held.length,
        failed: failed.slice(0, limit),
        failedTotal: failed.length,
        skipped: inState('skipped').slice(0, limit),
        alike: alikeOf(inState('held', 'failed', 'skipped')),
        burst: burstOf(held),
      };
    },
    'queue.alike': (of) => filesAlike(seed.uploads.filter(({ id }) => chosen(of).includes(id))),
    'queue.held': () => inState('held'),
    'queue.excerpt': ({ id }) => ({ excerpt: excerpts[id] ?? null }),
    'queue.pause': ({ untilMs }) => setStatus({ paused: true, pausedUntilMs: untilMs }),
    'queue.resume': () => setStatus({ paused: false, pausedUntilMs: null }),
    'queue.confirm': (of) => ready(chosen(of)),
    'queue.newest': () => {
      const burst = inState('held').filter(({ state }) => fateOf(state) === 'burst');
      const newest = burst.at(-1)?.id ?? 0;
      const others = burst.flatMap(({ id }) => (id === newest ? [] : [id]));
      const skipped = { kind: 'skipped', rule: 'cancelled' } as const;
      return [...ready([newest]), ...drop(others).map((one) => ({ ...one, state: skipped }))];
    },
    'queue.zip': () => {
      const burst = inState('held').filter(({ state }) => fateOf(state) === 'burst');
      const [zip] = drop(burst.map(({ id }) => id));
      if (zip === undefined) throw new AppError('bad-use', 'No burst is held now.', '');
      return { ...zip, name: 'Outtray.zip', state: { kind: 'settling' }, bucket: 'waiting' };
    },
    'queue.skip': (of) => drop(chosen(of)),
    'queue.retry': ({ ids, alike }) => ready(alike === undefined ? ids : chosen({ alike })),
    'queue.cancel': ({ ids }) => drop(ids),
    'queue.undo': () => {
      const now = seed.uploads;
      seed.uploads = beforeDrop;
      send({ kind: 'entries', entries: [] });
      return seed.uploads.filter((one) => !now.includes(one));
    },
    'queue.order': ({ by }) => setStatus({ order: by }),
    'queue.toTop': ({ ids }) => {
      const top = pick(ids);
      seed.uploads = [...top, ...seed.uploads.filter((one) => !ids.includes(one.id))];
      send({ kind: 'entries', entries: [] });
      return top;
    },
    'queue.uncertain': () => [],
    'queue.candidates': () => candidates,
    'queue.resolve': ({ id }) => {
      const [one] = pick([id]);
      if (one === undefined) throw new AppError('not-found', 'There is no such upload.');
      drop([id]);
      return one;
    },
    'stats.get': () => statsOf(seed),
    'files.plan': () => ({ files: [], next: null, end: null }),
    'folder.inspect': ({ folder }) => ({ folder, ...seed.inspection }),
    'folders.list': folderViews,
    'folders.ignored': () => ({ ignored: 12, files: 330 }),
    'folders.find': () => ({ folder: seed.screenshots }),
    'folders.add'({ folder, rules }) {
      const isPreset = !('path' in folder);
      const path = isPreset ? (seed.screenshots ?? '') : folder.path;
      seed.ownRules[path] = isPreset ? { copyLink: 'always', ...rules } : rules;
      const added = { folder: path, available: true, counts: noCounts() };
      setStatus({ folder: seed.status.folder ?? path, folders: [...seed.status.folders, added] });
      return folderViews();
    },
    'folders.set'({ folder, name, value }) {
      const changed = withRule(seed.ownRules[folder] ?? {}, name, value);
      if (!changed.ok) throw new AppError('bad-setting', `${name} ${changed.problem}.`);
      seed.ownRules[folder] = changed.own;
      send({ kind: 'settings' });
      return folderViews();
    },
    'folders.remove'({ folder }) {
      const folders = seed.status.folders.filter((one) => one.folder !== folder);
      setStatus({ folder: folders[0]?.folder ?? null, folders });
      return folderViews();
    },
    'folder.choose': ({ folder }) => setStatus({ folder, folderAvailable: true }),
    'folder.scan': () => seed.status,
    'settings.get': settingViews,
    'settings.set': ({ name, value }) => {
      Object.assign(settings, { [name]: value });
      send({ kind: 'settings' });
      return settingViews();
    },
    'file.story': ({ uploadId }) => ({
      versions: [uploadId, uploadId + 1].map((id, at) => ({
        uploadId: id,
        publicLink: `https://files.example.com/d/${String(id)}kq`,
        uploadedAtMs: NOW_MS - at * 86_400_000,
        downloads: 6,
        isGone: false,
      })),
      history: [
        { seq: 1, atMs: NOW_MS, uploadId, path: null, body: { kind: 'queued', sizeBytes: 1 } },
        { seq: 2, atMs: NOW_MS, uploadId, path: null, body: { kind: 'gone' } },
      ],
      ...followed(uploadId),
      inside: seed.inside,
    }),
    'file.why': () => ({ path: '', sentence: '', upload: null }),
    'files.find': () => [],
    'app.doctor': () => [
      { name: 'keychain', ok: true, message: 'The keychain answers.', remedy: '' },
      { name: 'folder', ok: true, message: 'The folder is there and can be read.', remedy: '' },
      {
        name: 'watcher',
        ok: false,
        message: '8,192 folders can be watched, 9,004 are needed.',
        remedy: 'Raise fs.inotify.max_user_watches to 16384.',
      },
      { name: 'network', ok: null, message: 'Not asked.', remedy: '' },
    ],
  };

  return {
    seed,
    calls,
    send,
    tell,
    setStatus: (next) => void setStatus(next),
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    async call(name, input) {
      calls.push({ name, input });
      if (seed.silent.includes(name)) return await new Promise<Reply>(() => undefined);
      const fail = () => Promise.reject(new AppError('disk', 'The disk is full.'));
      const failing = Object.fromEntries(seed.failing.map((one) => [one, fail]));
      const every = { ...handlers, ...shellHandlers(seed), ...failing };
      return await answerCall(every, name, input, new AbortController().signal);
    },
  };
};
