// What is going on, in five words: the foot of the window's rail and the first line of the tray. Pure: returns keys and
// moments, which `lineText` turns into text.
import type { Change } from './client.ts';
import { formatUntil, formatWait } from './text/formats.ts';
import { waitRow, type EngineStatus, type WaitReason } from './model.ts';
import type { Speech } from './text/speech.ts';
import type { WordKey } from './locales/words.ts';

export type Tone = 'calm' | 'go' | 'warn' | 'bad';
export type LineValue = number | string | { atMs: number } | { waitMs: number } | { line: Line };
export type Line = { key: WordKey; values?: Record<string, LineValue> };
/** `run`: how far the run is to which `title` happens. */
export type Live = { kind: LiveKind; tone: Tone; title: Line; more: Line | null; run: Line | null };

/** `idle`: nothing moves and nothing is about to. `closed`: something keeps everything back. */
export type LiveKind =
  | 'no-folder'
  | 'folder-gone'
  | 'paused'
  | 'starting'
  | 'elsewhere'
  | 'closed'
  | 'sending'
  | 'waiting'
  | 'scanning'
  | 'held'
  | 'failed'
  | 'idle';

/**
 * What keeps every upload back: what this machine cannot do, else a pause, else the gate, or a limit that lasts longer than
 * a minute. Rows, foot and banner name the same.
 */
export const standstillOf = ({
  gate,
  limit,
  paused,
  pausedUntilMs,
}: Pick<EngineStatus, 'gate' | 'limit' | 'paused' | 'pausedUntilMs'>): {
  reason: WaitReason;
  untilMs: number | null;
} | null => {
  const closed = gate.kind === 'closed' ? gate : limit;
  const isFirst = closed !== null && isOurs(closed.reason);
  return paused && !isFirst ? { reason: 'paused', untilMs: pausedUntilMs } : closed;
};

/** What waits for the user. The line names failures only when nothing else waits. */
export const needsYouLine = ({ work }: Pick<EngineStatus, 'work'>): Line | null => {
  const { needYou: count, failed } = work;
  if (count === 0) return null;
  return { key: failed === count ? 'live.failedMore' : 'live.heldMore', values: { count } };
};

/**
 * What the popover asks the user to look at: the files that wait for the user, or else what keeps everything back until
 * the user acts.
 */
export const workLine = (status: Pick<EngineStatus, 'work'>, { title, more }: Live): Line | null =>
  needsYouLine(status) ?? (more?.key === 'live.needsYou' ? title : null);

/** What is being uploaded, or will be without the user. */
export const goingOf = ({ work }: Pick<EngineStatus, 'work'>): number => work.uploading + work.waiting;

/** This machine keeps it back: Outtray cannot write its own data, or its policy stops it. */
export const isOurs = (reason: WaitReason): boolean => waitRow(reason).isOurs === true;

/** The queue waits until a person acts; most of these reasons do not pass by themselves. */
export const needsPerson = (reason: WaitReason): boolean => waitRow(reason).forAll === true || isOurs(reason);

/**
 * How far a run of uploads is: one share for the window's foot, the popover, the Dock and the taskbar. A run begins with
 * the first file and ends when none is left.
 *
 * `sent`: the share of each upload under way, by its id. `share`: from 0 to 1, null where nothing is on its way; for the
 * same files it does not go back when one is sent again, or when one event arrives as two changes.
 */
export type Run = { status: EngineStatus | null; sent: ReadonlyMap<number, number>; share: number | null };

export const noRun: Run = { status: null, sent: new Map(), share: null };

export const nextRun = (run: Run, change: Change): Run => {
  const next = heard(run, change);
  const { status, sent } = next;
  if (status === null || goingOf(status) === 0) return { ...noRun, status };
  const { ready, needYou, leftOut, total } = status.work;
  // What was sent and not taken counts no longer once it only waits.
  const isSame = run.status?.work.total === total && status.sending > 0;
  const parts = [...sent.values()].reduce((sum, one) => sum + one, 0);
  const share = shareOf(ready + needYou + leftOut + parts, total);
  return { ...next, share: Math.max(isSame ? (run.share ?? 0) : 0, share) };
};

