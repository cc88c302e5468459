// The service and the network, behind the engine's `Api` port. The real readers of answers and statuses read what the
// service sends. network.ts decides the outcome of a request, account.ts what exists afterwards.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { jsonOf } from '../../service/send.ts';
import { toAppError } from '../../../src-main/contract/errors.ts';
import * as answers from '../../../src-main/adapters/api/answers.ts';
import {
  faultOfConnect,
  faultOfStatus,
  unusable,
  type Endpoint,
} from '../../../src-main/adapters/api/http-errors.ts';
import type { Api, UploadRequest } from '../../../src-main/engine/ports/api.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Account, Stored } from './account.ts';
import type { Accounts } from './accounts.ts';
import type { Asked, Audit } from './audit.ts';
import type { Dice } from './dice.ts';
import type { Met, Proxy } from './proxy.ts';
import type { Story } from './story.ts';
import type { Fate, RequestKind, Network } from './network.ts';
import { broken, type Wire } from './wire.ts';

/** The real client gives up on an answer after this long. */
const patienceMs = 120_000;
const dayMs = 86_400_000;
/** The protocol assumes that this long after the client gave up, the list shows the file if there is one. */
const reconcileAfterMs = 900_000;

const statuses: Partial<Record<Fate, [number, Record<string, string>]>> = {
  '5xx': [503, { 'retry-after': '120' }],
  '5xx-created': [502, {}],
  redirect: [302, { location: 'https://elsewhere.example/api/v1/files/upload' }],
  '400': [400, {}],
  '401': [401, {}],
  '403': [403, {}],
  '404': [404, {}],
  '408': [408, {}],
  '413': [413, {}],
  '429': [429, {}],
  '429-retry-after': [429, { 'retry-after': '7' }],
  '429-silly-retry-after': [429, { 'retry-after': '999999' }],
  'early-401': [401, {}],
  'early-403': [403, {}],
  'early-413': [413, {}],
  'early-429': [429, {}],
};
const endpoints: Record<RequestKind, Endpoint> = {
  upload: 'upload',
  list: 'list',
  stats: 'stats',
  info: 'file',
  remove: 'file',
};
/** Another account may have a file with the same id, name and size. Its link and its time differ. */
const ofAnother = ({ public_link: link }: { public_link: string }) => ({
  public_link: `${link}-other`,
  upload_date: '2020-01-01T00:00:00Z',
});
const bytesOf = (value: unknown): Uint8Array => Buffer.from(jsonOf(value));

