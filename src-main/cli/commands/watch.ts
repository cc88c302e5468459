// `watch [DIR]` runs the engine without a window until it is stopped; with --once until no upload can proceed now.
import { AppError } from '../../contract/errors.ts';
import type { Entry, EntryBody } from '../../contract/entries.ts';
import { lateFromMs } from '../../contract/expiry.ts';
import { isBusy, type Counts } from '../../contract/model.ts';
import { watchedPaths, type FolderRules } from '../../contract/settings.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { proofSentence } from '../../contract/text/why.ts';
import { rulesOf } from '../../engine/shared/folder.ts';
import { printable } from '../../contract/text/printable.ts';
import { eventOf, progressEvent } from '../../engine/state/event-json.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { isTrouble } from '../../engine/account/gate-rules.ts';
import { hear } from '../uploads/listen.ts';
import { createBars } from '../output/progress.ts';
import { unlessInterrupted, within, type Session, type Composed } from '../session.ts';
import { standstill } from '../uploads/standstill.ts';
import { createTroubleTeller } from '../uploads/disk-trouble.ts';
import { programFailedText, untilReported } from '../uploads/reported.ts';
import { createWaits, sayFileWait } from '../uploads/waits.ts';
import { troubleText, typedText } from '../output/typed.ts';
import { closedText, countsText, lastedText, pathFrom, unansweredText } from '../output/words.ts';

const checkEveryMs = 100;
/** Covers two broken connections of a file; after the third the file waits for the next run. */
const briefMs = 11_000;
const waitingLooked = 1000;

/** `--once` ends by itself, so another process waits for it. */
const roleOf = (isBrief: boolean) => ({ kind: 'engine', who: 'outtray watch', isBrief }) as const;

export const watch = (
  session: Session,
  dir: string | undefined,
  flags: { once?: boolean; existing?: 'skip' | 'upload' },
): Promise<ExitCode> =>
  within(session, roleOf(flags.once === true), async (composed) => {
    const { engine, keys, clock } = composed;
    const { output } = session;
    const folder = await chosenFolder(composed, session, dir, flags.once === true);
    await keys.require();
    const troubles = createTroubles();
    let hasMoved = false;
    const bars = createBars(session);
    const hearing = hear(composed, {
      trouble: createTroubleTeller(output, clock),
      entries(entries) {
        hasMoved ||= entries.some(({ body }) => body.kind === 'uploaded' || body.kind === 'gone');
        for (const entry of entries) {
          const event = output.json ? eventOf(composed.ledger, entry) : null;
          if (event !== null) output.object(event);
          bars.heard(entry);
          troubles.heard(entry);
          tell(session, entry, clock.wallMs());
        }
      },
      progress(progress) {
        bars.progress(progress);
        if (output.json)
          for (const one of progress) output.object(progressEvent(composed.ledger, one, clock.wallMs()));
      },
    });
    try {
      const existing = flags.existing ?? 'skip';
      await unlessInterrupted(session, () => engine.start({ folder, existing, alone: dir !== undefined }));
      for (const view of engine.status().folders) {
        const { recursive } = rulesOfPath(composed, view.folder);
        output.note(
          view.available
            ? `Watching ${printable(view.folder)}${recursive ? '' : ' (without subfolders)'}.`
            : `${printable(view.folder)} is not there; Outtray keeps looking for it.`,
        );
      }
      return flags.once === true
        ? await untilStill(session, composed, troubles, () => hasMoved)
        : await untilStopped(session, composed);
    } finally {
      hearing.stop();
      bars.stop();
    }
  });

const rulesOfPath = ({ settings, ledger }: Composed, folder: string): FolderRules =>
  rulesOf(settings, ledger.folders.byPath(folder)?.own ?? {});

/** The first folder, or DIR, which is watched alone. Null: there is none, and what is due needs none. */
const chosenFolder = async (
  { settings, client, paths }: Composed,
  session: Session,
  dir: string | undefined,
  mayBeNone: boolean,
): Promise<string | null> => {
  const chosen = watchedPaths(settings.current());
  const wanted = dir === undefined ? chosen[0] : pathFrom(dir, session);
  if (wanted === undefined) {
    if (mayBeNone) return null;
    throw new AppError('not-configured', 'No folder is chosen.', 'Name it once: `outtray watch DIR`.');
  }
  // A folder of the settings is not chosen again: that would accept a different folder at its path (a drive that is not
  // mounted leaves an empty folder).
  if (dir === undefined) return wanted;
  const real = await paths.real(wanted);
  if (real !== null && chosen.includes(real)) return real;
  // If the settings have several folders, DIR is watched in this run only.
  if (chosen.length > 1) {
    if (settings.isLocked('folders'))
      throw new AppError('bad-setting', 'folders is locked by a policy.', 'Ask your administrator.');
    return real ?? wanted;
  }
  // Choosing checks it, and makes it the folder of the settings, so that `status` and the app mean the same.
  const now = await client.call('folder.choose', { folder: wanted, existing: 'skip' });
  return now.folder ?? wanted;
};

