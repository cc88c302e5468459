// The person at the machine: pauses, confirms, cancels, retries, deletes and changes settings, in the window or by the
// command beside it. This person always knows who uploaded a file. `truth` records what the person asked for.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import type { EngineCommandName } from '../../../src-main/contract/commands.ts';
import { isTakenBack, isUnwanted, statesWith } from '../../../src-main/contract/model.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import { idNow } from '../../../src-main/engine/shared/links.ts';
import { sha256Of } from './account.ts';
import { secondKey, type Accounts } from './accounts.ts';
import type { Audit } from './audit.ts';
import type { Dice } from './dice.ts';
import type { Caller, Machine, Reply } from './machine.ts';
import type { Story } from './story.ts';
import type { Tray } from './tray.ts';
import type { Truth } from './truth.ts';

export type Person = {
  act(): void;
  /** One command of this person. */
  call(name: EngineCommandName, input: unknown): Promise<Reply>;
  /** Does this, and reports what went wrong. */
  run(act: () => void | Promise<unknown>): void;
  /** Sets when links end. */
  expire(chance: Dice): void;
  /**
   * Gives a file whose link ends at a moment, which may come before it is uploaded. `onItsWay`: this one, with a moment
   * some seconds ahead.
   */
  giveWithEnd(chance: Dice, onItsWay?: Upload): void;
  /** Does not want the upload that is on its way, and says so beside an engine that does not hear of it. */
  refuse(onItsWay: Upload): Promise<void>;
  /** Goes over to the second account, or back. */
  changeAccount(chance: Dice): void;
  /**
   * What a person does in the end, when everything works again. `isSecond`: with the key of the second account. False: the
   * key was not taken, and the person tries again later.
   */
  tidyUp(isSecond: boolean): Promise<boolean>;
};

/** The last four show whose it is. */
export const otherKey = 'other-0000-marked';

