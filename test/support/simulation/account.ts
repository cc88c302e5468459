// The account on the service: what it stores, how it lists files, how it counts requests. The seed decides everything
// that the specification leaves open.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { createHash } from 'node:crypto';
import type { RemoteFile } from '../../../src-main/contract/model.ts';
import { models, type ModelName } from '../limiter-models.ts';
import type { Dice } from './dice.ts';

export type Stored = {
  fileId: FileId;
  name: string;
  content: string;
  sha256: string;
  link: string;
  atMs: number;
  visibleAtMs: number;
  deleted: boolean;
  /** The link of a deleted file works until this time: some services confirm a deletion and keep the file. */
  servedUntilMs: number;
  /** Its id was last answered with nothing, or with another file. */
  isIdGone: boolean;
  /** Its account once answered so. */
  wasIdGone: boolean;
  /** Since then a request for its link was answered with "gone". */
  wasDead: boolean;
  /** What the service counts. */
  downloads: number;
  by: 'us' | 'other device';
  /** Which of our own requests created it: a proxy may have repeated that request. */
  request: object | null;
};

export type Account = {
  stored: Stored[];
  add(sentName: string, content: string, by: Stored['by'], request?: object): Stored;
  byId(fileId: FileId): Stored | null;
  byLink(link: string): Stored | null;
  /** It is, or was, the link of one of its files. */
  owns(link: string): boolean;
  remove(file: Stored): void;
  /** The service is set up again: nothing is left, and all ids start again. */
  setUpAnew(): void;
  remote(file: Stored): RemoteFile & { file_id: FileId; public_link: string; size: number; filename: string };
  page(number: number, limit: number): { files: RemoteFile[]; pagination: Record<string, number> };
  /** Whether a request of the minute is answered. */
  accepts(): boolean;
  dailyUploads: number;
  /** Its links are pages with a button: they never show the bytes, alive or dead. */
  isPage: boolean;
  /** The longest time until the list has a new file. */
  mostLagMs: number;
  traits: string;
};

export const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

const orders = ['newest', 'newest', 'oldest', 'id-hash', 'name', 'size', 'downloads'] as const;
const names = ['as-is', 'as-is', 'as-is', 'lowercase', 'underscores', 'prefix', 'unique'] as const;
const hidden: readonly (readonly (keyof RemoteFile)[])[] = [
  [],
  [],
  ['public_link'],
  ['size'],
  ['filename'],
  ['upload_date', 'download_count', 'public_link'],
];

