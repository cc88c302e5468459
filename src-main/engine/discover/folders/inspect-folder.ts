// What would happen with the files of a folder that may be chosen.
import type { FolderInspection, FoundFile, FoundGroup } from '../../../contract/answers.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Account } from '../../account/account.ts';
import { allowanceOf, type Allowance } from '../../candidate/allowance.ts';
import { candidateOf, placeFor } from '../../candidate/candidate.ts';
import { controlsIn } from '../../candidate/unfinished.ts';
import type { Found, Place } from '../../ports/files.ts';
import type { Ports } from '../../ports/ports.ts';
import { namesOf, rulesOf, whyUnproven } from '../../shared/folder.ts';
import { startSlices } from '../../shared/loop.ts';
import type { NameVerdict } from '../../shared/names/name-rules.ts';
import { isTooDeep, joinPath, relativeTo } from '../../shared/paths.ts';
import { namedFile } from '../../shared/sent-name.ts';
import { judgeSettled, stateWhenFound } from '../intake-rules.ts';

const filesShown = 1000;
/** The count of files stops here. A longer list has no use for a reader. */
const mostInspected = 1_000_000;

/**
 * Reads a folder that may be chosen and groups its files by the same rules that decide later. Only the comparison of
 * content is left out.
 */
export const createFolderInspection =
  (
    ports: Pick<Ports, 'files' | 'ledger' | 'settings' | 'ignore' | 'clock'>,
    account: Pick<Account, 'maxFileSizeBytes'>,
  ) =>
  async (folder: string, signal: AbortSignal): Promise<FolderInspection> => {
    const known = ports.ledger.folders.byPath(folder);
    const own = known?.own ?? {};
    const ofFolder = rulesOf(ports.settings, own);
    const settings = { ...ports.settings.current(), ...ofFolder };
    const rules = namesOf(ports, folder, ofFolder);
    const groups = { goes: emptyGroup(), held: emptyGroup(), skipped: emptyGroup() };
    const limits = { ...settings, maxFileSizeBytes: account.maxFileSizeBytes() };
    const allowance = await allowanceOf(ports.files, settings);
    const pending = [{ dir: folder, isUnfinished: false }];
    const breathe = startSlices(ports.clock, 20);
    let total = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { dir, isUnfinished } = next;
      if (signal.aborted || total >= mostInspected) break;
      const listing = await ports.files.list(dir);
      if (!listing.ok) continue;
      const controlFor = controlsIn(listing.found);
      for (const found of listing.found) {
        const pause = breathe();
        if (pause !== null) await pause;
        const path = joinPath(dir, found.name);
        if (found.type === 'folder' && settings.recursive && !isTooDeep(folder, path))
          pending.push({ dir: path, isUnfinished: isUnfinished || controlFor(found) !== null });
        if (found.stamp === null) continue;
        total += 1;
        const relative = relativeTo(folder, path) ?? found.name;
        const place = await placeFor(ports.files, allowance, path);
        const why =
          reasonAgainst(place, found, rules.judge(namedFile(relative)), { limits, allowance }) ??
          (isUnfinished || controlFor(found) !== null ? 'partial' : null);
        const group = why === null ? groups.goes : why === 'secret-name' ? groups.held : groups.skipped;
        add(group, { path, relative, sizeBytes: found.stamp.sizeBytes, why });
      }
    }
    for (const group of Object.values(groups)) keepLargest(group);
    const isKnown = known?.baselineDone === true && (await whyUnproven(ports, known)) === null;
    return { folder, ...groups, known: isKnown };
  };

/** What keeps a pre-existing file back that the user asks for; null: nothing. */
const reasonAgainst = (
  place: Place,
  found: Found,
  name: NameVerdict,
  { limits, allowance }: { limits: Settings & { maxFileSizeBytes: number | null }; allowance: Allowance },
): FoundFile['why'] => {
  const state = stateWhenFound({
    found,
    name,
    existing: true,
    existingWanted: true,
    olderThanLedger: false,
    mayBeApproved: false,
    isApproved: false,
  });
  if (state.kind === 'skipped') return state.rule;
  if (found.stamp === null) return 'special';
  const settled = judgeSettled(
    candidateOf(place, found.stamp.sizeBytes),
    { ...limits, stamp: found.stamp, name, confirmed: false, burst: null },
    allowance,
  );
  switch (settled.kind) {
    case 'ready':
      return null;
    case 'held':
      return 'secret-name';
    case 'skipped':
      return settled.rule;
    case 'failed':
      return settled.code === 'too-large' ? 'too-large' : 'not-allowed';
  }
};

const emptyGroup = (): FoundGroup => ({ files: [], totalFiles: 0, totalBytes: 0 });

const add = (group: FoundGroup, file: FoundFile): void => {
  group.totalFiles += 1;
  group.totalBytes += file.sizeBytes;
  group.files.push(file);
  if (group.files.length > 10 * filesShown) keepLargest(group);
};

const keepLargest = ({ files }: FoundGroup): void => {
  files.sort((a, b) => b.sizeBytes - a.sizeBytes);
  files.length = Math.min(files.length, filesShown);
};