export const createActor = (options: {
  dice: Dice;
  machine: Machine;
  tray: Tray;
  truth: Truth;
  accounts: Accounts;
  audit: Audit;
  story: Story;
  /** Not on a day with an older ledger, which may not know that anything was sent. */
  mayMeetOtherKey: () => boolean;
  later: (ms: number, act: () => void) => void;
  /** A person has skipped or cancelled these. */
  saidNo: (ids: readonly number[]) => void;
  nowMs: () => number;
  /** Real time, which no clock of the machine moves. */
  steadyMs: () => number;
}): Person => {
  const { dice, machine, tray, truth, accounts, audit, story } = options;
  const uploads = () => machine.ledger().uploads;

  const call = async (
    name: EngineCommandName,
    input: unknown,
    from: Caller = dice.happens(0.3) ? 'guest' : 'engine',
  ): Promise<Reply> => {
    audit.acted();
    const life = machine.life();
    const reply = await machine.call(name, input, from);
    audit.acted();
    story.note(`person ${name} ${reply.ok ? 'ok' : reply.code}`);
    if (!reply.ok && reply.code === 'internal' && life?.isOver() === false) {
      story.violated('I11', `${name} met a fault of the program`);
    }
    return reply;
  };

  /** A person decides nothing about files whose disk or folder is away. */
  const some = (kind: Upload['state']['kind']): Upload | null => {
    const rows = uploads()
      .inState(kind, 100)
      .filter(({ dir }) => tray.isHere(`${dir}/`));
    return rows.length === 0 ? null : dice.pick(rows);
  };
  /** The present text of the row's file. */
  const textOf = (row: Upload): string | null => tray.disk.text(`${row.dir}/${row.name}`);
  const consent = (row: Upload, again: boolean): void => {
    const text = textOf(row);
    const path = `${row.dir}/${row.name}`;
    if (text !== null) truth.consent(path, text, again);
    // The consent is for the content in the row, even if the file is gone or has changed.
    if (row.sha256 !== null) truth.saidYes(row.sha256, path);
  };

  /** A person who gave a path and tries it again wants the file that is there now. */
  const askAgain = (row: Upload): void => {
    if (row.state.kind === 'failed' && row.door !== 'folder') consent(row, false);
  };

  /** Ids of the folders in which a file of this one may lie. */
  const foldersOf = (dir: string): number[] =>
    dir
      .split('/')
      .map((_, at, parts) => parts.slice(0, at + 1).join('/'))
      .flatMap((path) => machine.ledger().folders.byPath(path)?.id ?? []);

  /** A copy of what is public, or a file whose link has ended: confirmed to get a link of its own. */
  const isOffered = ({ state }: Upload): boolean =>
    state.kind === 'skipped' && ['already-shared', 'recalled', 'expired'].includes(state.rule);

  const acts: Record<string, [weight: number, act: () => void | Promise<unknown>]> = {
    pause: [
      1,
      async () => {
        const untilMs = dice.happens(0.5) ? options.nowMs() + dice.spread(60_000, 7_200_000) : null;
        await call('queue.pause', { untilMs });
      },
    ],
    resume: [2, () => call('queue.resume', {})],
    confirm: [
      2,
      async () => {
        const row = some(dice.happens(0.7) ? 'held' : 'skipped');
        if (row === null) return;
        if (row.state.kind === 'held' && row.state.reason === 'uncertain') return;
        // A file that may be on the service: a person who confirms it wants it uploaded in any case.
        const isInDoubt = row.state.kind === 'held' && row.state.reason === 'maybe-uploaded';
        consent(row, isOffered(row) || isInDoubt);
        const isFound = row.state.kind === 'held' && row.state.reason === 'secret-content';
        if (isFound && row.sha256 !== null) truth.letGo(row.sha256);
        const isNamed = row.state.kind === 'held' && row.state.reason === 'secret-name';
        if (isNamed && row.sha256 !== null) truth.letGoOfName(row.sha256);
        await call('queue.confirm', { ids: [row.id] });
      },
    ],
    retry: [
      2,
      async () => {
        const row = some(dice.pick(['failed', 'waiting', 'skipped']));
        if (row === null) return;
        story.note(`person tries ${row.dir}/${row.name} again: ${JSON.stringify(row.state)}`);
        if (row.state.kind === 'skipped') consent(row, isOffered(row));
        else askAgain(row);
        await call('queue.retry', { ids: [row.id] });
      },
    ],
    cancel: [
      1,
      async () => {
        const row = some(dice.pick(['sending', 'sending', 'ready', 'settling', 'waiting']));
        if (row === null) return;
        const reply = await call('queue.cancel', { ids: [row.id] });
        if (reply.ok) options.saidNo([row.id]);
      },
    ],
    /** It may be on the service, and its content is not wanted there. */
    'cancel-sent': [
      2,
      async () => {
        const row = some(dice.pick(['committing', 'uncertain']));
        if (row === null || row.sha256 === null) return;
        truth.mayUnwant(row.sha256);
        const reply = await call('queue.cancel', { ids: [row.id] });
        if (reply.ok) truth.unwant(row.id, row.sha256);
        story.fault('no-after-tail', `${row.id} ${row.state.kind} ${reply.ok ? 'ok' : reply.code}`);
        if (!reply.ok || dice.happens(0.7)) return;
        const undone = await call('queue.undo', { ids: [row.id] });
        truth.saidYes(row.sha256, `${row.dir}/${row.name}`);
        const now = uploads().byId(row.id);
        if (
          undone.ok &&
          Array.isArray(undone.answer) &&
          undone.answer.length > 0 &&
          now !== null &&
          isUnwanted(now.state)
        )
          story.violated('W15', `undo left ${row.id} unwanted: ${JSON.stringify(now.state)}`);
      },
    ],
    /** The person answers a question with no. */
    skip: [
      1,
      async () => {
        const row = some(dice.pick(['held', 'held', 'held', 'failed', 'waiting']));
        if (row === null || (row.state.kind === 'held' && row.state.reason === 'uncertain')) return;
        const reply = await call('queue.skip', { ids: [row.id] });
        if (!reply.ok) return;
        if (dice.happens(0.8)) options.saidNo([row.id]);
        else {
          // Undo restores the former state. A file that was under way may go again.
          if (row.state.kind !== 'held') consent(row, false);
          await call('queue.undo', { ids: [row.id] });
        }
      },
    ],
    /** All of a burst. */
    'refuse-burst': [
      0.5,
      async () => {
        const row = some('held');
        if (row?.state.kind !== 'held' || row.state.reason !== 'burst') return;
        const ids = uploads()
          .inState('held', 1000)
          .filter(({ state }) => state.kind === 'held' && state.reason === 'burst')
          .map(({ id }) => id);
        const reply = await call('queue.skip', { ids });
        if (reply.ok) options.saidNo(ids);
      },
    ],
    'to-top': [
      0.5,
      async () => {
        const row = some('ready');
        if (row !== null) await call('queue.toTop', { ids: [row.id] });
      },
    ],
    order: [0.5, () => call('queue.order', { by: dice.pick(['arrival', 'newest', 'smallest']) })],
    refresh: [1, () => call('files.refresh', {})],
    page: [
      1,
      () => call('files.page', { search: '', place: 'all', sort: 'uploaded', descending: true, limit: 50 }),
    ],
    status: [1, () => call('app.status', {})],
    delete: [
      1,
      async () => {
        const row = some('uploaded');
        const fileId = row === null ? null : idNow(machine.ledger(), row);
        if (row === null || fileId === null || row.publicLink === null) return;
        truth.askDeletion(row.publicLink);
        await call('files.delete', { fileIds: [fileId] });
        noteTaken(row);
      },
    ],
    recall: [
      2,
      async () => {
        const row = some(dice.pick(['uploaded', 'uploaded', 'superseded', 'recalled']));
        if (row === null || row.fileId === null || row.publicLink === null) return;
        truth.askDeletion(row.publicLink);
        // One path may have several rows: for earlier versions, and for a file that was given by path before or after
        // its folder was watched. The path means the newest of them.
        // It means one that was taken back before only if no other row of this path has a link.
        const others = uploads()
          .atPath(row.dir, row.name, 100)
          .filter(({ id, fileId }) => id !== row.id && fileId !== null);
        const isNewest = others.every(({ id }) => id < row.id && row.state.kind !== 'recalled');
        const isAtPath = [null, ...foldersOf(row.dir)].every((folderId) =>
          [undefined, row.id].includes(uploads().presentAt(folderId, row.dir, row.name)?.id),
        );
        const now = idNow(machine.ledger(), row);
        const file =
          isNewest && isAtPath && row.state.kind !== 'superseded' && dice.happens(0.5)
            ? { path: `${row.dir}/${row.name}` }
            : now === null
              ? { link: row.publicLink }
              : { fileId: now };
        await call('files.recall', { files: [file] });
        noteTaken(row);
      },
    ],
    'upload-by-hand': [
      1,
      async () => {
        const path = tray.somePath();
        const text = path === null ? null : tray.disk.text(path);
        if (path === null || text === null) return;
        const again = dice.happens(0.3);
        truth.consent(path, text, again);
        await call('files.upload', { paths: [path], again });
      },
    ],
    settings: [
      1,
      async () => {
        const [name, value] = dice.pick<[string, unknown]>([
          ['concurrentUploads', dice.whole(1, 6)],
          ['settleMs', tray.isUnseen() ? 0 : dice.pick([0, 0, 500, 5000])],
          ['burstFiles', dice.pick([10, 200])],
          ['notify', dice.happens(0.5)],
          ['graceSeconds', dice.pick([0, 10, 300])],
          ['reconcileAfterMs', 900_000],
        ]);
        await call('settings.set', { name, value });
      },
    ],
    /** Its files are not ours. No one says whose key it is, and after a while the right one is back. */
    'key-of-another': [
      0.5,
      () =>
        inTurn(async () => {
          if (!options.mayMeetOtherKey() || !machine.ledger().accounts.hasSent()) return;
          const reply = await call('account.login', { key: otherKey });
          if (!reply.ok) return;
          story.fault('key-of-another');
          options.later(dice.spread(60_000, 10_800_000), () => run(() => login('key-5678-marked')));
        }),
    ],
    'take-key-away': [
      0.5,
      async () => {
        story.fault('no-key');
        await call('account.logout', {});
      },
    ],
    'give-key': [1, () => login('key-5678-marked')],
    resolve: [2, () => resolve()],
    scan: [0.5, () => call('folder.scan', {})],
  };
  const weights = Object.values(acts).reduce((sum, [weight]) => sum + weight, 0);

  const noteTaken = ({ id, publicLink }: Upload): void => {
    const now = machine.works() ? uploads().byId(id) : null;
    if (publicLink !== null && now?.publicLink === publicLink && isTakenBack(now.state))
      truth.taken.add(publicLink);
  };

  /** The last one that was shown, or said, to be of the first account. */
  let firstKey = 'key-1234';
  const loginSecond = (): Promise<boolean> =>
    inTurn(async () => {
      if (!machine.ledger().accounts.hasSent()) return false;
      if (!(await call('account.login', { key: secondKey })).ok) return false;
      story.fault('second-account');
      if (accounts.isUnproved()) await call('account.decide', { is: 'another' });
      return true;
    });
  const changeAccount = async (chance: Dice): Promise<void> => {
    const isBack = machine.keys.stored === secondKey && chance.happens(0.7);
    if (isBack) await login(chance.happens(0.5) ? firstKey : 'key-5678-marked');
    else await loginSecond();
  };

  /** All of these keys are of one account. Where no file shows that, the person says so. */
  const login = (key: string): Promise<boolean> =>
    inTurn(async () => {
      // What is decided is about the present key, and that may be another one still.
      if (!(await call('account.login', { key })).ok) return false;
      // "The same" is the account that is shown. If no file shows that the key is of the first one, an earlier key does.
      if (accounts.isSecondPresent()) {
        return (await call('account.login', { key: firstKey })).ok;
      }
      firstKey = key;
      await call('account.decide', { is: 'same' });
      return true;
    });

  /** One change of the key after the other: what is decided is about the key that was entered. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const now = last.then(act, act);
    last = now;
    return now;
  };

  /** Resolves only what is certain: a candidate holds exactly these bytes, or none does. */
  const resolve = async (): Promise<void> => {
    const row = uploads()
      .inState('held', 100)
      .find(({ state }) => state.kind === 'held' && state.reason === 'uncertain');
    if (row === undefined || !tray.isHere(`${row.dir}/`)) return;
    const reply = await call('queue.candidates', { id: row.id });
    if (!reply.ok || !Array.isArray(reply.answer)) return;
    const ids = reply.answer.flatMap((one: { file: { file_id?: FileId } }) => one.file.file_id ?? []);
    const match = ids.find((id) => accounts.reached().byId(id)?.sha256 === row.sha256);
    if (match !== undefined) {
      await call('queue.resolve', { id: row.id, choice: 'this-is-it', fileId: match });
      return;
    }
    if (!tray.isHere(`${row.dir}/`)) return;
    if (dice.happens(0.5)) consent(row, true);
    else {
      await call('queue.resolve', { id: row.id, choice: 'leave' });
      return;
    }
    await call('queue.resolve', { id: row.id, choice: 'again' });
  };

  const run = (act: () => void | Promise<unknown>): void => {
    Promise.resolve(act()).catch((error: unknown) => story.violated('I11', `a person met ${String(error)}`));
  };

  const expire = async (chance: Dice): Promise<void> => {
    if (chance.happens(0.3)) {
      const [value, ms] = chance.pick<[string, number]>([
        ['6h', 21_600_000],
        ['1d', 86_400_000],
        ['none', Infinity],
      ]);
      const isCeiling = chance.happens(0.4);
      if (isCeiling) {
        truth.endAtLatest(ms);
        story.fault(value === 'none' ? 'ceiling-lifted' : 'ceiling-lowered', value);
      } else truth.endAfter(ms, null);
      await call('settings.set', { name: isCeiling ? 'maxExpireAfter' : 'expireAfter', value });
      return;
    }
    const rows = statesWith({ hasLink: true }).flatMap((kind) => uploads().inState(kind, 100));
    const row = rows.length === 0 ? null : chance.pick(rows);
    const file = accounts.files().find((one) => one.link === row?.publicLink && !one.deleted);
    if (file === undefined) return;
    const afterMs = chance.happens(0.1) ? null : Math.round(chance.spread(600_000, 43_200_000));
    const endMs = afterMs === null ? Infinity : options.steadyMs() + afterMs;
    truth.askEnd(file, endMs, false);
    const reply = await call('files.expire', {
      files: [accounts.reached().owns(file.link) ? { fileId: file.fileId } : { link: file.link }],
      expire: afterMs === null ? 'never' : { afterMs },
    });
    const [result] = reply.ok ? (reply.answer as { error: unknown }[]) : [];
    if (result?.error === null) truth.askEnd(file, endMs, true);
  };

  const giveWithEnd = async (chance: Dice, row?: Upload): Promise<void> => {
    const path = row === undefined ? tray.somePath() : `${row.dir}/${row.name}`;
    const text = path === null ? null : tray.disk.text(path);
    if (path === null || text === null) return;
    const inMs = Math.round(
      row === undefined ? chance.spread(10_000, 10_800_000) : chance.spread(100, 10_000),
    );
    const end = { monoMs: options.steadyMs() + inMs, wallMs: options.nowMs() + inMs };
    truth.consent(path, text, false);
    story.fault(row === undefined ? 'end-at-a-moment' : 'end-on-the-way', path);
    truth.mayEndAt(text, path, end.monoMs);
    const given = { paths: [path], again: false, expire: { atMs: end.wallMs } };
    const reply = await call('files.upload', given, row === undefined ? undefined : 'guest');
    if (reply.ok) truth.askMoment(text, end);
  };

  const refuse = async (row: Upload): Promise<void> => {
    const { id, sha256, stamp } = row;
    const text = textOf(row);
    const path = `${row.dir}/${row.name}`;
    // It may have been saved again meanwhile: this no is for the earlier content.
    const isSame =
      sha256 === null ? stamp?.mtimeMs === tray.disk.mtimeMs(path) : sha256 === sha256Of(text ?? '');
    const known = text === null ? null : truth.content(text);
    // A person asked for another file with this content, which may still go.
    if (known === null || !isSame || [...known.asked].some((one) => one !== path)) return;
    story.fault('no-on-the-way', `${id}`);
    truth.mayUnwant(sha256Of(known.text));
    const reply = await call('queue.cancel', { ids: [id] }, 'unheard');
    const now = uploads().byId(id)?.state;
    if (!reply.ok || now === undefined) return;
    if (isUnwanted(now) || (now.kind === 'skipped' && now.rule === 'cancelled'))
      truth.unwant(id, sha256Of(known.text));
  };

  return {
    call,
    run,
    expire: (chance) => run(() => expire(chance)),
    giveWithEnd: (chance, row) => run(() => giveWithEnd(chance, row)),
    refuse,
    changeAccount: (chance) => run(() => changeAccount(chance)),
    act() {
      let left = dice.chance() * weights;
      for (const [name, [weight, act]] of Object.entries(acts)) {
        left -= weight;
        if (left > 0) continue;
        story.note(`person wants ${name}`);
        run(act);
        return;
      }
    },
    async tidyUp(isSecond) {
      const isItsTurn = isSecond && machine.ledger().accounts.hasSent();
      const isIn = await (isItsTurn ? loginSecond() : login('key-9999-marked'));
      await call('queue.resume', {});
      for (const row of uploads().inState('failed', 1000)) askAgain(row);
      await call('queue.retry', {});
      return isIn;
    },
  };
};