const idle = (session: Session, composed: Composed, counts: Counts): void => {
  session.output.object({
    event: 'idle',
    at: new Date(composed.clock.wallMs()).toISOString(),
    path: null,
    ...counts,
  });
};

/** Some of the uploads that wait for their turn or are under way. */
const someLeft = ({ ledger }: Composed): Upload[] =>
  (['sending', 'committing', 'ready', 'uncertain'] as const).flatMap((kind) =>
    ledger.uploads.inState(kind, 10),
  );

const busyOnes = ({ ledger }: Composed): Upload[] =>
  ledger.uploads.inState('uncertain', waitingLooked).filter(({ state }) => isBusy(state));

const sleep = (composed: Composed): Promise<void> =>
  new Promise((next) => {
    composed.clock.after(checkEveryMs, next);
  });

/** Uploads that failed or are held, according to the entries of this run. */
const createTroubles = () => {
  const ids = new Map<number, 'no-answer' | 'other'>();
  return {
    heard({ uploadId, body }: Entry): void {
      if (uploadId === null) return;
      if (body.kind === 'failed' || body.kind === 'held') {
        const isOpen = body.kind === 'held' && body.reason === 'uncertain';
        ids.set(uploadId, isOpen ? 'no-answer' : 'other');
      } else if (!['uploading', 'queued', 'program-failed'].includes(body.kind)) ids.delete(uploadId);
    },
    exitCode(): ExitCode {
      const kinds = [...ids.values()];
      if (kinds.length === 0) return exitCodes.done;
      return kinds.includes('other') ? exitCodes.someFailed : exitCodes.unreachable;
    },
  };
};

/** A file that was cut off is retried after some seconds. A grace period takes at most five minutes. */
const waitsBriefly = ({ ledger, clock }: Composed): boolean =>
  ledger.uploads
    .inState('waiting', waitingLooked)
    .some(
      ({ state }) =>
        state.kind === 'waiting' &&
        (state.reason === 'grace' ||
          (isTrouble(state.reason) && state.untilMs !== null && state.untilMs - clock.wallMs() < briefMs)),
    );

const untilStill = async (
  session: Session,
  composed: Composed,
  troubles: { exitCode(): ExitCode },
  /** Whether a file was uploaded, or left its place. */
  hasMoved: () => boolean,
): Promise<ExitCode> => {
  const { engine } = composed;
  const waits = createWaits(session, composed);
  let isScannedAgain = false;
  let wasStill = false;
  for (;;) {
    if (session.signal.aborted) return exitCodes.interrupted;
    waits.look(() => someLeft(composed));
    const areOnlyLooks = engine.isStill() && !waitsBriefly(composed);
    const stop = standstill(composed, 'minute', () => (areOnlyLooks ? busyOnes(composed) : []));
    const { gate, paused, sending, counts } = engine.status();
    // A short break of the network is waited out.
    const isClosedBriefly = gate.kind === 'closed' && stop === null && counts.waiting > 0;
    const isLookedForSoon = stop === null && !paused && busyOnes(composed).length > 0;
    const isStill = areOnlyLooks && !isClosedBriefly && !isLookedForSoon;
    const isOutOfBudget = stop !== null && gate.kind === 'open' && !paused && sending === 0;
    // Nothing can be recorded, so nothing is sent. This run would wait forever, so it ends with the reason.
    const broken = sending === 0 ? engine.trouble() : null;
    if (broken !== null) throw broken;
    // No watch reports what came or changed its name while the others were uploaded. What comes later waits for the next run.
    if (isStill && hasMoved() && !isScannedAgain) {
      isScannedAgain = true;
      engine.scanFolders();
    } else if ((isStill && wasStill) || isOutOfBudget) break;
    // Just after its start an engine is still until its first turn.
    wasStill = isStill;
    await sleep(composed);
  }
  await untilReported(session, composed, () => sleep(composed));
  await sleep(composed);
  const stop = standstill(composed, 'minute', () => busyOnes(composed));
  const { counts } = engine.status();
  idle(session, composed, counts);
  session.output.note(countsText(counts));
  if (stop !== null && counts.waiting > 0) throw stop;
  if (counts.waiting > 0) return exitCodes.someFailed;
  const heard = troubles.exitCode();
  if (heard !== exitCodes.done) return heard;
  // Earlier runs count, too: as long as a file of the folder needs a decision, every run reports it.
  return counts.held + counts.failed > 0 ? exitCodes.someFailed : exitCodes.done;
};

