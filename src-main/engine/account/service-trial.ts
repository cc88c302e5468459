// A trial of the service with throw-away files (`outtray doctor --service`). service.md leaves some assumptions behind
// the promises open, and only the service itself can confirm them. It makes about a dozen requests in the user's lane.
// All files that it created are deleted at the end, also when the trial breaks off.
import { call, wording } from '../../contract/text/wording.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { Check } from '../../contract/commands.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { RemotePage } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import { pause } from '../shared/time.ts';
import { planFault } from './forbidden.ts';
import type { Ports } from '../ports/ports.ts';
import {
  deleteCheck,
  limitCheck,
  linkHostCheck,
  listCheck,
  nameCheck,
  newIdCheck,
  orderCheck,
  rateCheck,
  repeatsCheck,
  sameBytesCheck,
  sizeCheck,
  tailCheck,
  totalCheck,
  zoneCheck,
  type Sent,
} from './trial-findings.ts';

/** Larger than what is withheld, so that a good part of it is on the service when it breaks off. */
const largeBytes = 48_000;
/** Time for the part to arrive before the connection goes. */
const cutAfterMs = 500;
const mostPerPage = 1000;

/** Fixed contents, so that the hashes of what the links should serve are known. */
export const trialContents = {
  small: {
    bytes: (): Uint8Array => new TextEncoder().encode('Outtray checks this service.\n'),
    sha256: 'db9293b0c77a5ad0c35ef575c365d7eb4458d713a1351cd4fbe32ff36cd24a7f',
  },
  large: {
    bytes: (): Uint8Array => new Uint8Array(largeBytes).fill(0x6f),
    sha256: '1868117ddd0830e28d3121cb2fa4dc478385e77b1c59d8fe787672275bcd86be',
  },
} as const;
type Content = (typeof trialContents)[keyof typeof trialContents];

