// Uploads whose answer was lost and that a look did not resolve: a person decides.
import type { Handlers } from '../../../contract/commands.ts';
import { AppError } from '../../../contract/errors.ts';
import { mayResolve } from '../../../contract/model.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import { see } from '../../../contract/text/wording.ts';
import { ofAnotherAccount } from '../../account/copies/removal.ts';
import { isLinkShaped } from '../../shared/links.ts';
import { nameToSend } from '../../shared/sent-name.ts';
import type { Upload } from '../../ports/uploads.ts';
import { rowsById, type Kit } from '../kit.ts';
import { change, heldRows, heldShown } from './rows.ts';

const notUncertain = (id: number): AppError =>
  new AppError('bad-use', `Upload ${queueIdText(id)} is not uncertain.`, see('held'));

export const uncertainHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger } = ports;

  const isOurs = ({ accountId }: Upload): boolean => accountId === ledger.accounts.present();

  /** Of those in the account of the present key: its list shows nothing of the others. */
  const candidates = async (all: readonly Upload[], signal: AbortSignal) => {
    if (all.length === 0) return [];
    await kit.service.identity.prove('user', signal);
    const rows = all.filter(isOurs);
    if (rows.length === 0) return [];
    const found = await kit.reconciler.candidates(rows, signal);
    return rows.map((row, at) => ({
      id: row.id,
      candidates: (found[at] ?? []).map((file) => ({
        file,
        sameName: file.filename === (row.sentName ?? nameToSend(row.name)),
        sameSize: file.size === (row.sent ?? row.stamp)?.sizeBytes,
      })),
    }));
  };

  const assertFree = (fileId: FileId): void => {
    if (ledger.uploads.byFileId(fileId) === null) return;
    throw new AppError('bad-use', 'That file belongs to another upload.');
  };

  return {
    async 'queue.candidates'({ id }, signal) {
      const rows = rowsById(kit, [id]);
      if (!rows.every(mayResolve)) throw notUncertain(id);
      const [one] = await candidates(rows, signal);
      if (one === undefined) throw ofAnotherAccount();
      return one.candidates;
    },
    'queue.uncertain': (_, signal) => candidates(heldRows(ledger, heldShown).filter(mayResolve), signal),
    async 'queue.resolve'({ id, choice, fileId }, signal) {
      const [row] = rowsById(kit, [id]);
      if (row === undefined || !mayResolve(row)) throw notUncertain(id);
      switch (choice) {
        case 'this-is-it': {
          if (fileId === undefined) throw new AppError('bad-use', 'Say which file it is.');
          assertFree(fileId);
          await kit.service.identity.prove('user', signal);
          const file = await kit.service.ask('user', signal, (stop, key) => {
            if (key.accountId !== row.accountId) throw ofAnotherAccount();
            return ports.api.info(fileId, stop);
          });
          // If the file's own answer has no link, the list may have shown it.
          const link = file.public_link ?? ledger.remote.byId(fileId)?.public_link;
          if (link === undefined || !isLinkShaped(link)) {
            throw new AppError(
              'unusable-answer',
              'The service gave no link for that file.',
              'Try again later.',
            );
          }
          // Another window, the command or a look may have decided meanwhile.
          const now = ledger.uploads.byId(id);
          if (now === null || !mayResolve(now)) throw notUncertain(id);
          assertFree(fileId);
          const adopted = kit.reconciler.adopt(now, { ...file, file_id: fileId, public_link: link });
          kit.nudge();
          return kit.view(adopted);
        }
        case 'again': {
          const stored = change(kit, row, { kind: 'wanted', confirmed: true, wantsAnother: true });
          kit.nudge();
          return kit.view(stored);
        }
        case 'leave': {
          const left = change(kit, row, { kind: 'left-out' });
          kit.nudge();
          return kit.view(left);
        }
      }
    },
  } satisfies Partial<Handlers>;
};
