// Compares the result of a case with the allowed ones: no false success, no false "not created", only AppErrors, no
// part of the key, nothing that acts on a terminal, and an end in time.
import { typedText } from '../../../src-main/cli/output/typed.ts';
import { fileIdFrom, type FileId } from '../../../src-main/contract/text/file-id.ts';
import { createFailures } from '../../../src-main/engine/upload/apply-failure.ts';
import { createAccount } from '../../../src-main/engine/account/account.ts';
import { createExpiry } from '../../../src-main/engine/account/expiry.ts';
import { createGate } from '../../../src-main/engine/account/gate.ts';
import { createRefusals } from '../../../src-main/engine/account/refusals.ts';
import type { Ask } from '../../../src-main/engine/limiter/ask.ts';
import { createFeed } from '../../../src-main/engine/shared/feed.ts';
import { createRows } from '../../../src-main/engine/state/rows.ts';
import type { Limiter } from '../../../src-main/engine/limiter/limiter.ts';
import type { Clock } from '../../../src-main/engine/ports/ports.ts';
import type { Files, OpenFile } from '../../../src-main/engine/ports/files.ts';
import type { Ledger, Permit } from '../../../src-main/engine/ports/ledger.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import { createSender } from '../../../src-main/engine/upload/send-file.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { RemoteFile } from '../../../src-main/contract/model.ts';
import { openMemoryLedger } from '../memory-ledger.ts';
import { localDisk } from '../fake-folder.ts';
import { createFakeInspect, createFakeLog, createFakeSettings } from '../fake-ports.ts';
import type { Asked, Endpoint } from './answers.ts';
import type { Case } from './cases.ts';
import { key, type Lane } from './lane.ts';

export type Finding = { label: string; problem: string };

const unprintable = /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]|\p{Cs}/u;

const problemOfError = (error: unknown): string | null => {
  if (!(error instanceof AppError)) return `threw what is no AppError: ${String(error)}`;
  if (error.code === 'internal' || error.code === 'bad-use') return `a fault of our own: ${error.message}`;
  const said = [error.message, typedText(error.remedy), error.evidence ?? ''];
  if (said.some((text) => text.includes(key.slice(0, 12)))) return 'says the key';
  if (said.some((text) => unprintable.test(text))) return `says what acts on a terminal: ${said.join(' ')}`;
  if (said.some((text) => text.length > 500)) return 'says too much';
  return null;
};

const problemOfFile = (file: RemoteFile, lane: Lane): string | null => {
  const names = ['file_id', 'filename', 'size', 'upload_date', 'download_count', 'public_link'];
  if (Object.keys(file).some((name) => !names.includes(name))) return 'keeps unknown fields';
  if (Object.getPrototypeOf(file) !== Object.prototype) return 'has another prototype';
  // Above 2^53 an id is the text of its digits.
  if (file.file_id !== undefined && fileIdFrom(String(file.file_id)) !== file.file_id)
    return `keeps the id ${file.file_id} as another one`;
  for (const value of [file.size, file.download_count]) {
    if (value !== undefined && !Number.isSafeInteger(value)) return `keeps ${value} as a number`;
  }
  const link = file.public_link;
  // Decided by its characters alone: our host, nothing before it, and no character that parsers may read differently.
  const isPlain = link?.startsWith(`${new URL(lane.link).origin}/`) === true && /^[!-[\]-~]+$/.test(link);
  if (link !== undefined && lane.api.isSaneLink(link) && !isPlain)
    return `would open ${JSON.stringify(link)}`;
  return null;
};

export type Bench = {
  ledger: Ledger;
  /** Ids that the ledger knows. */
  taken: FileId[];
  judge(endpoint: Endpoint, one: Case, asked: Asked, lane: Lane): Promise<string | null>;
  counts: { resolved: number; rejected: number; uncertain: number };
  close(): void;
};

const content = Buffer.alloc(1200, 'hostile ');
export const contentBytes = content.length;