/** Sleeps until something happens; prints `idle` each time the engine becomes idle. */
const untilStopped = async (session: Session, composed: Composed): Promise<ExitCode> => {
  const { engine } = composed;
  const { signal } = session;
  const waits = createWaits(session, composed);
  let wake = (): void => undefined;
  let isToldIdle = false;
  const undo = engine.listen(() => {
    isToldIdle = false;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const fatal = engine.fatal();
      if (fatal !== null) throw fatal;
      waits.look(() => someLeft(composed));
      if (engine.isStill() && !isToldIdle) {
        isToldIdle = true;
        idle(session, composed, engine.status().counts);
      }
      await new Promise<void>((next) => {
        wake = next;
        if (signal.aborted) next();
        // Polls until the engine is idle; after that only a change wakes it.
        else if (!isToldIdle) composed.clock.after(checkEveryMs, next);
      });
    }
    return exitCodes.interrupted;
  } finally {
    undo();
  }
};

const expiredText = ({
  files,
  alive,
  answers = 0,
  lateMs,
}: Extract<EntryBody, { kind: 'expired' }>): string => {
  const links = files === 1 ? '1 link has ended' : `${files} links have ended`;
  const late = lateMs < lateFromMs ? '' : `, up to ${lastedText(lateMs)} late`;
  const open = [
    ...(answers === 0 ? [] : [`${answers} still ${answers === 1 ? 'answers' : 'answer'}`]),
    ...(alive === answers ? [] : [`${alive - answers} could not be checked`]),
  ].join(', ');
  return `${links}${late}.${open === '' ? '' : ` Of them, ${open}: \`outtray recall\` tries again.`}`;
};

const downloadsText = (
  output: Session['output'],
  { links, downloads, files }: Extract<EntryBody, { kind: 'downloads' }>,
): string => {
  const named = files.map((file) => `${output.pathText(file.path)} ${file.downloads}`).join(', ');
  const more = links > files.length ? `, ${links - files.length} more` : '';
  return `${downloads} new ${downloads === 1 ? 'download' : 'downloads'} of followed links: ${named}${more}.`;
};

const tell = (session: Session, entry: Entry, nowMs: number): void => {
  const { output } = session;
  const { body } = entry;
  const path = printable(entry.path ?? '');
  switch (body.kind) {
    case 'uploaded':
      output.line(printable(body.publicLink));
      output.note(`${path}: uploaded`);
      return;
    case 'held':
      if (body.reason === 'uncertain' && body.message !== undefined) {
        output.note(`${path}: ${unansweredText(body, nowMs, session)}`);
        return;
      }
      output.trouble(`${path}: held (${body.reason}); see \`outtray held\``);
      return;
    case 'failed':
      output.trouble(`${path}: failed. ${printable(troubleText(body))}`);
      return;
    case 'expired':
      output.note(expiredText(body));
      return;
    case 'downloaded':
      output.note(`${path}: downloaded ${body.downloads === 1 ? 'once' : `${body.downloads} times`}.`);
      return;
    case 'downloads':
      output.note(downloadsText(output, body));
      return;
    case 'verified':
      (body.reason === null ? output.note : output.trouble)(`${path}: ${proofSentence(body.reason)}`);
      return;
    case 'lost':
      output.note(`${path}: the service does not show it any more: it may have been deleted there.`);
      return;
    case 'program-failed':
      output.trouble(programFailedText(path, body));
      return;
    case 'waiting':
      sayFileWait(output, { ...entry, body }, nowMs);
      return;
    case 'queue-closed':
      output.note(closedText(body, nowMs, session));
      return;
    case 'queue-opened':
      output.note('Continuing.');
      return;
    case 'watch-degraded':
    case 'folder-lost':
      output.note(printable(typedText(body.message)));
      return;
    case 'folder-back':
      output.note('The folder is back.');
      return;
    default:
  }
};
