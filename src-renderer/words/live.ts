// What is going on, in five words: the foot of the rail. Pure: returns keys and moments, the caller says them.
import type { EngineStatus } from '../../src-main/contract/model.ts';
import type { WordKey } from '../../src-main/contract/words/en.ts';

export type Tone = 'calm' | 'go' | 'warn' | 'bad';
export type LineValue = number | { atMs: number } | { waitMs: number };
export type Line = { key: WordKey; values?: Record<string, LineValue> };
export type Live = { tone: Tone; title: Line; more: Line | null };

const until = (untilMs: number | null): Line =>
  untilMs === null ? { key: 'live.untilYou' } : { key: 'live.until', values: { time: { atMs: untilMs } } };

/** `isGuest`: another process has the engine; without one, an engine that does not run is about to start. */
export const liveLine = (status: EngineStatus, nowMs: number, isGuest: boolean): Live => {
  const { counts, gate } = status;
  const waiting = counts.waiting;
  if (status.folder === null) {
    return { tone: 'warn', title: { key: 'live.noFolder' }, more: { key: 'live.noFolderMore' } };
  }
  if (!status.folderAvailable) {
    return { tone: 'bad', title: { key: 'gate.folder' }, more: { key: 'live.untilYou' } };
  }
  if (status.paused) {
    const more: Line = { key: 'live.pausedMore', values: { count: waiting } };
    return status.pausedUntilMs === null
      ? { tone: 'warn', title: { key: 'live.paused' }, more }
      : {
          tone: 'warn',
          title: { key: 'live.pausedUntil', values: { time: { atMs: status.pausedUntilMs } } },
          more,
        };
  }
  if (!status.running && !isGuest) return { tone: 'calm', title: { key: 'app.loading' }, more: null };
  if (!status.running) {
    return { tone: 'calm', title: { key: 'live.notRunning' }, more: { key: 'live.notRunningMore' } };
  }
  if (gate.kind === 'closed') {
    const act = gate.reason === 'key' || gate.reason === 'plan' || gate.reason === 'moved';
    return {
      tone: act ? 'bad' : 'warn',
      title: { key: `gate.${gate.reason}` },
      more: gate.reason === 'network' && gate.untilMs === null ? null : until(gate.untilMs),
    };
  }
  if (status.sending > 0) {
    return {
      tone: 'go',
      title: { key: 'live.uploading', values: { sending: status.sending, waiting } },
      more: forecast(status),
    };
  }
  if (waiting > 0) {
    const slot = status.nextSlotAtMs;
    const more: Line | null =
      slot !== null && slot > nowMs
        ? { key: 'live.nextSlot', values: { wait: { waitMs: slot - nowMs } } }
        : forecast(status);
    return { tone: 'go', title: { key: 'live.waiting', values: { count: waiting } }, more };
  }
  if (status.watch === 'scanning') return { tone: 'calm', title: { key: 'live.scanning' }, more: null };
  if (counts.held > 0) {
    return { tone: 'warn', title: { key: 'live.heldMore', values: { count: counts.held } }, more: null };
  }
  if (counts.failed > 0) {
    return { tone: 'bad', title: { key: 'live.failedMore', values: { count: counts.failed } }, more: null };
  }
  return { tone: 'calm', title: { key: 'live.idle' }, more: { key: 'live.idleMore' } };
};

const forecast = (status: EngineStatus): Line | null => {
  const later = status.counts.waiting - status.doneToday;
  if (later > 0 && status.doneToday > 0) {
    return { key: 'live.doneSplit', values: { today: status.doneToday, later } };
  }
  return status.doneAtMs === null
    ? null
    : { key: 'live.doneAt', values: { time: { atMs: status.doneAtMs } } };
};
