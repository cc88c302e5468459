// What must hold for the ledger and the folder: at any time (I4, I11), and at the end, when all faults are over and
// everything that can finish has finished (I1, I9).
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import { bucketOf, isByPerson, stateRow, statesWith } from '../../../src-main/contract/model.ts';
import { sha256Of, type Account } from './account.ts';
import type { Accounts } from './accounts.ts';
import type { Folders } from './folders.ts';
import type { Machine } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';
import type { Truth } from './truth.ts';

export type Checks = {
  /** Cheap: every outcome is still as it was first reported. */
  outcomes(): void;
  /** Another ledger is in place: forget the outcomes that the former one reported. */
  forget(): void;
  /** Cheap: the ledger keeps only a bounded number of records. */
  bounds(perDay: number): void;
  /** The uploads that the engine still has to finish; empty when it has come to rest. */
  unfinished(): Upload[];
  /** Followed links whose first download is not reported yet. */
  untold(): number[];
  end(): Promise<void>;
};

const moving = [...statesWith({ bucket: 'waiting' }), 'uncertain', 'recalling'] as const;
const most = 10_000;

export const createChecks = (options: {
  machine: Machine;
  tray: Tray;
  accounts: Accounts;
  truth: Truth;
  folders: Folders;
  story: Story;
}): Checks => {
  const { machine, tray, accounts, truth, folders, story } = options;
  const told = new Map<number, string>();
  /** The account of the service that each account of the ledger stands for. */
  const standsFor = new Map<number, Account>();

  const all = (): Upload[] => {
    const { uploads } = machine.ledger();
    const rows: Upload[] = [];
    for (let id = 1, row = uploads.byId(id); row !== null; id += 1, row = uploads.byId(id)) rows.push(row);
    return rows;
  };

  const accountOf = ({ accountId, publicLink }: Upload): Account => {
    const before = standsFor.get(accountId) ?? accounts.ofLink(publicLink ?? '');
    standsFor.set(accountId, before);
    return before;
  };
  const isOfPresent = ({ accountId }: Upload): boolean => accountId === machine.ledger().accounts.present();

  const outcome = (row: Upload): void => {
    if (row.fileId === null) return;
    const now = `${row.fileId} ${String(row.publicLink)} ${String(row.sha256)}`;
    const before = told.get(row.id);
    if (before !== undefined && before !== now)
      story.violated('I4', `upload ${row.id} was ${before}, is ${now}`);
    if (before !== undefined) return;
    told.set(row.id, now);
    const file = accounts.files().find((one) => one.link === row.publicLink);
    if (file === undefined) story.violated('I4', `upload ${row.id} has a link that never was`);
    else if (accountOf(row) !== accounts.ofLink(file.link))
      story.violated('W11', `upload ${row.id} (${row.name}) is in another account than its row says`);
    else if (file.fileId !== row.fileId || file.sha256 !== row.sha256) {
      story.violated(
        'I4',
        `upload ${row.id} (${row.name}) has the link of other bytes: ${file.content.slice(0, 20)}`,
      );
    }
  };

  /** A crash, a refusal or a pause never ends what is to be taken back, or looked for to be deleted. */
  const nextAct = ({ id, state }: Upload): void => {
    const isEnding = state.kind === 'recalling' || (state.kind === 'recalled' && !state.dead);
    const isSought = state.kind === 'uncertain' && state.isUnwanted === true;
    const nextMs = isEnding ? state.nextAtMs : isSought ? state.nextLookAtMs : 0;
    if (!Number.isFinite(nextMs)) story.violated('W3', `${id} has no next act: ${JSON.stringify(state)}`);
  };

  const outcomes = (): void => {
    const rows = all();
    for (const row of rows) {
      outcome(row);
      nextAct(row);
    }
    const ids = rows.flatMap(({ idTakenAtMs, fileId, accountId }) =>
      idTakenAtMs === null && fileId !== null ? `${accountId} ${fileId}` : [],
    );
    if (new Set(ids).size !== ids.length) story.violated('I4', 'a file id belongs to two uploads');
    counts(rows);
  };

  /** The status counts every present row of a watched folder in its own folder, and reports the sum. */
  const counts = (all: readonly Upload[]): void => {
    const status = machine.status();
    // While the disk is unusable, the status is the last one that was readable, and is marked as such.
    if (status === null || status.storage !== null) return;
    const rows = all.filter((row) => row.present && bucketOf(row.state) !== null);
    let sum = 0;
    for (const { folder, counts: told } of status.folders) {
      const id = machine.ledger().folders.byPath(folder)?.id;
      const mine = rows.filter((row) => row.folderId === id);
      for (const [bucket, count] of Object.entries(told)) {
        const real = mine.filter((row) => bucketOf(row.state) === bucket).length;
        if (real !== count) story.violated('I1', `${folder} counts ${count} ${bucket}, and has ${real}`);
        sum += count;
      }
    }
    const total = Object.values(status.counts).reduce((before, count) => before + count, 0);
    if (total !== sum) story.violated('I1', `${total} counted, and ${sum} in the folders`);
  };

  const isPaused = (row: Upload): boolean => {
    const folder = folders.of(`${row.dir}/`);
    const isTold = row.state.kind === 'waiting' && row.state.reason === 'paused';
    return isTold && folder !== null && folders.isPaused(folder);
  };
  /** A person does not want it, and the service cannot show whether it has it: it is looked for daily. */
  const isLookedForDaily = ({ state }: Upload): boolean =>
    state.kind === 'uncertain' && state.isUnwanted === true && state.looks > 5;
  /** What may be in another account waits for its key. */
  const isElsewhere = (row: Upload): boolean =>
    !isOfPresent(row) && (row.state.kind === 'uncertain' || row.state.kind === 'recalling');
  const isAtRest = (row: Upload): boolean => isPaused(row) || isLookedForDaily(row) || isElsewhere(row);
  const unfinished = (): Upload[] =>
    moving.flatMap((kind) => machine.ledger().uploads.inState(kind, most)).filter((row) => !isAtRest(row));

  /** Null when the file at this path is where it ought to be. */
  const problemOf = (path: string, text: string | null, folderId: number | null): string | null => {
    const { uploads } = machine.ledger();
    const dir = path.slice(0, path.lastIndexOf('/'));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const row = uploads.presentAt(folderId, dir, name);
    if (row === null) return 'has no row';
    const { state } = row;
    switch (state.kind) {
      case 'uploaded': {
        if (text === null) return 'is uploaded and no file';
        if (row.sha256 !== sha256Of(text)) return 'is uploaded with other bytes';
        const file = accounts.files().find((one) => one.link === row.publicLink);
        return file?.sha256 === row.sha256 ? null : 'is uploaded and not on the service';
      }
      case 'skipped': {
        const isByName = state.rule === 'ignored' || state.rule === 'hidden';
        if (isByName && folders.nameRule(path) === null) return `is ${state.rule}, and no rule says so`;
        if (state.rule !== 'already-shared') return null;
        const shared = row.sameAsId === null ? null : uploads.byId(row.sameAsId);
        if (text === null || shared?.sha256 !== sha256Of(text)) {
          return 'is said to be shared already and is not';
        }
        return null;
      }
      case 'failed':
        return state.code === 'internal' ? `failed: ${state.message}` : null;
      case 'held':
        return null;
      default:
        return isAtRest(row) ? null : `is ${JSON.stringify(state)}`;
    }
  };

  /** The first download of a followed link is reported, and at most once for each time that it was followed. */
  const follows = (): void => {
    const told = new Map<number, number>();
    const followed = new Map<number, number>();
    for (const { body, uploadId } of machine.ledger().entries.after(0, most)) {
      if (uploadId === null) continue;
      if (body.kind === 'downloaded') told.set(uploadId, (told.get(uploadId) ?? 0) + 1);
      if (body.kind === 'follow-set' && body.isFollowed)
        followed.set(uploadId, (followed.get(uploadId) ?? 0) + 1);
    }
    for (const [id, times] of told)
      if (times > (followed.get(id) ?? 0))
        story.violated('I20', `the first download of ${id} was told ${times} times`);
    for (const id of untold()) story.violated('I20', `the first download of ${id} was never told`);
  };
  const downloadsOf = (link: string): number =>
    accounts.files().find((file) => file.link === link && !file.deleted)?.downloads ?? 0;
  /** Followed links with new downloads whose first one is not reported. */
  const untold = (): number[] =>
    machine
      .ledger()
      .watched.all('downloads')
      .filter(({ fileId, publicLink, told, toldAtMs }) => {
        const byUs = machine.ledger().remote.byId(fileId)?.readByUs ?? 0;
        return toldAtMs === null && downloadsOf(publicLink) - byUs > told;
      })
      .map(({ uploadId }) => uploadId);

  /** An own file counts as lost only once its account did not show it under its id. */
  const losses = (): void => {
    const { entries, uploads } = machine.ledger();
    for (const { body, uploadId } of entries.after(0, most)) {
      if (body.kind !== 'lost' || uploadId === null) continue;
      const { publicLink } = uploads.byId(uploadId) ?? { publicLink: null };
      const file = accounts.files().find(({ link }) => link === publicLink);
      if (file !== undefined && !file.deleted && !file.wasIdGone)
        story.violated('W16', `${file.name} (${file.fileId}) was told lost, and its id was not asked`);
    }
  };

  /** Reports of links that were taken back. */
  const recalls = (): void => {
    const told = new Map<string, number>();
    for (const { body } of machine.ledger().entries.after(0, most)) {
      if (body.kind !== 'recalled') continue;
      // A link that is still served is reported, and its death once more.
      if (body.dead) told.set(body.publicLink, (told.get(body.publicLink) ?? 0) + 1);
      const file = accounts.files().find((one) => one.link === body.publicLink);
      if (body.lateMs !== undefined && (file === undefined || truth.endOf(file) === null))
        story.violated('I19', `${body.publicLink} was told to have ended, and has no end`);
      if (body.dead && file?.wasDead !== true) story.violated('W6', `${body.publicLink} was told dead`);
    }
    for (const [link, times] of told) {
      const file = accounts.files().find((one) => one.link === link);
      const ended = file !== undefined && truth.endOf(file) !== null ? 1 : 0;
      const isUnwanted = file !== undefined && truth.content(file.content)?.wasUnwanted === true;
      const asked = (truth.deletionsAskedFor.get(link) ?? 0) + ended + (isUnwanted ? 1 : 0);
      if (times > asked) story.violated('I18', `${link} was told of ${times} times; ${asked} asked`);
    }
  };

  /** Files that a person gave by their paths, below a folder that is watched without its subfolders. */
  const givenBelow = (folder: string, folderId: number | null): number => {
    const { uploads } = machine.ledger();
    if (folderId === null || folders.isDeep(folder)) return 0;
    return uploads
      .presentDirs(folderId)
      .filter((dir) => dir !== folder)
      .flatMap((dir) => uploads.presentIn(folderId, dir))
      .flatMap((id) => uploads.byId(id) ?? [])
      .filter(({ dir, name, door }) => isByPerson(door) && tray.disk.text(`${dir}/${name}`) !== null).length;
  };
  /** Neither a lost answer, a refusal nor a crash makes a no forgotten. */
  const unwanted = (): void => {
    const { uploads, attempts, entries } = machine.ledger();
    const rows = all();
    for (const { fileId, deleted, name, link, wasDead } of accounts.files()) {
      if (!truth.taken.has(link) || deleted) continue;
      const row = rows.find((one) => one.publicLink === link);
      const state = row?.state;
      // The service did not show it: that is told, and it is asked again, rarer and rarer.
      const isOpen =
        (state?.kind === 'recalled' && !state.dead && state.nextAtMs !== undefined) ||
        (row !== undefined && isElsewhere(row));
      // Id and link both led to nothing for a moment: no more can be asked.
      const isToldGone = state?.kind === 'recalled' && state.dead && wasDead;
      if (!isOpen && !isToldGone)
        story.violated('W4', `${name} (${fileId}) is there: ${JSON.stringify(state)}`);
    }
    for (const { id, sha256 } of truth.unwanted()) {
      const row = uploads.byId(id);
      if (row?.sha256 === sha256 && stateRow(row.state.kind).hasLink === true)
        story.violated('W12', `${row.name} (${id}) is public, and was left out on its way`);
    }
    for (const row of rows) {
      const { state, id } = row;
      if (state.kind !== 'skipped' || state.rule !== 'cancelled' || row.fileId !== null) continue;
      // A person knew that this one may be there, and left it.
      const told = entries.ofUpload(id, most).map(({ body }) => body);
      if (told.some((body) => body.kind === 'held' && body.reason === 'maybe-uploaded')) continue;
      const sent = attempts.ofUpload(id).filter(({ committingAtMs }) => committingAtMs !== null);
      for (const { fileId, deleted, name, sha256, link } of accounts.files()) {
        const isOf = sent.some(({ sentName }) => sentName === name) && sha256 === row.sha256;
        if (isOf && !deleted && !rows.some((one) => one.publicLink === link))
          story.violated('W4', `${name} (${fileId}) was cancelled (${id}), and is there`);
      }
    }
  };

  return {
    outcomes,
    forget: () => told.clear(),
    bounds(perDay) {
      const { permits } = machine.ledger();
      story.bounded('permits kept', permits.since(0).length, 2 * perDay + 100);
    },
    unfinished,
    untold,
    async end() {
      outcomes();
      const engine = machine.engine();
      if (engine === null) {
        story.violated('I9', 'no engine runs');
        return;
      }
      const status = engine.status();
      const gate = status.gate.kind === 'open' ? '' : `, gate: ${status.gate.reason}`;
      for (const row of unfinished()) {
        story.violated('I9', `${row.dir}/${row.name} (${row.id}) ${JSON.stringify(row.state)}${gate}`);
      }
      if (!engine.isStill()) story.violated('I9', 'the engine has not come to rest');
      for (const { folder, counts: told } of status.folders) {
        const files = await tray.all(folder, folders.isDeep(folder));
        const folderId = machine.ledger().folders.byPath(folder)?.id ?? null;
        for (const { path } of files) {
          const problem = problemOf(path, tray.disk.text(path), folderId);
          if (problem !== null) story.violated('I1', `${path} ${problem}`);
        }
        const counted = Object.values(told).reduce((sum, one) => sum + one, 0);
        const count = files.length + givenBelow(folder, folderId);
        if (counted !== count)
          story.violated('I1', `${count} files in ${folder}, but ${JSON.stringify(told)} counted`);
      }
      follows();
      if (machine.openHandles() !== 0) story.violated('I11', `${machine.openHandles()} files are still open`);
      const { attempts } = machine.ledger();
      if (attempts.open().length > 0) story.violated('I9', `${attempts.open().length} attempts have no end`);
      for (const text of machine.complaints) story.violated('I11', `logged: ${text}`);
      recalls();
      losses();
      unwanted();
      for (const entry of machine.ledger().entries.after(0, most)) {
        const text = JSON.stringify(entry.body);
        if (/key-\d{4}/.test(text)) story.violated('I6', `the key in an entry: ${text}`);
        story.note(`entry ${entry.seq} ${entry.atMs} ${entry.uploadId ?? '-'} ${text}`);
      }
    },
  };
};
