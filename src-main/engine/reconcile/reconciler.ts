// The reconciler resolves uploads whose answer was lost (upload-protocol.md, Looking). One pass over the account list
// is for all uploads that are due. A candidate is accepted only when its public link serves exactly the sent bytes.
import type { FileId } from '../../contract/text/file-id.ts';
import { sentContent } from '../shared/same-content.ts';
import { toAppError } from '../../contract/errors.ts';
import { isUnwanted, stateRow, type RemoteFile } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import { askOf, askWhile } from '../limiter/ask.ts';
import { pauseNow } from '../shared/controls.ts';
import { createAccountList } from './account-list.ts';
import { createConclusions, type Case } from './conclude.ts';
import { createCandidates, lostOf } from './candidates.ts';
import { createLikes, isPromptList, quickAfterMs, witnessMs, type Evidence } from './reconcile-rules.ts';
import { lookTimes } from '../shared/waits.ts';
import { createLoop, type Stage } from '../shared/loop.ts';
import type { Upload } from '../ports/uploads.ts';
import { concernsAll } from '../account/forbidden.ts';
import { createVerifyContent } from './verify-content.ts';
import { createSince, sinceMark } from '../shared/time.ts';
import type { Core } from '../state/core.ts';
import type { Move } from '../state/rows.ts';

export type Reconciler = Stage & {
  /** For each upload, the list entries that could be it. It reads the list again. */
  candidates(uploads: readonly Upload[], signal: AbortSignal): Promise<RemoteFile[][]>;
  adopt(upload: Upload, file: RemoteFile, wasThere?: boolean): Upload;
};

/** Attempts of an older ledger may not be known. */
const attemptKeyOf = ({ row, state, attempt }: Case): string => `${row.id} ${attempt?.id ?? state.attemptId}`;

const mostAtOnce = 1000;
/** How often to check whether the service may be asked again. */
const mayAskAgainMs = 15_000;
/** After a pass of one request, the rest is the time to the first look divided by this number. */
const looksPerLookTime = 6;
/** The share of the day's requests for one pass. The same share is for ids without links. */
const shareOfDay = 0.1;
/**
 * A list shifts while others upload, and one look does not ask for all links. So an incomplete last look is repeated.
 * After this many a person decides.
 */
const mostLooks = 5;
/** A person waits for the answer. */
const mostIdsForUser = 20;