export const createService = (options: {
  dice: Dice;
  clock: VirtualClock;
  wallMs: () => number;
  wire: Wire;
  network: Network;
  proxy: Proxy;
  accounts: Accounts;
  audit: Audit;
  story: Story;
  isFollowed: (fileId: FileId) => boolean;
  /** An upload in the ledger has this file. */
  isKnown: (fileId: FileId) => boolean;
  /** The present key is of an account in which nothing is ours. */
  isOtherKey: () => boolean;
}): Api => {
  const { dice, clock, wire, network, proxy, accounts, audit, story } = options;

  const refuse = (asked: Asked, status: number, headers: Record<string, string>): never => {
    audit.denies(asked, status);
    throw faultOfStatus({ status, headers }, Buffer.from('{"error":"no"}'), {
      endpoint: endpoints[asked.kind],
      secret: null,
      nowMs: options.wallMs(),
    });
  };

  /** A request from its beginning to its end, also when it fails. */
  const request = async <T>(
    kind: RequestKind,
    act: (asked: Asked) => Promise<T>,
    isCheck = false,
  ): Promise<T> => {
    const asked = audit.begins(kind, proxy.downNow(), isCheck);
    asked.isElsewhere = options.isOtherKey();
    if ((asked.isElsewhere || accounts.isUnproved()) && kind !== 'info' && !asked.byPerson)
      story.violated('W11', `${kind} with a key whose account is not proved`);
    try {
      return await act(asked);
    } finally {
      audit.ends(asked);
    }
  };

  /** The way to the service. Throws when the connection fails. */
  const arrive = async (asked: Asked, fate: Fate, signal: AbortSignal): Promise<void> => {
    if (fate !== 'good') story.fault(fate, asked.kind);
    if (network.isRefusing(asked.kind)) story.fault(`${asked.kind}-refused-long`);
    if (fate === 'refused') {
      await wire.travel(1, signal);
      throw faultOfConnect(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'files.example');
    }
    await wire.travel(fate === 'slow' ? dice.spread(5000, 100_000) : dice.spread(5, 2000), signal);
    audit.arrives(asked);
    if (fate === 'reset') throw broken('reset');
  };

  const read = <Schema extends Parameters<typeof answers.readAnswer>[0]>(
    schema: Schema,
    body: Uint8Array,
  ) => {
    const result = answers.readAnswer(schema, body);
    if (!result.ok) throw unusable(result.problem, { status: 200 });
    return result.value;
  };

  /** The bytes that this fate returns in place of a good body. */
  const spoil = (asked: Asked, fate: Fate, body: Record<string, unknown>): Uint8Array => {
    const refusal = statuses[fate];
    if (refusal !== undefined) return refuse(asked, ...refusal);
    switch (fate) {
      case 'truncated':
      case 'truncated-created':
      case 'answer-lost':
      case 'tail-lost':
        throw broken(fate);
      case 'html':
      case 'html-created':
        return Buffer.from('<html><body>Good evening</body></html>');
      case 'wrong-types':
      case 'wrong-types-created':
        return bytesOf({ ...body, file_id: '7', files: {}, stats: 1, file: [], message: 3 });
      case 'success-false':
      case 'success-false-created':
        return bytesOf({ ...body, success: false });
      case 'bad-link':
        return bytesOf({ ...body, public_link: 'javascript:alert(1)' });
      case 'wrong-size':
        return bytesOf({ ...body, size: 77_777_777 });
      default:
        return bytesOf(body);
    }
  };

  const ask = (
    kind: RequestKind,
    signal: AbortSignal,
    body: (asked: Asked, account: Account) => Record<string, unknown>,
    isCheck = false,
  ): Promise<Uint8Array> => {
    const account = accounts.reached();
    return request(kind, (asked) => exchange(asked, account, signal, body), isCheck);
  };

  const exchange = async (
    asked: Asked,
    account: Account,
    signal: AbortSignal,
    body: (asked: Asked, account: Account) => Record<string, unknown>,
  ): Promise<Uint8Array> => {
    const met = proxy.asks();
    if (met !== null) return await meet(asked, met, patienceMs, signal);
    const fate = network.fate(asked.kind);
    await arrive(asked, fate, signal);
    if (!account.accepts()) refuse(asked, 429, dice.happens(0.5) ? { 'retry-after': '20' } : {});
    // The service performs the request even when its answer is spoilt.
    // The engine trusts a 404 to a deletion, so the file has to be deleted.
    const happens = statuses[fate] === undefined || (asked.kind === 'remove' && fate === '404');
    const good = happens ? body(asked, account) : {};
    await wire.travel(dice.spread(5, 2000), signal);
    const bytes = spoil(asked, fate, good);
    asked.isAnswered = fate === 'good' || fate === 'slow';
    audit.answers(asked);
    return bytes;
  };

  /** The proxy answers by itself, or not at all. */
  const meet = async (asked: Asked, met: Met, waitMs: number, signal: AbortSignal): Promise<never> => {
    story.fault(met.kind, asked.kind);
    if (asked.kind !== 'upload') audit.arrives(asked);
    asked.outage = proxy.downNow();
    await wire.travel(Math.min(met.afterMs, waitMs), signal);
    if (met.status === 0 || met.afterMs >= waitMs) throw broken(met.kind);
    return refuse(asked, met.status, met.headers ?? {});
  };

  /** The origin stores it after that time, but within `reconcileAfterMs` after the answer is given up. */
  const storeLater = (account: Account, delayMs: number, create: () => void): { givenUp: () => void } => {
    const atMs = clock.monoMs() + delayMs;
    const undo = clock.after(delayMs, create);
    return {
      givenUp() {
        const mostMs = reconcileAfterMs - account.mostLagMs - 1;
        if (atMs <= clock.monoMs() + mostMs) return;
        undo();
        clock.after(mostMs, create);
      },
    };
  };

  const isDayUsedUp = (account: Account): boolean =>
    account.dailyUploads > 0 &&
    account.stored.filter((file) => file.atMs > clock.monoMs() - dayMs).length >= account.dailyUploads;

  const mayBeEarly = (fate: Fate): boolean =>
    fate.startsWith('early-') || (statuses[fate] !== undefined && dice.happens(0.5));

  const isCreated = (fate: Fate): boolean =>
    ['good', 'slow', 'answer-lost', 'late-commit', 'bad-link', 'wrong-size', 'known-id'].includes(fate) ||
    fate.endsWith('-created');

  const upload = (wanted: UploadRequest) => request('upload', (asked) => receive(asked, wanted));

  const receive = async (asked: Asked, wanted: UploadRequest) => {
    const { signal } = wanted;
    const account = accounts.reached();
    asked.name = wanted.sentName;
    const isAway = proxy.downNow() !== null;
    let fate = isAway ? 'good' : network.fate('upload');
    await arrive(asked, fate, signal);
    if (isAway) fate = 'good';
    else if (!account.accepts()) fate = 'early-429';
    else if (isDayUsedUp(account) && isCreated(fate)) {
      fate = dice.happens(0.5) ? '403' : 'early-403';
      story.fault('daily-uploads');
    }
    const isEarly = mayBeEarly(fate);
    const parts: Buffer[] = [];
    let sentBytes = 0;
    for await (const piece of wanted.pieces(signal)) {
      parts.push(Buffer.from(piece));
      sentBytes += piece.length;
      wanted.progress(sentBytes);
      await wire.travel(dice.spread(1, 10_000), signal);
      if (isEarly) spoil(asked, fate, {});
      if (fate === 'reset-in-body') throw broken(fate);
    }
    if (isEarly) spoil(asked, fate, {});
    if (fate === 'reset-in-body') throw broken(fate);
    const text = Buffer.concat(parts).toString();
    const wasNo = audit.isNo(text);
    await wanted.beforeTail();
    audit.tail(asked, text);
    // A no that came while the tail was recorded may be too late.
    if (!signal.aborted && wasNo && audit.isNo(text))
      story.violated('W2', `${wanted.sentName} went out in spite of a no: ${text.slice(0, 9)}`);
    // If the process was killed or the upload cancelled at this moment, the tail may or may not have left.
    if (signal.aborted && dice.happens(0.5)) throw broken('killed before the tail left');
    const content = Buffer.concat(parts).toString();
    const create = (): Stored => {
      const file = account.add(wanted.sentName, content, 'us', asked);
      audit.created(file);
      return file;
    };
    const met = proxy.takes();
    if (met !== null) return await passOn(asked, account, met, wanted, create);
    if (fate === 'late-commit') {
      const lateMs = dice.spread(1000, 480_000);
      clock.after(lateMs, create);
      await wire.travel(patienceMs, signal);
      throw broken('no answer in time');
    }
    const file = isCreated(fate) ? create() : null;
    await wire.travel(fate === 'slow' ? dice.spread(1000, 100_000) : dice.spread(5, 2000), signal);
    const known =
      fate === 'known-id'
        ? account.stored.find((one) => one.by === 'us' && one !== file && options.isKnown(one.fileId))
        : undefined;
    const told = known ?? file;
    const receipt =
      told === null ? { file_id: 1, public_link: '', size: 0, filename: '' } : account.remote(told);
    const bytes = spoil(asked, fate, { success: true, ...receipt });
    const read_ = read(answers.receiptAnswer, bytes);
    audit.answers(asked);
    return read_;
  };

  /** The proxy has the whole upload. */
  const passOn = async (
    asked: Asked,
    account: Account,
    met: Met,
    wanted: UploadRequest,
    create: () => Stored,
  ) => {
    const { signal, answerWaitMs = patienceMs } = wanted;
    const stored = met.storedAfterMs.filter((ms) => ms === 0).map(create);
    const later = met.storedAfterMs.filter((ms) => ms > 0).map((ms) => storeLater(account, ms, create));
    try {
      if (met.status !== 200) return await meet(asked, met, answerWaitMs, signal);
      story.fault(met.kind);
      await wire.travel(met.afterMs, signal);
      audit.answers(asked);
      const told = account.remote(dice.pick(stored));
      return read(answers.receiptAnswer, bytesOf({ success: true, ...told }));
    } finally {
      for (const one of later) one.givenUp();
    }
  };

  /** What an id was shown to lead to; null: to nothing. */
  const noteShown = ({ stored }: Account, fileId: FileId, link: string | null | undefined): void => {
    if (link === undefined) return;
    for (const file of stored) {
      // An answer that was under way while the file was deleted shows it as it was.
      if (file.fileId !== fileId || (file.deleted && file.link === link)) continue;
      file.isIdGone = file.link !== link;
      file.wasIdGone ||= file.isIdGone;
    }
  };
  const idAnswered = async (
    account: Account,
    fileId: FileId,
    answer: Promise<Uint8Array>,
  ): Promise<Uint8Array> => {
    try {
      return await answer;
    } catch (caught) {
      if (toAppError(caught).code === 'not-found') noteShown(account, fileId, null);
      throw caught;
    }
  };

  return {
    upload,
    async list({ page = 1, limit = 20 }, signal) {
      const bytes = await ask('list', signal, (_, account) => ({
        success: true,
        ...account.page(page, limit),
      }));
      return read(answers.listAnswer, bytes);
    },
    async info(fileId, signal) {
      const account = accounts.reached();
      const file = account.byId(fileId);
      const told = (asked: Asked): Record<string, unknown> => {
        if (file === null || (asked.isElsewhere && dice.happens(0.5))) return refuse(asked, 404, {});
        const told = account.remote(file);
        if (asked.isElsewhere) return { success: true, file: { ...told, ...ofAnother(told) } };
        return { success: true, file: told };
      };
      const bytes = await idAnswered(account, fileId, ask('info', signal, told, options.isFollowed(fileId)));
      const shown = read(answers.fileAnswer, bytes);
      noteShown(account, fileId, shown.public_link);
      return shown;
    },
    async remove(fileId, signal) {
      const account = accounts.reached();
      const lose = (asked: Asked): Record<string, unknown> => {
        const file = account.byId(fileId);
        if (file === null) return refuse(asked, 404, {});
        audit.removed(file);
        account.remove(file);
        return { success: true, message: 'File deleted' };
      };
      const bytes = await idAnswered(account, fileId, ask('remove', signal, lose));
      const told = read(answers.removalAnswer, bytes);
      noteShown(account, fileId, null);
      return told;
    },
    async stats(signal) {
      const bytes = await ask('stats', signal, (_, account) => ({
        success: true,
        stats: { total_files: account.stored.length, total_size: 0 },
        limits: { max_file_size: 0, daily_uploads: account.dailyUploads },
        plan: 'Pro',
      }));
      return read(answers.statsAnswer, bytes);
    },
    async digestOfLink(link, sizeBytes, signal) {
      await wire.travel(dice.spread(5, 2000), signal);
      const account = accounts.ofLink(link);
      const file = account.byLink(link);
      if (proxy.downNow() !== null) throw broken('the origin is away');
      if (network.linkFails()) {
        story.fault('link-unreachable');
        throw broken('the link cannot be fetched');
      }
      if (account.isPage) {
        story.fault('link-is-page');
        return null;
      }
      const isFlaky = file !== null && network.isLinkFlaky();
      if (isFlaky) story.fault('link-404');
      if (file === null || isFlaky) {
        for (const one of account.stored) if (one.link === link) one.wasDead ||= one.isIdGone;
        const answer = { status: 404, headers: {} };
        throw faultOfStatus(answer, Buffer.from('gone'), {
          endpoint: 'link',
          secret: null,
          nowMs: options.wallMs(),
        });
      }
      file.downloads += 1;
      return file.content.length === sizeBytes ? file.sha256 : null;
    },
    isSaneLink: (link) => link.startsWith('https://share.example/'),
  };
};