/** The key of the account, as in every case here. */
const knownKey = {
  holds: () => true,
  look: async () => undefined,
  prove: async () => ({ accountId: 1, mark: '' }),
  decide: async () => undefined,
};
const never = new AbortController().signal;

/** Everything an upload needs, real but for the file and the limiter. */
export const openBench = (): Bench => {
  const clock: Clock = {
    wallMs: () => Date.now(),
    monoMs: () => performance.now(),
    sinceBoot: () => null,
    after: (delayMs, act) => {
      const timer = setTimeout(act, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const ledger = openMemoryLedger(() => clock.wallMs());
  const settings = createFakeSettings();
  const log = createFakeLog();
  const account = createAccount(ledger, clock, () => settings.current());
  const feed = createFeed({ clock, ledger });
  const rows = createRows({ ledger, clock, feed });
  const limiter = boundless(ledger);
  const counts = { resolved: 0, rejected: 0, uncertain: 0 };
  const taken: FileId[] = [];
  let serial = 0;

  const open = (gate: () => Promise<void>): OpenFile => ({
    stamp: stampOf(serial),
    place: async () => ({ path: '/hostile', names: ['/hostile'], folders: [] }),
    async *pieces() {
      yield content;
    },
    head: async () => content,
    descriptor: 0,
    cut: () => open(gate),
    async unchanged() {
      await gate();
      return true;
    },
    sha256: async () => 'a'.repeat(64),
    close: async () => undefined,
  });

  const upload = async (one: Case, asked: Asked, lane: Lane): Promise<string | null> => {
    serial += 1;
    const draft = { folderId: null, dir: '/hostile', name: asked.name, stamp: stampOf(serial) };
    const row = ledger.uploads.insert(
      { ...draft, state: { kind: 'ready' }, confirmed: true, wantsAnother: true },
      Date.now(),
    );
    const api = one.legit !== 'must' && isPatient(one) ? lane.hasty : lane.api;
    const file = open(() => (one.early ? lane.answeredEarly() : Promise.resolve()));
    const files: Files = {
      identify: async () => '',
      disk: () => localDisk,
      mounts: () => null,
      list: async () => ({ ok: true, found: [] }),
      look: async () => null,
      spell: async (paths) => paths.map((path) => ({ path, isGuess: false })),
      place: async (path) => ({ path, names: [path], folders: [] }),
      open: async () => file,
      seesWriters: () => true,
      openForWriting: async () => new Map(),
    };
    const send = createSender(
      { ports: { files, inspect: createFakeInspect(), api, ledger, clock, log, settings }, feed, rows },
      {
        limiter,
        account,
        expiry: createExpiry({ clock, settings, ledger }, limiter),
        identity: knownKey,
      },
    );
    const sent = await send(row, never, {
      mayGo: () => true,
      failing: () => undefined,
      sent: () => undefined,
    });
    if (sent.kind === 'uploaded') {
      counts.resolved += 1;
      if (one.legit === 'never') return 'was taken for uploaded';
      if (sent.upload.fileId !== null) taken.push(sent.upload.fileId);
      const { publicLink } = sent.upload;
      return publicLink === null
        ? 'is uploaded without a link'
        : problemOfFile({ public_link: publicLink }, lane);
    }
    if (sent.kind !== 'fault') return `came to nothing: ${sent.kind}`;
    counts.rejected += 1;
    if (sent.verdict.kind === 'uncertain') counts.uncertain += 1;
    if (one.legit === 'must')
      return `was not taken for uploaded: ${sent.error.code} ${sent.error.evidence ?? ''}`;
    const attempt = sent.attempt === null ? null : ledger.attempts.byId(sent.attempt.id);
    const mayBeThere = attempt?.committingAtMs !== null && attempt !== null;
    if (mayBeThere && sent.verdict.kind !== 'uncertain' && (one.said === 'success' || one.said === 'nothing'))
      return `was taken for not created (${sent.verdict.kind}), though no refusal came`;
    const ask: Ask = async () =>
      ({
        stats: { total_files: 0, total_size: 0 },
        limits: { max_file_size: 0, daily_uploads: 0 },
        plan: 'Pro',
      }) as never;
    const work = { signal: never, isRunning: () => true, isOn: () => true };
    const gate = createGate(
      { ports: { clock, chance: () => 0, ledger }, feed, work },
      { owner: 'engine:1', isAlive: () => true },
    );
    const applyFailure = createFailures(
      { ports: { ledger, clock, settings, api }, rows, work, steadyMs: () => Date.now() },
      { account, ask, gate, limiter },
      createRefusals(ledger, clock),
    );
    await applyFailure(row, sent.verdict, sent.error, {
      asked: true,
      isQuick: sent.isQuick,
    });
    const state = ledger.uploads.byId(row.id)?.state.kind;
    if (sent.verdict.kind === 'uncertain' && state !== 'uncertain')
      return `is ${state ?? 'no row'} instead of uncertain`;
    if (state === 'uploaded' || state === 'sending' || state === 'committing') return `stays ${state}`;
    return problemOfError(sent.error);
  };

  const ask = (endpoint: Endpoint, asked: Asked, api: Lane['api']): Promise<RemoteFile[]> => {
    switch (endpoint) {
      case 'list':
        return api.list({ page: 1, limit: 20 }, never).then((page) => page.files);
      case 'info':
        return api.info(asked.fileId, never).then((file) => [file]);
      case 'remove':
        return api.remove(asked.fileId, never).then(() => []);
      default:
        return api.stats(never).then(() => []);
    }
  };

  return {
    ledger,
    taken,
    counts,
    close: () => ledger.close(),
    async judge(endpoint, one, asked, lane) {
      if (endpoint === 'upload') return upload(one, asked, lane);
      const api = one.legit !== 'must' && isPatient(one) ? lane.hasty : lane.api;
      try {
        const files = await ask(endpoint, asked, api);
        counts.resolved += 1;
        if (one.legit === 'never') return 'was believed';
        return files.reduce<string | null>((found, file) => found ?? problemOfFile(file, lane), null);
      } catch (error) {
        counts.rejected += 1;
        if (one.legit === 'must')
          return `was not believed: ${error instanceof AppError ? `${error.code} ${error.evidence ?? ''}` : String(error)}`;
        return problemOfError(error);
      }
    },
  };
};

/** The server keeps the connection open: with its usual limits the program would wait for half a minute. */
const isPatient = (one: Case): boolean => one.ending === 'hold' || one.ending === 'endless';

const stampOf = (serial: number): Upload['stamp'] & object => ({
  sizeBytes: contentBytes,
  key: `k${serial}`,
  inode: `1:${serial}`,
  mtimeMs: 1,
  ctimeMs: 1,
});

/** Grants everything: budgets are not tested here. */
const boundless = (ledger: Ledger): Limiter => {
  const grant = (lane: Permit['lane']): Permit => ledger.permits.insert(lane, Date.now(), 'engine:hostile');
  const unasked = (): never => {
    throw new Error('Nobody asks.');
  };
  const limiter = {
    tryTake: (lane: Permit['lane']) => ({ kind: 'granted' as const, permit: grant(lane) }),
    take: async (lane: Permit['lane']) => grant(lane),
    answered: (permit: Permit) => ledger.permits.answer(permit.id, Date.now()),
    undone: () => undefined,
    waitFor: () => null,
    nextSlotAt: () => null,
    idleInMs: () => 0,
    pausedBy429UntilMs: () => null,
    view: unasked,
    laneFreeInMs: unasked,
    firstWithin: unasked,
    nowMs: () => Date.now(),
    snapshot: unasked,
    recover: () => undefined,
    rulesChanged: () => undefined,
    tryNow: () => undefined,
    onChange: () => () => undefined,
    close: () => undefined,
  };
  return limiter;
};