export const createAccount = (
  dice: Dice,
  nowMs: () => number,
  perMinute: number,
  givenAgain: (fileId: FileId) => void = () => undefined,
  /** Its links begin with it. */
  letter = 'T',
): Account => {
  const linkStart = `https://share.example/download/${letter}`;
  const order = dice.pick(orders);
  const naming = dice.pick(names);
  const without = dice.pick(hidden);
  const unit = dice.pick([1, 1, 1, 1024]);
  const pageSize = dice.pick([5, 20, 100]);
  /** Always less than reconcileAfterMs, as the protocol assumes of the service. */
  const lagMs = dice.pick([0, 0, 5000, 300_000]);
  const model = dice.pick(Object.keys(models) as ModelName[]);
  const dailyUploads = dice.pick([0, 0, 0, 500, 60]);
  const accepts = models[model](perMinute, () => dice.chance());
  const liar = dice.stream('liar');
  const stored: Stored[] = [];
  const startMs = nowMs();
  let lastId = 1000;
  const areIdsLarge = dice.stream('ids').happens(0.2);
  const isPage = dice.stream('pages').happens(0.1);
  const again = dice.stream('ids again');
  const givesIdsAgain = again.happens(0.2);
  /** The id of a deleted file, sometimes; null: a new one. */
  const idAgain = (): FileId | null => {
    if (!givesIdsAgain || !again.happens(0.5)) return null;
    const free = stored.filter(({ deleted, fileId }) => deleted && byId(fileId) === null);
    return free.length === 0 ? null : again.pick(free).fileId;
  };
  const nextId = (): FileId => (areIdsLarge ? String(2n ** 63n - 1_000_000n + BigInt(lastId)) : lastId);
  const byId = (fileId: FileId): Stored | null =>
    stored.find((file) => file.fileId === fileId && !file.deleted) ?? null;

  const nameFor = (name: string, fileId: FileId): string => {
    switch (naming) {
      case 'as-is':
        return name;
      case 'lowercase':
        return name.toLowerCase();
      case 'underscores':
        return name.replaceAll(' ', '_');
      case 'prefix':
        return `${fileId}-${name}`;
      case 'unique': {
        const twins = stored.filter((file) => file.name === name || file.name.endsWith(`) ${name}`)).length;
        return twins === 0 ? name : `(${twins}) ${name}`;
      }
    }
  };

  const remote = (file: Stored) => ({
    file_id: file.fileId,
    filename: file.name,
    size: Math.ceil(file.content.length / unit),
    upload_date: new Date(file.atMs).toISOString().slice(0, 19).replace('T', ' '),
    download_count: file.downloads,
    public_link: file.link,
  });

  const sorted = (): Stored[] => {
    const shown = stored.filter((file) => !file.deleted && file.visibleAtMs <= nowMs());
    const by = (key: (file: Stored) => string): Stored[] =>
      shown.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.sha256 < b.sha256 ? -1 : 1));
    switch (order) {
      case 'newest':
        return shown.toReversed();
      case 'oldest':
        return shown;
      case 'id-hash':
        return by((file) => sha256Of(String(file.fileId)));
      case 'name':
        return by((file) => file.name);
      case 'size':
        return by((file) => String(file.content.length).padStart(9, '0'));
      // An entry moves while the list is read.
      case 'downloads':
        return by((file) => String(file.downloads).padStart(9, '0'));
    }
  };

  return {
    stored,
    add(sentName, content, by, request) {
      lastId += dice.whole(1, 3);
      // One that was given again after the service was set up again may still be there.
      while (byId(nextId()) !== null) lastId += 1;
      const fileId = idAgain() ?? nextId();
      const before = stored.filter((file) => file.fileId === fileId).length;
      if (before > 0) givenAgain(fileId);
      const file: Stored = {
        fileId,
        name: nameFor(sentName, fileId),
        content,
        sha256: sha256Of(content),
        link: `${linkStart}${String(fileId)}k${before === 0 ? '' : before}`,
        atMs: nowMs(),
        visibleAtMs: nowMs() + (lagMs === 0 ? 0 : dice.chance() * lagMs),
        deleted: false,
        servedUntilMs: 0,
        isIdGone: false,
        wasIdGone: false,
        wasDead: false,
        downloads: 0,
        by,
        request: request ?? null,
      };
      stored.push(file);
      return file;
    },
    byId,
    byLink: (link) =>
      stored.find((file) => file.link === link && (!file.deleted || nowMs() < file.servedUntilMs)) ?? null,
    owns: (link) => link.startsWith(linkStart),
    remove(file) {
      file.deleted = true;
      if (liar.happens(0.2)) file.servedUntilMs = nowMs() + liar.pick([3000, 60_000, Infinity]);
    },
    setUpAnew() {
      for (const file of stored) {
        file.deleted = true;
        file.servedUntilMs = 0;
      }
      lastId = 1000;
    },
    remote,
    page(number, limit) {
      const all = sorted();
      const size = Math.min(limit, pageSize);
      const files = all.slice((number - 1) * size, number * size).map((file) => {
        const entry: RemoteFile = remote(file);
        for (const field of without) delete entry[field];
        return entry;
      });
      return {
        files,
        pagination: { page: number, limit: size, total: all.length, pages: Math.ceil(all.length / size) },
      };
    },
    accepts: () => accepts(nowMs() - startMs),
    dailyUploads,
    isPage,
    mostLagMs: lagMs,
    traits: `order ${order}, names ${naming}, without ${without.join('+') || 'nothing'}, unit ${unit}, page ${pageSize}, lag ${lagMs}, ${model}, daily ${dailyUploads}${isPage ? ', pages' : ''}${givesIdsAgain ? ', ids again' : ''}`,
  };
};
