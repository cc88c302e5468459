// What every group of handlers works with.
import { see } from '../../contract/text/wording.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import { holdRow, statesWith, type EngineStatus, type UploadView } from '../../contract/model.ts';
import { AppError } from '../../contract/errors.ts';
import { requireRight } from '../../contract/rights.ts';
import type { Service } from '../account/service.ts';
import type { Discovery } from '../discover/discovery.ts';
import type { WatchedLinks } from '../follow/watched-links.ts';
import type { Feed } from '../shared/feed.ts';
import type { StageWork } from '../shared/loop.ts';
import { idNow } from '../shared/links.ts';
import { sentContent } from '../shared/same-content.ts';
import type { Forecast } from '../limiter/forecast.ts';
import type { AccountList } from '../reconcile/account-list.ts';
import type { Recaller } from '../recall/recaller.ts';
import type { Reconciler } from '../reconcile/reconciler.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Rows } from '../state/rows.ts';
import type { QueueNow } from './status.ts';

export type Kit = {
  ports: Ports;
  work: StageWork;
  feed: Feed;
  rows: Rows;
  service: Service;
  accountList: AccountList;
  discovery: Discovery;
  reconciler: Reconciler;
  recaller: Recaller;
  watchedLinks: WatchedLinks;
  status: () => EngineStatus;
  queueNow: () => QueueNow;
  /** `more`: as if these waited, too. */
  forecast: (more?: { files: number; bytes: number; fromMs?: number }) => Forecast;
  view: (row: Upload, expectedAtMs?: number | null) => UploadView;
  /** Rows changed by a command: the running engine, here or in another process, looks at them. */
  nudge: () => void;
  /** After a 429 one request goes at once. */
  tryNow: () => void;
};

export const rowsById = (kit: Kit, ids: readonly number[]): Upload[] =>
  ids.map((id) => {
    const row = kit.ports.ledger.uploads.byId(id);
    if (row === null) {
      throw new AppError('not-found', `There is no upload ${queueIdText(id)}.`, see('queue'));
    }
    return row;
  });

/** A proxy repeats a request within its own time limits. */
const repeatedWithinSeconds = 300;
const mostOpen = 1000;

/** Other files of the account that a repeated request may have made of this upload, as the last lists showed them. */
export const copiesOf = ({ ledger }: Pick<Ports, 'ledger'>, row: Upload): FileId[] => {
  const fileId = idNow(ledger, row);
  if (fileId === null) return [];
  // The list may show an upload whose outcome is open. Its only copy is no duplicate.
  const isOpen = [...statesWith({ wasSent: true }), 'held' as const].some((kind) =>
    ledger.uploads
      .inState(kind, mostOpen)
      .some(
        (other) =>
          sentContent(other).sizeBytes === sentContent(row).sizeBytes &&
          (other.state.kind !== 'held' || holdRow(other.state.reason).wasSent === true),
      ),
  );
  return isOpen ? [] : ledger.remote.copiesOf(fileId, repeatedWithinSeconds);
};

/** A first key can always be entered. */
export const requireAccountChange = async ({
  settings,
  keys,
}: Pick<Ports, 'settings' | 'keys'>): Promise<void> => {
  if (settings.current().allowAccountChange) return;
  const { kind } = await keys.state();
  if (kind !== 'absent' && kind !== 'unavailable') requireRight(settings, 'allowAccountChange');
};
