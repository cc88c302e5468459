// What is going on, in five words: the foot of the window's rail and the first line of the tray. Pure: returns keys and
// moments, `lineText` says them.
import { formatUntil, formatWait } from './formats.ts';
import type { EngineStatus } from './model.ts';
import type { Speech } from './speech.ts';
import type { WordKey } from './words/en.ts';

export type Tone = 'calm' | 'go' | 'warn' | 'bad';
export type LineValue = number | string | { atMs: number } | { waitMs: number };
export type Line = { key: WordKey; values?: Record<string, LineValue> };
export type Live = { tone: Tone; title: Line; more: Line | null };

type Going =
  'no-folder' | 'folder-gone' | 'paused' | 'starting' | 'elsewhere' | 'closed' | 'sending' | 'waiting';
/** `idle`: nothing moves and nothing is about to. */
type Headline = { kind: Going | 'scanning' | 'idle'; tone: Tone; title: Line };

/** What goes on or keeps it from going on, leaving aside what waits for the user. */
export const headline = (status: EngineStatus, isGuest: boolean): Headline => {
  const { counts, gate } = status;
  if (gate.kind === 'closed' && gate.reason === 'disk') {
    return { kind: 'closed', tone: 'bad', title: { key: 'gate.disk' } };
  }
  if (status.folder === null) return { kind: 'no-folder', tone: 'warn', title: { key: 'live.noFolder' } };
  if (!status.folderAvailable) return { kind: 'folder-gone', tone: 'bad', title: { key: 'gate.folder' } };
  if (status.paused) {
    const { pausedUntilMs } = status;
    const title: Line =
      pausedUntilMs === null
        ? { key: 'live.paused' }
        : { key: 'live.pausedUntil', values: { time: { atMs: pausedUntilMs } } };
    return { kind: 'paused', tone: 'warn', title };
  }
  if (!status.running) {
    return isGuest
      ? { kind: 'elsewhere', tone: 'calm', title: { key: 'live.notRunning' } }
      : { kind: 'starting', tone: 'calm', title: { key: 'app.loading' } };
  }
  if (gate.kind === 'closed') {
    const act = gate.reason === 'key' || gate.reason === 'plan' || gate.reason === 'moved';
    return { kind: 'closed', tone: act ? 'bad' : 'warn', title: { key: `gate.${gate.reason}` } };
  }
  if (status.sending > 0) {
    const values = { sending: status.sending, waiting: counts.waiting };
    return { kind: 'sending', tone: 'go', title: { key: 'live.uploading', values } };
  }
  if (counts.waiting > 0) {
    return { kind: 'waiting', tone: 'go', title: { key: 'live.waiting', values: { count: counts.waiting } } };
  }
  return status.watch === 'scanning'
    ? { kind: 'scanning', tone: 'calm', title: { key: 'live.scanning' } }
    : { kind: 'idle', tone: 'calm', title: { key: 'live.idle' } };
};

/** `isGuest`: another process has the engine; without one, an engine that does not run is about to start. */
export const liveLine = (status: EngineStatus, nowMs: number, isGuest: boolean): Live => {
  const { counts } = status;
  const { kind, tone, title } = headline(status, isGuest);
  if (kind !== 'idle') return { tone, title, more: more(kind, status, nowMs) };
  const [held, failed] = [heldLine(status), failedLine(status)];
  if (counts.held > 0) return { tone: 'warn', title: held, more: null };
  if (counts.failed > 0) return { tone: 'bad', title: failed, more: null };
  const folder = status.folder?.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return { tone, title, more: { key: 'live.idleMore', values: { folder } } };
};

const more = (kind: Going | 'scanning', status: EngineStatus, nowMs: number): Line | null => {
  switch (kind) {
    case 'no-folder':
      return { key: 'live.noFolderMore' };
    case 'folder-gone':
      return untilLine(null);
    case 'paused':
      return { key: 'live.pausedMore', values: { count: status.counts.waiting } };
    case 'elsewhere':
      return { key: 'live.notRunningMore' };
    case 'closed': {
      const { gate } = status;
      const isByItself = gate.kind === 'closed' && (gate.reason === 'network' || gate.reason === 'disk');
      if (gate.kind === 'open' || (isByItself && gate.untilMs === null)) return null;
      return untilLine(gate.untilMs);
    }
    case 'sending':
      return forecast(status);
    case 'waiting':
      return nextSlotLine(status, nowMs) ?? forecast(status);
    case 'starting':
    case 'scanning':
      return null;
  }
};

export const heldLine = ({ counts }: EngineStatus): Line => ({
  key: 'live.heldMore',
  values: { count: counts.held },
});

export const failedLine = ({ counts }: EngineStatus): Line => ({
  key: 'live.failedMore',
  values: { count: counts.failed },
});

export const untilLine = (untilMs: number | null): Line =>
  untilMs === null ? { key: 'live.needsYou' } : { key: 'live.nextTry', values: { time: { atMs: untilMs } } };

/** Null when the next request may go now. */
export const nextSlotLine = ({ nextSlotAtMs }: EngineStatus, nowMs: number): Line | null =>
  nextSlotAtMs !== null && nextSlotAtMs > nowMs
    ? { key: 'live.nextUpload', values: { wait: { waitMs: nextSlotAtMs - nowMs } } }
    : null;

const forecast = (status: EngineStatus): Line | null => {
  const later = status.counts.waiting - status.doneToday;
  if (later > 0 && status.doneToday > 0) {
    return { key: 'live.doneSplit', values: { today: status.doneToday, later } };
  }
  return status.doneAtMs === null
    ? null
    : { key: 'live.doneAt', values: { time: { atMs: status.doneAtMs } } };
};

/** The sentence, its moments as "14:21" or "tomorrow, 09:00" and its waits as "12 min". */
export const lineText = ({ say, locale }: Speech, line: Line, nowMs: number): string =>
  say(
    line.key,
    Object.fromEntries(
      Object.entries(line.values ?? {}).map(([name, value]) => [
        name,
        typeof value === 'number' || typeof value === 'string'
          ? value
          : 'atMs' in value
            ? formatUntil(locale, nowMs, value.atMs)
            : formatWait(locale, value.waitMs),
      ]),
    ),
  );