/** In whole hundredths: finer steps are not visible. Not full: something is still on its way. */
export const shareOf = (done: number, total: number): number =>
  Math.min(0.99, Math.round((100 * done) / Math.max(1, total)) / 100);

const heard = (run: Run, change: Change): Run => {
  if (change.kind === 'status')
    return { ...run, status: change.status, sent: change.status.sending > 0 ? run.sent : new Map() };
  const sent = new Map(run.sent);
  if (change.kind === 'progress')
    for (const { uploadId, sentBytes, totalBytes } of change.progress)
      sent.set(uploadId, totalBytes === 0 ? 1 : sentBytes / totalBytes);
  if (change.kind === 'entries')
    for (const { uploadId, body } of change.entries)
      if (uploadId !== null && body.kind !== 'uploading') sent.delete(uploadId);
  return { ...run, sent };
};

/** What is going on: one thing at a time, the most important first. `isGuest`: another process has the engine. */
export const liveLine = (status: EngineStatus, nowMs: number, isGuest: boolean): Live => {
  const { work } = status;
  const going = goingOf(status);
  const standstill = standstillOf(status);
  const ready: Line = { key: 'live.ready', values: { ready: work.ready, total: work.total } };
  const say = (kind: LiveKind, tone: Tone, title: Line, more: Line | null = null): Live => ({
    kind,
    tone,
    title,
    more,
    run: going > 0 && (kind === 'closed' || kind === 'folder-gone') ? ready : null,
  });
  const closed = ({ reason, untilMs }: { reason: WaitReason; untilMs: number | null }): Live => {
    // Grey continues without the user.
    const goesOn = untilMs !== null || waitRow(reason).endsByItself === true;
    return say(
      'closed',
      needsPerson(reason) ? 'bad' : goesOn ? 'calm' : 'warn',
      { key: `gate.${reason}` },
      untilLine(reason, untilMs, nowMs),
    );
  };

  if (standstill !== null && isOurs(standstill.reason)) return closed(standstill);
  if (status.folder === null && going === 0) {
    return say('no-folder', 'warn', { key: 'live.noFolder' }, { key: 'live.noFolderMore' });
  }
  if (!status.folderAvailable) {
    return say('folder-gone', 'bad', { key: 'gate.folder' }, { key: 'live.needsYou' });
  }
  if (status.paused) {
    const { pausedUntilMs } = status;
    const title: Line =
      pausedUntilMs === null
        ? { key: status.pauseIsUnread === true ? 'live.pauseUnread' : 'live.paused' }
        : { key: 'live.pausedUntil', values: { time: { atMs: pausedUntilMs } } };
    return say('paused', 'warn', title, { key: 'live.pausedMore', values: { count: going } });
  }
  if (!status.running) {
    // Without another process, an engine that does not run is about to start.
    return isGuest
      ? say('elsewhere', 'calm', { key: 'live.notRunning' }, { key: 'live.notRunningMore' })
      : say('starting', 'calm', { key: 'app.loading' });
  }
  if (status.gate.kind === 'closed') return closed(status.gate);
  // At the even pace of requests small files are on their way for a moment only. In between the line still shows
  // sending.
  const isSending = status.sending > 0 || (status.limit === null && status.doneAtMs !== null);
  if (isSending) {
    return say('sending', 'go', ready, forecast(status));
  }
  if (standstill !== null) return closed(standstill);
  if (going > 0) {
    return say('waiting', 'go', { key: 'live.waiting', values: { count: going } });
  }
  if (status.watch === 'scanning') return say('scanning', 'calm', { key: 'live.scanning' });
  const needsYou = needsYouLine(status);
  if (needsYou !== null)
    return work.failed < work.needYou ? say('held', 'warn', needsYou) : say('failed', 'bad', needsYou);
  const watched = status.folders.length;
  if (watched > 1)
    return say('idle', 'calm', { key: 'live.idle' }, { key: 'live.idleSeveral', values: { count: watched } });
  const folder = status.folder?.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return say('idle', 'calm', { key: 'live.idle' }, { key: 'live.idleMore', values: { folder } });
};

