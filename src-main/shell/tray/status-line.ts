// The summary in the tray: one of five states for its icon, and one line of text. Pure.
import { goingOf, lineText, liveLine, needsPerson } from '../../contract/live.ts';
import type { EngineStatus } from '../../contract/model.ts';
import type { Speech } from '../../contract/text/speech.ts';

export const trayStates = ['idle', 'working', 'paused', 'attention', 'offline'] as const;
export type TrayState = (typeof trayStates)[number];

/** The worst first: what needs the user, what stops everything, then activity. `status` null: not started. */
export const trayState = (status: EngineStatus | null): TrayState => {
  if (status === null) return 'idle';
  const { gate } = status;
  if (gate.kind === 'closed' && needsPerson(gate.reason)) return 'attention';
  if (status.folder === null || !status.folderAvailable) return 'attention';
  if (status.paused) return 'paused';
  if (gate.kind === 'closed' && gate.reason === 'network') return 'offline';
  if (status.work.needYou > 0) return 'attention';
  return goingOf(status) > 0 ? 'working' : 'idle';
};

/** "2 of 14 ready · all done about 14:05": one thing at a time, as at the foot of the window's rail. */
export const statusLine = (status: EngineStatus | null, nowMs: number, speech: Speech): string => {
  if (status === null) return speech.say('app.loading');
  // There is a status only once the start is over: if no engine runs here, another process has it.
  const { kind, title, more } = liveLine(status, nowMs, true);
  return [title, kind === 'elsewhere' ? null : more]
    .filter((line) => line !== null)
    .map((line) => lineText(speech, line, nowMs))
    .join(' · ');
};
