// What the tray says about the whole: one of five states for its icon and one line of words. Pure.
import {
  failedLine,
  headline,
  heldLine,
  lineText,
  nextSlotLine,
  untilLine,
  type Line,
} from '../../contract/live.ts';
import type { EngineStatus, WaitReason } from '../../contract/model.ts';
import type { Speech } from '../../contract/speech.ts';

export const trayStates = ['idle', 'working', 'paused', 'attention', 'offline'] as const;
export type TrayState = (typeof trayStates)[number];

/** When the queue is closed for one of these reasons, it opens again only after a person acts. */
const needsSomebody: ReadonlySet<WaitReason> = new Set(['key', 'plan', 'moved', 'disk']);

/** The worst first: what needs the user, what stops everything, then what goes on. `status` null: not started. */
export const trayState = (status: EngineStatus | null): TrayState => {
  if (status === null) return 'idle';
  const { gate, counts } = status;
  if (gate.kind === 'closed' && needsSomebody.has(gate.reason)) return 'attention';
  if (status.folder === null || !status.folderAvailable) return 'attention';
  if (status.paused) return 'paused';
  if (gate.kind === 'closed' && gate.reason === 'network') return 'offline';
  if (counts.held > 0 || counts.failed > 0) return 'attention';
  return status.sending > 0 || counts.waiting > 0 ? 'working' : 'idle';
};

/** "Uploading 2 of 14 · next upload in 12 s": what goes on, then counts or when it goes on. */
export const statusLine = (status: EngineStatus | null, nowMs: number, speech: Speech): string => {
  if (status === null) return speech.say('app.loading');
  // A status comes from an engine that was started: one that does not run is another process's.
  return [headline(status, true).title, ...others(status, nowMs)]
    .map((line) => lineText(speech, line, nowMs))
    .join(' · ');
};

const others = (status: EngineStatus, nowMs: number): Line[] => {
  const { counts, gate } = status;
  const more: Line[] = [];
  if (counts.held > 0) more.push(heldLine(status));
  if (counts.failed > 0) more.push(failedLine(status));
  if (status.paused) return more;
  const slot = nextSlotLine(status, nowMs);
  if (gate.kind === 'closed' && gate.untilMs !== null) more.push(untilLine(gate.untilMs));
  else if (counts.waiting > 0 && slot !== null) more.push(slot);
  return more;
};
