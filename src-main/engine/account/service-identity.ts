// A data folder belongs to one service. On another service its file ids mean other files. When the base address
// changes, the service must show that it is the same one: it must know one of our own newest files. Until then the
// engine sends nothing and looks for nothing.
import { option, wording } from '../../contract/text/wording.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Ask } from '../limiter/ask.ts';
import { isHeldUncertain, sentContent } from '../shared/same-content.ts';
import { isConsistentSize } from '../shared/links.ts';
import type { Ports } from '../ports/ports.ts';

export type ServiceIdentity = {
  /** False while the base address is not the one that the ledger's links come from. */
  holds(): boolean;
  /** Makes `holds` true. Costs one request for each file asked about. Throws `wrong-address`, and what `ask` throws. */
  prove(signal: AbortSignal): Promise<void>;
};

/** At most this many files are asked about. The newest ones may have been deleted on the service. */
const mostAsked = 3;
/** A limit that includes all held rows. They are read once for each change of the address. */
const mostHeld = 1_000_000;

export const createServiceIdentity = (
  ports: Pick<Ports, 'ledger' | 'settings' | 'api' | 'clock'>,
  ask: Ask,
): ServiceIdentity => {
  const { ledger, settings, api, clock } = ports;
  const address = (): string | null => settings.current().baseUrl;
  const isBound = (): boolean => ledger.facts.get('service')?.value === address();
  const tie = (): void => ledger.facts.set('service', address(), clock.wallMs());

  /** Uploads for which it is not known whether they succeeded. On another service they would seem to be absent. */
  const hasQuestions = (): boolean =>
    ledger.uploads.countInState('uncertain') > 0 ||
    ledger.uploads.inState('held', mostHeld).some(({ state }) => isHeldUncertain(state));

  const askWhetherOurs = async (
    fileId: FileId,
    name: string | null,
    sizeBytes: number,
    signal: AbortSignal,
  ) => {
    try {
      const file = await ask('background', signal, (stop) => api.info(fileId, stop));
      const hasName = file.filename === undefined || name === null || file.filename === name;
      return hasName && (file.size === undefined || isConsistentSize(sizeBytes, file.size));
    } catch (caught) {
      if (toAppError(caught).code === 'not-found') return false;
      throw caught;
    }
  };

  return {
    holds: () => isBound() || ledger.facts.get('service') === null,
    async prove(signal) {
      if (isBound()) return;
      const known = ledger.facts.get('service');
      const newest = ledger.views.newestLinks(mostAsked).filter((row) => row.fileId !== null);
      if (known === null || (newest.length === 0 && !hasQuestions())) {
        tie();
        return;
      }
      if (newest.length === 0) {
        throw new AppError(
          'wrong-address',
          'Some uploads have had no answer yet, and it is not certain that this service received them.',
          'Change the base address back, or decide about these uploads: leave them, or upload them again.',
        );
      }
      for (const row of newest) {
        if (row.fileId === null) continue;
        if (
          await askWhetherOurs(row.fileId, row.remoteName ?? row.sentName, sentContent(row).sizeBytes, signal)
        ) {
          tie();
          return;
        }
      }
      throw new AppError(
        'wrong-address',
        'This data folder holds the links of another service; nothing is sent to this one.',
        wording`Change the base address back, or use a separate data folder with ${option('--home')}.`,
      );
    },
  };
};
