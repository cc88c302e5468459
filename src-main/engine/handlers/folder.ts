// The watched folder: look before choosing, choose, scan, and why a file is where it is.
import type { Handlers } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import { acceptFolder } from '../shared/folder.ts';
import { splitPath } from '../shared/paths.ts';
import { linkOf } from '../shared/same-content.ts';
import { createInspection } from '../discover/choose-folder.ts';
import type { Ledger } from '../ports.ts';
import { brakeSpanMs } from '../discover/quiet-period.ts';
import { copiesSentence, diskSentence, sentenceFor } from './why.ts';
import { copiesOf, type Kit } from './kit.ts';

type Group = Pick<Handlers, 'folder.inspect' | 'folder.choose' | 'folder.scan' | 'file.why'>;

export const folderHandlers = (kit: Kit): Group => {
  const { ports } = kit;
  const { ledger, files } = ports;
  const inspect = createInspection(ports, kit.service.account);

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
      const told = packedSentence(ledger, path);
      if (row !== null) {
        const link = linkOf(ledger.uploads, row);
        const versions = ledger.uploads.versionsBefore(row.id, ports.clock.wallMs() - brakeSpanMs);
        const sentence = sentenceFor(row.state, link, status, versions);
        const copies = copiesOf(ports, row);
        const doubt = copiesSentence(copies);
        const all = [sentence, told, doubt].filter((one) => one !== null).join(' ');
        if (doubt === null) return { path, sentence: all, upload: kit.view(row) };
        return { path, sentence: all, upload: kit.view(row), copies };
      }
      if (told !== null) return { path, sentence: told, upload: null };
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

/** As many zips as one reads about. */
const mostZips = 5;

/** The zips that a file of this path was packed into; null: none. */
const packedSentence = ({ bundled, uploads }: Ledger, path: string): string | null => {
  const zips = bundled.uploadsWith(path, mostZips).flatMap((id) => uploads.byId(id) ?? []);
  if (zips.length === 0) return null;
  const told = zips.map((row) => `${row.name} (${linkOf(uploads, row) ?? 'no link'})`);
  return `It was packed into ${told.join(', ')}.`;
};
