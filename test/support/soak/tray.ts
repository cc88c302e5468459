// One user's machine for the soak: a folder with files, a data folder that starts empty, an account on the service.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrokenLines, putAuditFile } from './audit-file.ts';
import { findBroken, noteLinks, readLedger, type LedgerView } from './promises.ts';
import {
  startOuttray,
  type Build,
  type Doom,
  type Running,
  type ServiceProcess,
  type StoredFile,
} from './processes.ts';

/** Looks are due 34 ms, 136 ms and a little over this after the tail; the default waits 15 min for slow lists. */
export const reconcileAfterMs = 1000;
/** Three looks, the back-off of a broken connection and a busy machine. */
const mostEndMs = 180_000;

export type Tray = {
  home: string;
  folder: string;
  /** SHA-256 by name of everything put there. */
  wanted: ReadonlyMap<string, string>;
  put(name: string, sizeBytes: number): void;
  /** `outtray watch` on the folder. */
  watch(more?: { once?: boolean; doom?: Doom; notes?: string }): Running;
  /** `outtray recall` of this file. */
  recall(name: string, more?: { doom?: Doom; notes?: string }): Running;
  /** `outtray expire` of this file. */
  expire(name: string, when: string): Running;
  /** The counts of `outtray status --json`, or its other output. */
  status(): Promise<{ ok: true; counts: Record<string, number> } | { ok: false; said: string }>;
  /** Records the links reported so far; returns the ledger and the links that changed. */
  noteLinks(): { view: LedgerView | null; broken: string[] };
  /** Runs on until every file is uploaded, and checks everything. Returns the broken promises. */
  finish(how?: { status?: boolean; isForeign?: (file: StoredFile) => boolean }): Promise<string[]>;
  /** Makes a new data folder; the folder's files stay. */
  renew(): void;
  remove(): void;
};

export const createTray = (options: {
  build: Build;
  service: ServiceProcess;
  account: { name: string; key: string };
  settings?: Record<string, unknown>;
  /** With an audit file in the data folder that is nearly full. */
  isAudited?: boolean;
}): Tray => {
  const { build, service, account } = options;
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'outtray-soak-')));
  const home = path.join(root, 'home');
  const folder = path.join(root, 'folder');
  const wanted = new Map<string, string>();
  const told = new Map<number, string>();
  const settings = {
    requestsPerMinute: 100_000,
    requestsPerDay: 10_000_000,
    burstFiles: 100_000,
    reconcileAfterMs,
    settleMs: 1,
    ...options.settings,
  };
  mkdirSync(folder);

  const renew = (): void => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { mode: 0o700 });
    const audit = options.isAudited === true ? putAuditFile(home) : {};
    writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ ...settings, ...audit }));
    told.clear();
  };
  renew();
  const start = (args: readonly string[], more: { doom?: Doom; notes?: string } = {}): Running =>
    startOuttray(args, { build, home, baseUrl: service.baseUrl, key: account.key, ...more });

  const tray: Tray = {
    home,
    folder,
    wanted,
    put(name, sizeBytes) {
      const content = Buffer.alloc(sizeBytes, `${name} of ${root} `);
      writeFileSync(path.join(folder, name), content);
      wanted.set(name, createHash('sha256').update(content).digest('hex'));
    },
    watch: ({ once = false, ...more } = {}) =>
      start(['watch', folder, '--existing', 'upload', ...(once ? ['--once'] : [])], more),
    recall: (name, more = {}) => start(['recall', path.join(folder, name)], more),
    expire: (name, when) => start(['expire', path.join(folder, name), when]),
    async status() {
      const run = start(['status']);
      const { code, signal } = await run.ended;
      const counts = run.lines[0]?.['counts'];
      return code === 0 && typeof counts === 'object' && counts !== null
        ? { ok: true, counts: counts as Record<string, number> }
        : { ok: false, said: `${code ?? signal}: ${JSON.stringify(run.lines)} ${run.stderr()}` };
    },
    noteLinks() {
      const view = readLedger(home);
      return { view, broken: noteLinks(told, view) };
    },
    async finish({ status: isAsked = true, isForeign } = {}) {
      const run = tray.watch();
      const isAllUp = await run.until(
        (line) => line.event === 'idle' && line['uploaded'] === wanted.size,
        mostEndMs,
      );
      const { code, signal } = await run.stop('SIGINT');
      const broken: string[] = [];
      if (!isAllUp) {
        const last = run.lines.slice(-3).map((line) => JSON.stringify(line));
        broken.push(`not everything went up: ${last.join(' ')} ${run.stderr()}`);
      } else if (code !== 130) broken.push(`watch ended with ${code ?? signal} ${run.stderr()}`);
      const status = isAsked ? await tray.status() : null;
      if (status?.ok === false) broken.push(`status said ${status.said}`);
      const counts = status?.ok === true ? status.counts : null;
      const found = { home, service, account: account.name, wanted, told, counts };
      broken.push(...(await findBroken(isForeign === undefined ? found : { ...found, isForeign })));
      if (options.isAudited === true) broken.push(...findBrokenLines(home, [account.key]));
      return broken;
    },
    renew,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  return tray;
};