export const createTrial = (options: { ports: Pick<Ports, 'api' | 'clock' | 'chance'>; ask: Ask }) => {
  const { api, clock, chance } = options.ports;

  return async (signal: AbortSignal): Promise<Check[]> => {
    const word = Math.floor(chance() * 36 ** 6)
      .toString(36)
      .padStart(6, '0');
    const prefix = `outtray-check-${word}`;
    const checks: Check[] = [];
    const sent: Sent[] = [];
    const toDelete = new Set<FileId>();
    // Held in an object because it is set in a callback.
    const done = { begun: false };

    const ask = <T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      options.ask('user', signal, request);

    const upload = async (sentName: string, content: Content, beforeTail: () => Promise<void>) => {
      const bytes = content.bytes();
      const receipt = await ask((stop) =>
        api.upload({
          sentName,
          sizeBytes: bytes.length,
          async *pieces() {
            yield bytes;
          },
          beforeTail,
          progress: () => undefined,
          signal: stop,
        }),
      );
      toDelete.add(receipt.file_id);
      return { sentName, sizeBytes: bytes.length, receipt };
    };

    /** Announces a whole file, sends a part of it and closes. The withheld tail relies on exactly this. */
    const cutOff = async (sentName: string): Promise<void> => {
      const cut = new AppError('aborted', 'Cut off on purpose.');
      try {
        await upload(sentName, trialContents.large, async () => {
          await pause(clock, cutAfterMs, signal);
          throw cut;
        });
      } catch (caught) {
        if (caught !== cut) throw caught;
      }
    };

    const fetched = async (file: Sent, content: Content) => ({
      digest: await api
        .digestOfLink(file.receipt.public_link, file.sizeBytes, signal)
        .catch((caught: unknown) => toAppError(caught)),
      sha256: content.sha256,
    });

    const remove = async (fileId: FileId): Promise<void> => {
      await ask((stop) => api.remove(fileId, stop));
      toDelete.delete(fileId);
    };

    const tryAll = async (): Promise<void> => {
      const first = await ask((stop) => api.list({ page: 1, limit: 1 }, stop)).catch((caught: unknown) => {
        throw planFault(caught);
      });
      done.begun = true;
      const before = first.pagination.total;
      const cutName = `${prefix} cut.bin`;
      await cutOff(cutName);
      const small = await upload(`${prefix} same.txt`, trialContents.small, ready);
      sent.push(small);
      sent.push(await upload(`${prefix} same.txt`, trialContents.small, ready));
      const atMs = clock.wallMs();
      const large = await upload(`${prefix} Größe & ☂ (1).BIN`, trialContents.large, ready);
      sent.push(large);

      const plain = await ask((stop) => api.list({}, stop));
      const wide = await ask((stop) => api.list({ page: 1, limit: mostPerPage }, stop)).catch(
        (caught: unknown) => {
          if (toAppError(caught).code === 'refused') return null;
          throw caught;
        },
      );
      const stats = await ask((stop) => api.stats(stop));
      const pages: RemotePage[] = wide === null ? [plain] : [wide, plain];
      const half = pages
        .flatMap((page) => page.files)
        .find(
          (file) => isNew(file.file_id) && file.filename?.includes('cut') === true && isOurs(file.filename),
        );
      if (half?.file_id !== undefined) toDelete.add(half.file_id);

      checks.push(
        newIdCheck(sent),
        linkHostCheck(
          sent.map(({ receipt }) => receipt.public_link),
          (link) => api.isSaneLink(link),
        ),
        sameBytesCheck([
          await fetched(small, trialContents.small),
          await fetched(large, trialContents.large),
        ]),
        tailCheck(half !== undefined, before, sent.length, plain),
        nameCheck(sent),
        listCheck(sent, pages),
        orderCheck(sent, pages),
        limitCheck(plain, first, wide, mostPerPage),
        totalCheck(before, sent.length + (half === undefined ? 0 : 1), plain, stats),
        sizeCheck(sent),
        zoneCheck(await ask((stop) => api.info(large.receipt.file_id, stop)), atMs),
      );

      for (const fileId of [...toDelete]) await remove(fileId);
      const info = await ask((stop) => api.info(large.receipt.file_id, stop)).then(
        () => null,
        (caught: unknown) => toAppError(caught),
      );
      const { digest } = await fetched(large, trialContents.large);
      checks.push(
        deleteCheck({ info, link: digest }),
        rateCheck(api.rateHeaders?.() ?? null),
        repeatsCheck(),
      );
    };

    const isNew = (fileId: FileId | undefined): boolean =>
      fileId !== undefined && !sent.some(({ receipt }) => receipt.file_id === fileId);
    /** However the service changes names, the word is likely to stay. */
    const isOurs = (name: string | undefined): boolean => name?.toLowerCase().includes(word) === true;

    /** Deletes what is left; an upload whose answer was lost is found by its name. Returns what could not be. */
    const clearAway = async (): Promise<string[]> => {
      const left: string[] = [];
      const found = await ask((stop) => api.list({ page: 1, limit: 100 }, stop)).catch(() => null);
      for (const file of found?.files ?? [])
        if (file.file_id !== undefined && isOurs(file.filename)) toDelete.add(file.file_id);
      for (const fileId of [...toDelete]) {
        await remove(fileId).catch((caught: unknown) => {
          if (toAppError(caught).code !== 'not-found') left.push(String(fileId));
        });
      }
      return found === null ? [...left, `any named ${prefix}…`] : left;
    };

    try {
      await tryAll();
    } catch (caught) {
      const error = toAppError(caught);
      if (!done.begun || signal.aborted) throw error;
      const left = await clearAway();
      checks.push({
        name: 'trial',
        ok: false,
        message: `The trial broke off: ${error.message}`,
        remedy: error.remedy,
      });
      if (left.length > 0) {
        checks.push({
          name: 'cleanup',
          ok: false,
          message: `Files of the trial may still be in the account: ${left.join(', ')}.`,
          remedy: wording`Delete them with ${call('delete', 'ID')}.`,
        });
      }
    }
    return checks;
  };
};

const ready = (): Promise<void> => Promise.resolve();
