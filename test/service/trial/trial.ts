// A trial of the service with throw-away files (`npm run service:try -- ADDRESS`). service.md leaves some assumptions behind
// the promises open, and only the service itself can confirm them. It makes about a dozen requests.
// All files that it created are deleted at the end, also when the trial breaks off or is stopped; what may be left is named.
import type { Check } from '../../../src-main/contract/answers.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { AppError, toAppError } from '../../../src-main/contract/errors.ts';
import type { RemotePage } from '../../../src-main/contract/model.ts';
import { pauseFor } from '../../../src-main/engine/shared/time.ts';
import { planFault } from '../../../src-main/engine/account/forbidden.ts';
import type { Api } from '../../../src-main/engine/ports/api.ts';
import type { Ports } from '../../../src-main/engine/ports/ports.ts';
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
} from './findings.ts';

/** Larger than what is withheld, so that a good part of it is on the service when it breaks off. */
const largeBytes = 48_000;
/** Time for the part to arrive before the connection goes. */
const cutAfterMs = 500;
const mostPerPage = 1000;
/** An account with more pages is not searched to its end, and the report says so. */
const mostPages = 500;
/** After that, what could not be deleted is named. */
const clearAwayMs = 60_000;

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

export const createTrial = ({
  api,
  clock,
  chance,
}: Pick<Ports, 'clock' | 'chance'> & { api: Api & { rateHeaders?(): readonly string[] } }) => {
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

    /** Names of uploads that were sent and got no answer: their files may appear at any time. */
    const unanswered = new Set<string>();
    /** Clearing away goes on after the trial was stopped. */
    let current = signal;
    const ask = <T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> => request(current);

    const upload = async (sentName: string, content: Content, beforeTail: () => Promise<void>) => {
      const bytes = content.bytes();
      const receipt = await ask((stop) =>
        api.upload({
          sentName,
          sizeBytes: bytes.length,
          async *pieces() {
            yield bytes;
          },
          async beforeTail() {
            await beforeTail();
            unanswered.add(sentName);
          },
          progress: () => undefined,
          signal: stop,
        }),
      );
      unanswered.delete(sentName);
      toDelete.add(receipt.file_id);
      return { sentName, sizeBytes: bytes.length, receipt };
    };

    /** Announces a whole file, sends a part of it and closes. The withheld tail relies on exactly this. */
    const cutOff = async (sentName: string): Promise<void> => {
      const cut = new AppError('aborted', 'Cut off on purpose.');
      try {
        await upload(sentName, trialContents.large, async () => {
          await pauseFor(clock, cutAfterMs, signal);
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
    const isAlike = (sent: string, listed = ''): boolean => listed.toLowerCase().includes(sent.toLowerCase());

    /** Finds our files in the whole list, whatever its order. False: it could not be read to its end. */
    const findOurs = async (): Promise<boolean> => {
      try {
        for (let page = 1; page <= mostPages; page += 1) {
          const { files, pagination } = await ask((stop) => api.list({ page }, stop));
          for (const file of files)
            if (file.file_id !== undefined && isOurs(file.filename)) {
              toDelete.add(file.file_id);
              for (const name of unanswered) if (isAlike(name, file.filename)) unanswered.delete(name);
            }
          if (page >= pagination.pages) return true;
        }
        return false;
      } catch {
        return false;
      }
    };

    /** Deletes what is left; an upload whose answer was lost is found by its name. Returns what could not be. */
    const clearAway = async (): Promise<string[]> => {
      current = AbortSignal.timeout(clearAwayMs);
      const left: string[] = [];
      const isWhole = await findOurs();
      for (const fileId of [...toDelete]) {
        await remove(fileId).catch((caught: unknown) => {
          if (toAppError(caught).code !== 'not-found') left.push(String(fileId));
        });
      }
      return isWhole && unanswered.size === 0 ? left : [...left, `any named ${prefix}…`];
    };

    try {
      await tryAll();
    } catch (caught) {
      const error = toAppError(caught);
      if (!done.begun) throw error;
      const left = await clearAway();
      if (signal.aborted) throw stopped(left);
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
          message: mayBeLeft(left),
          remedy: 'Look for them, and delete them.',
        });
      }
    }
    return checks;
  };
};

const mayBeLeft = (left: readonly string[]): string =>
  `Files of the trial may still be in the account: ${left.join(', ')}.`;

const stopped = (left: readonly string[]): AppError =>
  new AppError(
    'aborted',
    left.length === 0 ? 'Stopped. The files of the trial are deleted.' : `Stopped. ${mayBeLeft(left)}`,
    left.length === 0 ? '' : 'Look for them, and delete them.',
  );

const ready = (): Promise<void> => Promise.resolve();