export const createReconciler = (core: Core, service: Service): Reconciler => {
  const { ports, rows, work, steadyMs } = core;
  const { account, identity, gate } = service;
  const { ledger, clock, settings } = ports;
  const { signal } = work;

  const mayAsk = (): boolean =>
    work.isOn() && identity.holds() && gate.mayAsk() && (pauseNow(ports) === null || open().length > 0);
  const ask = askWhile(mayAsk, service.ask);
  const askOne = service.aboutOne(ask);
  const accountList = createAccountList(ports, ask);
  const mostRequests = (): number => Math.max(2, Math.floor(account.rules().perDay * shareOfDay));

  /** While paused, only those that a person does not want. */
  const open = (): Case[] => {
    const what = pauseNow(ports) === null ? 'look' : 'unwanted-look';
    return ledger.uploads.nextOf(what, mostAtOnce).flatMap((row): Case[] => {
      const { state } = row;
      if (state.kind !== 'uncertain') return [];
      const attempt =
        ledger.attempts.byId(state.attemptId) ?? ledger.attempts.ofUpload(row.id).at(-1) ?? null;
      return [{ row, state, attempt }];
    });
  };

  const since = createSince<string>(clock);
  /** Time since the engine gave up the answer. Until then the request may have been on its way. */
  const sinceLostMs = (one: Case): number =>
    sinceMark(one.state.lost, clock.sinceBoot()) ??
    since.ms(attemptKeyOf(one), one.attempt?.endedAtMs ?? one.row.changedAtMs);

  const { rowOf, decide, adopt } = createConclusions(core, service.expiry, sinceLostMs);
  const entries = createCandidates(ports, sinceLostMs);
  const { candidatesIn, candidatesOf, isFromBefore } = entries;

  /** Uploads confirmed in the last minute, oldest first. `begunMs` (monotonic): when the upload began. */
  let witnesses: { fileId: FileId; begunMs: number }[] = [];
  const recentWitnesses = (): FileId[] => {
    witnesses = witnesses.filter(({ begunMs }) => begunMs > clock.monoMs() - witnessMs);
    return witnesses.map(({ fileId }) => fileId);
  };
  const begunMs = new Map<number, number>();
  const noteWitness = ({ row, before }: Move): void => {
    if (row.state.kind === 'sending') begunMs.set(row.id, clock.monoMs());
    if (stateRow(row.state.kind).phase === 'under-way') return;
    const sinceMs = begunMs.get(row.id);
    begunMs.delete(row.id);
    if (row.state.kind !== 'uploaded' || before?.kind !== 'committing' || row.fileId === null) return;
    if (sinceMs === undefined || sinceMs <= clock.monoMs() - witnessMs) return;
    witnesses.push({ fileId: row.fileId, begunMs: sinceMs });
    if (witnesses.length > mostAtOnce) recentWitnesses();
  };

  const turn = async (): Promise<number | null> => {
    const cases = open();
    since.note(new Set(cases.map(attemptKeyOf)));
    if (cases.length === 0) {
      failures = 0;
      entries.forget();
    }
    // The end of a pause and the opening of the gate do not wake this loop.
    if (!mayAsk()) return cases.length === 0 ? null : mayAskAgainMs;
    const nowMs = steadyMs();
    const due = cases.filter((one) => one.state.nextLookAtMs <= nowMs);
    const restMs = restUntilMs - clock.monoMs();
    if (due.length > 0 && restMs > 0) return restMs;
    if (due.length > 0) await look(due);
    const next = open().reduce<number | null>(
      (least, one) => (least === null ? one.state.nextLookAtMs : Math.min(least, one.state.nextLookAtMs)),
      null,
    );
    return next === null ? null : Math.max(1, next - steadyMs());
  };

  /** No pass before this moment (monotonic). A longer list gives a longer rest, so one pass is for more uploads. */
  let restUntilMs = -Infinity;
  /** Number of looks in a row that failed. */
  let failures = 0;

  const look = async (due: readonly Case[]): Promise<void> => {
    const accountId = ledger.accounts.present();
    const earliestMs = Math.min(...due.map((one) => lostOf(one).startedAtMs));
    // Uploads that are not due yet. This view may show them too; then they need no separate look.
    const others = open().filter(
      (one) => one.state.nextLookAtMs > steadyMs() && lostOf(one).startedAtMs >= earliestMs,
    );
    // An order may be a coincidence, for example names with dates. A decision to send again must not use it.
    const { reconcileAfterMs } = settings.current();
    const quickMs = quickAfterMs(reconcileAfterMs);
    const isLast = (one: Case): boolean => sinceLostMs(one) >= reconcileAfterMs;
    const last = new Set(due.filter(isLast));
    const quick = new Set(due.filter((one) => one.state.isQuick === true && sinceLostMs(one) >= quickMs));
    const confirmed = recentWitnesses();
    try {
      const pass = await accountList.pass({
        lane: 'background',
        signal,
        accountId,
        most: mostRequests(),
        ...(last.size + quick.size > 0
          ? {}
          : { tries: 1, reachesPast: (files) => files.some((file) => isFromBefore(file, earliestMs)) }),
      });
      failures = 0;
      restUntilMs = clock.monoMs() + (pass.requests * lookTimes(reconcileAfterMs)[0]) / looksPerLookTime;
      const isPrompt = isPromptList(pass.files, confirmed);
      const cases = [...due, ...others];
      entries.saw(pass, cases);
      // Only a look that may end in an absence or a deletion is worth these requests.
      const asking = cases.filter((one) => last.has(one) || quick.has(one) || isUnwanted(one.state));
      const asked = { ask: askOne, lane: 'background', signal, most: mostRequests() } as const;
      const doubtful = await entries.askKnownIds(pass, asking, asked);
      const candidates = candidatesIn(pass, cases);
      const likeIn = (files: readonly RemoteFile[]): ((one: Case) => RemoteFile[]) => {
        const likes = createLikes(files);
        return (one) => likes(lostOf(one));
      };
      const withLink = likeIn(doubtful.filter((file) => file.public_link !== undefined));
      // They can neither be adopted nor ruled out.
      const withoutLink = likeIn(doubtful.filter((file) => file.public_link === undefined));
      const withoutId = likeIn(pass.files.filter((file) => file.file_id === undefined));
      const isComplete = (one: Case): boolean =>
        pass.isComplete && withoutLink(one).length + withoutId(one).length === 0;
      const proof = createVerifyContent(ports, askOf(accountId, askOne), signal);
      // If this pass adopted an entry for another upload, that entry is no longer a candidate.
      const prove = (index: number, one: Case, among: 'namesakes' | 'others'): Promise<Evidence> => {
        const left = candidatesOf(one, candidates[index] ?? []);
        return proof(lostOf(one), sentContent(one.row).sha256, left, among);
      };
      const kindOf = async (one: Case, files: readonly RemoteFile[]): Promise<Evidence['kind']> => {
        const kinds = new Set<Evidence['kind']>();
        for (const among of ['namesakes', 'others'] as const)
          kinds.add((await proof(lostOf(one), sentContent(one.row).sha256, files, among)).kind);
        return (['proved', 'undecided'] as const).find((kind) => kinds.has(kind)) ?? 'absent';
      };
      /** What is known of the other candidates. If one has the same bytes, to delete the first one would be a guess. */
      const othersThan = async (
        { file_id: id }: RemoteFile,
        index: number,
        one: Case,
      ): Promise<Evidence['kind']> => {
        const left = candidatesOf(one, candidates[index] ?? []).filter((file) => file.file_id !== id);
        const kind = await kindOf(one, [...left, ...withLink(one)]);
        return kind === 'absent' && withoutLink(one).length > 0 ? 'undecided' : kind;
      };
      const conclude = async (
        index: number,
        one: Case,
        evidence: Evidence,
        isLast: boolean,
      ): Promise<void> => {
        const now = rowOf(one);
        const isToDelete = evidence.kind === 'proved' && now !== null && isUnwanted(now.state);
        const others = isToDelete ? await othersThan(evidence.file, index, one) : 'absent';
        const isEnd = isLast && (isComplete(one) || one.state.looks + 1 >= mostLooks);
        const isGuess = others === 'proved' || (others === 'undecided' && isEnd);
        const known = others === 'absent' ? evidence : { kind: 'undecided' as const };
        if (!isGuess) decide(one, known, { isComplete: isComplete(one), isLast: isEnd });
        else if (rowOf(one) !== null) rows.apply(one.row.id, { kind: 'undecided' });
      };
      // So the candidates with the sent name are compared first, for all uploads.
      const byName: Evidence[] = [];
      for (const [index, one] of cases.entries()) {
        const evidence = await prove(index, one, 'namesakes');
        byName.push(evidence);
        if (evidence.kind === 'proved') await conclude(index, one, evidence, last.has(one));
      }
      for (const [index, one] of due.entries()) {
        const first = byName[index];
        if (first === undefined || first.kind === 'proved') continue;
        const second = await prove(index, one, 'others');
        const found = second.kind === 'absent' ? first : second;
        const isDoubtful = found.kind === 'absent' && (await kindOf(one, withLink(one))) !== 'absent';
        const evidence = isDoubtful ? { kind: 'undecided' as const } : found;
        const isGone = isPrompt && quick.has(one) && evidence.kind === 'absent';
        await conclude(index, one, evidence, last.has(one) || isGone);
      }
    } catch (caught) {
      const error = toAppError(caught);
      if (signal.aborted) return;
      ports.log.warn('look failed', { code: error.code, message: error.message });
      if (concernsAll(error)) gate.refused(error);
      // The look gave no result. It is repeated a little later, and the wait doubles with each failure.
      const [soonMs] = lookTimes(reconcileAfterMs);
      const laterMs = Math.min(reconcileAfterMs, soonMs * 2 ** failures);
      // For the code `rate` the limiter itself waits.
      if (error.code !== 'aborted' && error.code !== 'rate') failures += 1;
      for (const one of due) postpone(one, steadyMs() + laterMs);
    }
  };

  const postpone = (one: Case, untilMs: number): void => {
    rows.apply(one.row.id, { kind: 'look-planned', looks: one.state.looks, nextLookAtMs: untilMs });
  };

  const loop = createLoop({ name: 'reconciler', ports, work, turn });
  gate.onChange(loop.wake);
  rows.onMove((move) => {
    noteWitness(move);
    if (move.row.state.kind === 'uncertain') loop.wake();
  });
  return {
    wake: loop.wake,
    stop: loop.stop,
    isStill() {
      if (loop.isBusy()) return false;
      if (!mayAsk() || clock.monoMs() < restUntilMs) return true;
      return !open().some((one) => one.state.nextLookAtMs <= steadyMs());
    },
    async candidates(rows, stop) {
      const cases = rows.map((row): Case => {
        const attempt = ledger.attempts.ofUpload(row.id).at(-1) ?? null;
        const looks = { looks: 0, nextLookAtMs: 0 };
        return { row, state: { kind: 'uncertain', attemptId: attempt?.id ?? 0, ...looks }, attempt };
      });
      const pass = await accountList.pass({ lane: 'user', signal: stop, most: mostRequests() });
      entries.saw(pass, cases);
      await entries.askKnownIds(pass, cases, { ask, lane: 'user', signal: stop, most: mostIdsForUser });
      return candidatesIn(pass, cases);
    },
    adopt,
  };
};
