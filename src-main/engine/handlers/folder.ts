// The watched folder: look before choosing, choose, scan, and why a file is where it is.
import type { FolderInspection, FoundFile, Handlers } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import { acceptFolder } from '../shared/folder.ts';
import { joinPath, splitPath } from '../shared/paths.ts';
import { brakeSpanMs } from '../discover/quiet-period.ts';
import { copiesSentence, diskSentence, sentenceFor } from './why.ts';
import { copiesOf, type Kit } from './kit.ts';

type Group = Pick<Handlers, 'folder.inspect' | 'folder.choose' | 'folder.scan' | 'file.why'>;

const filesShown = 1000;
/** The count of files stops here. A longer list has no use for a reader. */
const mostInspected = 1_000_000;

export const folderHandlers = (kit: Kit): Group => {
  const { ports } = kit;
  const { ledger, files } = ports;

  const inspect = async (folder: string, signal: AbortSignal): Promise<FolderInspection> => {
    const shown: FoundFile[] = [];
    let totalFiles = 0;
    let totalBytes = 0;
    const pending = [folder];
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      if (signal.aborted || totalFiles >= mostInspected) break;
      const listing = await files.list(dir);
      if (!listing.ok) continue;
      for (const found of listing.found) {
        const path = joinPath(dir, found.name);
        if (found.type === 'folder') pending.push(path);
        if (found.stamp === null) continue;
        totalFiles += 1;
        totalBytes += found.stamp.sizeBytes;
        shown.push({ path, name: found.name, sizeBytes: found.stamp.sizeBytes });
      }
      if (shown.length > 10 * filesShown) keepLargest(shown);
    }
    keepLargest(shown);
    const known = ledger.folders.byPath(folder)?.baselineDone === true;
    return { folder, files: shown, totalFiles, totalBytes, known };
  };

  return {
    async 'folder.inspect'({ folder }, signal) {
      return await inspect(await ports.places.acceptFolder(folder), signal);
    },
    async 'folder.choose'({ folder, existing }) {
      const path = await ports.places.acceptFolder(folder);
      await acceptFolder(ports, path);
      await kit.discovery.choice.choose(path, existing);
      kit.nudge();
      return kit.status();
    },
    'folder.scan'() {
      kit.discovery.requestScan();
      kit.nudge();
      return kit.status();
    },
    async 'file.why'({ path }) {
      const { dir, name } = splitPath(path);
      const row =
        ledger.uploads.presentAt(kit.discovery.choice.folderIdOf(path), dir, name) ??
        ledger.uploads.presentAt(null, dir, name);
      const status = kit.status();
      if (row !== null) {
        const link =
          row.publicLink ??
          (row.sameAsId === null ? null : (ledger.uploads.byId(row.sameAsId)?.publicLink ?? null));
        const versions = ledger.uploads.versionsBefore(row.id, ports.clock.wallMs() - brakeSpanMs);
        const sentence = sentenceFor(row.state, link, status, versions);
        const copies = copiesOf(ports, row);
        const told = copiesSentence(copies);
        if (told === null) return { path, sentence, upload: kit.view(row) };
        return { path, sentence: `${sentence} ${told}`, upload: kit.view(row), copies };
      }
      const found = await files.look(path);
      if (found === null) {
        const message = 'There is no such file, and Outtray has never seen one.';
        throw new AppError('not-found', message, 'Check the path.');
      }
      const sentence =
        diskSentence(status.gate) ??
        (status.folder === null
          ? 'Outtray does not know this file: no folder is chosen.'
          : 'Outtray does not know this file: it lies outside the watched folder, or no scan has seen it yet.');
      return { path, sentence, upload: null };
    },
  };
};

const keepLargest = (shown: FoundFile[]): void => {
  shown.sort((a, b) => b.sizeBytes - a.sizeBytes);
  shown.length = Math.min(shown.length, filesShown);
};