/** A shorter wait is shown in seconds, a longer one as a time of day. */
const shortWaitMs = 90_000;

const untilLine = (reason: WaitReason, untilMs: number | null, nowMs: number): Line | null => {
  const row = waitRow(reason);
  // The banner shows what has to be done first: the time at which Outtray looks again would contradict it.
  if (isOurs(reason)) return null;
  if (row.forAll === true) return { key: 'live.needsYou' };
  if (untilMs === null) return row.endsByItself === true ? null : { key: 'live.needsYou' };
  const time = { atMs: untilMs };
  if (reason === 'rate') return { key: 'live.until', values: { time } };
  if (reason === 'budget' || reason === 'daily-uploads') return { key: 'live.continues', values: { time } };
  const waitMs = untilMs - nowMs;
  return waitMs > 0 && waitMs < shortWaitMs
    ? { key: 'live.nextTryIn', values: { wait: { waitMs } } }
    : { key: 'live.nextTry', values: { time } };
};

const forecast = ({ doneToday, doneLater, doneAtMs, doneNote }: EngineStatus): Line | null => {
  if (doneLater > 0 && doneToday > 0) {
    return { key: 'live.doneSplit', values: { today: doneToday, later: doneLater } };
  }
  return doneLine({ doneAtMs, doneNote });
};

/** When all is done, with the reason if it is later than it was. */
export const doneLine = ({
  doneAtMs,
  doneNote,
}: Pick<EngineStatus, 'doneAtMs' | 'doneNote'>): Line | null => {
  if (doneAtMs === null) return null;
  const time = { atMs: doneAtMs };
  const why = laterLine(doneNote);
  if (why !== null) return { key: 'live.doneLater', values: { time, why: { line: why } } };
  return { key: doneNote === null ? 'live.doneAt' : 'live.doneLeast', values: { time } };
};

/** Why it is later than it was; null: it is not. */
export const laterLine = (note: EngineStatus['doneNote']): Line | null => {
  if (note === null || note.why === 'least') return null;
  return note.why === 'files'
    ? { key: 'later.files', values: { count: note.count } }
    : { key: `later.${note.why}` };
};

/** Whether the line counts seconds now and must be drawn again. */
export const isCountdown = ({ more }: Live): boolean =>
  Object.values(more?.values ?? {}).some((value) => typeof value === 'object' && 'waitMs' in value);

/** The two lines of foot and popover: how far the run is, then what keeps it back and until when. */
export const footOf = (
  speech: Speech,
  { title, more, run }: Live,
  nowMs: number,
): { title: string; more: string } => {
  const [first = '', ...others] = [run, title, more].flatMap((line) =>
    line === null ? [] : [lineText(speech, line, nowMs)],
  );
  return { title: first, more: others.join(' · ') };
};

/** The sentence, its moments as "14:21" or "tomorrow, 09:00" and its waits as "12 min". */
export const lineText = (speech: Speech, line: Line, nowMs: number): string =>
  speech.say(
    line.key,
    Object.fromEntries(
      Object.entries(line.values ?? {}).map(([name, value]) => [
        name,
        typeof value === 'number' || typeof value === 'string'
          ? value
          : 'atMs' in value
            ? formatUntil(speech.locale, nowMs, value.atMs)
            : 'line' in value
              ? lineText(speech, value.line, nowMs)
              : formatWait(speech.locale, value.waitMs),
      ]),
    ),
  );
