// What the tray says about the whole: one of five states for its icon and one line of words. Pure.
import type { EngineStatus, WaitReason } from '../contract/model.ts';
import type { Speech } from '../contract/speech.ts';

export const trayStates = ['idle', 'working', 'paused', 'attention', 'offline'] as const;
export type TrayState = (typeof trayStates)[number];

/** A queue closed for one of these opens again only when somebody acts. */
const needsSomebody: ReadonlySet<WaitReason> = new Set(['key', 'plan', 'moved']);

/** The worst first: what needs the user, what stops everything, then what goes on. `status` null: not started. */
export const trayState = (status: EngineStatus | null): TrayState => {
  if (status === null) return 'idle';
  const { gate, counts } = status;
  if (status.folder === null || !status.folderAvailable) return 'attention';
  if (gate.kind === 'closed' && needsSomebody.has(gate.reason)) return 'attention';
  if (status.paused) return 'paused';
  if (gate.kind === 'closed' && gate.reason === 'network') return 'offline';
  if (counts.held > 0 || counts.failed > 0) return 'attention';
  return status.sending > 0 || counts.waiting > 0 ? 'working' : 'idle';
};

/** "Uploading 2 of 14 · next slot in 12 sec": what goes on, then counts or when it goes on. */
export const statusLine = (status: EngineStatus | null, nowMs: number, speech: Speech): string => {
  const { say } = speech;
  if (status === null) return say('app.loading');
  return [whatGoesOn(status, speech, nowMs), ...others(status, nowMs, speech)].join(' · ');
};

const whatGoesOn = (status: EngineStatus, { say, locale }: Speech, nowMs: number): string => {
  const { counts, gate } = status;
  if (status.folder === null) return say('live.noFolder');
  if (!status.folderAvailable) return say('gate.folder');
  if (status.paused) {
    return status.pausedUntilMs === null
      ? say('live.paused')
      : say('live.pausedUntil', { time: clockTime(locale, nowMs, status.pausedUntilMs) });
  }
  if (!status.running) return say('live.notRunning');
  if (gate.kind === 'closed') return say(`gate.${gate.reason}`);
  if (status.sending > 0) return say('live.uploading', { sending: status.sending, waiting: counts.waiting });
  if (counts.waiting > 0) return say('live.waiting', { count: counts.waiting });
  if (status.watch === 'scanning') return say('live.scanning');
  return say('live.idle');
};

const others = (status: EngineStatus, nowMs: number, { say, locale }: Speech): string[] => {
  const { counts, gate, nextSlotAtMs } = status;
  const more: string[] = [];
  if (counts.held > 0) more.push(say('live.heldMore', { count: counts.held }));
  if (counts.failed > 0) more.push(say('live.failedMore', { count: counts.failed }));
  if (gate.kind === 'closed' && gate.untilMs !== null && !status.paused) {
    more.push(say('live.until', { time: clockTime(locale, nowMs, gate.untilMs) }));
  } else if (counts.waiting > 0 && nextSlotAtMs !== null && nextSlotAtMs > nowMs && !status.paused) {
    more.push(say('live.nextSlot', { wait: waitText(locale, nextSlotAtMs - nowMs) }));
  }
  return more;
};

/** "14:02" today, with the day otherwise. */
export const clockTime = (locale: string, nowMs: number, atMs: number): string => {
  const sameDay = new Date(nowMs).toDateString() === new Date(atMs).toDateString();
  return new Intl.DateTimeFormat(locale, {
    ...(sameDay ? {} : { weekday: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(atMs);
};

const waitText = (locale: string, waitMs: number): string => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.ceil(value),
  );
};
