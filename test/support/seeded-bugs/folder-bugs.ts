// Faults between the folder and a file that is ready: what is there, what was there before, what is shared already.
import type { Bug } from './bug.ts';

const engine = 'src-main/engine';
const unit = 'test/unit/engine';
const found = 'test/flow/simulation/found.test.ts';

export const folderBugs: readonly Bug[] = [
  {
    name: 'what a look finds does not hold the file',
    file: `${engine}/discover/admit.ts`,
    find: 'if (first === undefined) return goes;',
    put: 'if (first === undefined || first.line !== null) return goes;',
    by: [`${unit}/inspect/engine-inside.test.ts`],
  },
  {
    name: 'what is ready is not looked into when the setting goes on',
    file: `${engine}/discover/discovery.ts`,
    find: 'const ready = looksLess ? [] :',
    put: 'const ready = !looksLess ? [] :',
    by: [`${unit}/inspect/engine-inside.test.ts`],
  },
  {
    name: 'the wish for another link goes over to another file of the same size and time',
    file: `${engine}/shared/file-version.ts`,
    find: 'row.stamp?.inode === stamp?.inode && isUnwritten(row.stamp, stamp)',
    put: 'isUnwritten(row.stamp, stamp)',
    by: [`${unit}/discover/engine-copies.test.ts`],
  },
  {
    name: 'an upload in doubt is taken for the file of before whose place it took',
    file: `${engine}/discover/consent.ts`,
    find: "now?.fileId === null && (now.present || now.state.kind === 'gone')",
    put: 'now?.fileId === null',
    by: [`${unit}/discover/engine-renames.test.ts`],
  },
  {
    name: 'a file that is edited and renamed keeps the hash of what it was',
    file: `${engine}/state/next.ts`,
    find: 'change: { present: true, keptBy: null, folderId, dir, name, state, ...renewed(row, stamp) },',
    put: 'change: { present: true, keptBy: null, folderId, dir, name, state, stamp },',
    by: [`${unit}/discover/engine-renames.test.ts`],
  },
  {
    name: 'a copy that changes supersedes its original',
    file: `${engine}/discover/dedupe.ts`,
    find: 'earlier?.present === false && earlier.dir === row.dir && earlier.name === row.name',
    put: 'earlier !== null',
    by: [found],
  },
  {
    name: 'a touched copy takes the row of its original',
    file: `${engine}/discover/dedupe.ts`,
    find: 'const isTouched = from === path;',
    put: 'const isTouched = twin.id === row.sameAsId || from === path;',
    by: [found],
  },
  {
    name: 'a confirmed name makes a second link of what is shared',
    file: `${engine}/discover/dedupe.ts`,
    find: "if (row.wantsAnother) return { kind: 'another', sha256 };",
    put: "if (row.confirmed) return { kind: 'another', sha256 };",
    by: [`${unit}/discover/engine-copies.test.ts`],
  },
  {
    name: 'a file about whose writer nobody was asked goes on',
    file: `${engine}/discover/admit.ts`,
    find: 'if (!asked.has(one) || !quiet.confirm(',
    put: 'if (!quiet.confirm(',
    by: [`${unit}/discover/engine-mapped.test.ts`],
  },
  {
    name: 'files of before go up',
    file: `${engine}/discover/intake-rules.ts`,
    find: 'if (sight.existing !== false && !sight.existingWanted)',
    put: 'if (sight.existing !== false && sight.existingWanted)',
    by: [`${unit}/discover/intake-rules.test.ts`],
  },
  {
    name: 'secrets are not held',
    file: `${engine}/discover/intake-rules.ts`,
    find: "if (settled.name.kind === 'secret') return 'secret-name';",
    put: '',
    by: [`${unit}/discover/intake-rules.test.ts`],
  },
  {
    name: 'a changed file of before counts as consented',
    file: `${engine}/discover/intake-rules.ts`,
    find: "return { kind: 'record', state: { kind: 'held', reason: 'existing-changed' } };",
    put: "return { kind: 'record', state: { kind: 'settling' } };",
    by: [`${unit}/discover/intake-rules.test.ts`],
  },
  {
    name: 'a new name is consent',
    file: `${engine}/discover/consent.ts`,
    find: "if (state.rule === 'existing' || state.rule === 'cancelled') return state.rule;",
    put: "if (state.rule === 'existing' || state.rule === 'cancelled') return null;",
    by: [`${unit}/discover/engine-renames.test.ts`],
  },
  {
    name: 'what could not be read counts as read',
    file: `${engine}/discover/unreadable-folders.ts`,
    find: 'store(active, [...dirs, dir]);',
    put: '',
    by: [`${unit}/discover/engine-unread.test.ts`],
  },
  {
    name: 'a disk that was taken away is an empty folder',
    file: `${engine}/discover/scan.ts`,
    find: 'if ((await whyUnavailable(files, active.row)) === null) return true;',
    put: 'if (active.row.id !== 0) return true;',
    by: [`${unit}/discover/engine-unread.test.ts`],
  },
];
