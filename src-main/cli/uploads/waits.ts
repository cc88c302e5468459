// Reports soon what a run waits for: a silent wait looks like a hang. A closed queue is reported by its own entry.
import { isoOrNull } from '../../contract/text/formats.ts';
import type { Entry } from '../../contract/entries.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { isBusy, type WaitReason } from '../../contract/model.ts';
import { reasonWords } from '../../contract/text/why.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import type { Composed, Session } from '../session.ts';
import { fileJson, ofUpload } from '../../engine/state/file-json.ts';
import { graceText, nameText, timeText } from '../output/words.ts';

/** Up to this, a delay is only the even pace of requests and not a wait. */
const paceMs = 3000;
const lookEveryMs = 500;
/** The same wait is reported again after this time. */
const tellAgainMs = 60_000;
const maxUncertain = 200;

/** `row` null: everything waits. */
type Wait = { reason: WaitReason; untilMs: number | null; row: Upload | null; text: string };

export const createWaits = (session: Session, composed: Composed) => {
  const { clock } = composed;
  const { output } = session;
  let lookedAtMs = -Infinity;
  let last: { key: string; atMs: number } | null = null;
  return {
    /** `rows`: some of those that are left. */
    look(rows: () => readonly Upload[]): void {
      const monoMs = clock.monoMs();
      if (monoMs - lookedAtMs < lookEveryMs) return;
      lookedAtMs = monoMs;
      const wait = waitOf(composed, rows());
      if (wait === null) return;
      const { reason, untilMs, row, text } = wait;
      const key = `${reason} ${row?.id ?? ''}`;
      if (last?.key === key && monoMs - last.atMs < tellAgainMs) return;
      last = { key, atMs: monoMs };
      const nowMs = clock.wallMs();
      const at = new Date(nowMs).toISOString();
      const about = row === null ? { path: null } : fileJson(ofUpload(composed.ledger, row));
      output.object({ event: 'waiting', at, ...about, reason, until: isoOrNull(untilMs) });
      const seconds = untilMs === null ? null : Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
      const when = untilMs === null ? '' : ` until ${timeText(untilMs, nowMs, session)}`;
      const left = seconds === null || seconds > 120 ? '' : ` (${seconds} s)`;
      output.note(`Waiting${when}${left}: ${text}`);
    },
  };
};

/** Says why this file alone waits: it is still written, or can still be taken back. */
export const sayFileWait = (
  output: Session['output'],
  { uploadId, path, body: { reason, untilMs, written } }: Entry & { body: { kind: 'waiting' } },
  nowMs: number,
): void => {
  const name = output.pathText(path ?? '');
  if (reason === 'grace') output.note(`${name}: ${graceText({ untilMs, id: uploadId ?? 0, nowMs })}`);
  if (written !== undefined)
    output.note(
      `Waiting for ${name}: ${written === 'open' ? reasonWords('wait.locked') : 'it is still changing'}.`,
    );
};

const waitOf = ({ engine, ledger, clock }: Composed, rows: readonly Upload[]): Wait | null => {
  const ready = rows.filter(({ state }) => state.kind === 'ready');
  const [first] = ready;
  const isMoving = rows.some(({ state }) => state.kind === 'sending' || state.kind === 'committing');
  if (isMoving || (first === undefined && nextWait(rows) === null)) return null;
  const { gate, paused } = engine.queueNow();
  if (paused || gate.kind === 'closed') return null;
  const slot = engine.wait();
  if (first === undefined) return busyWait(rows, clock.wallMs() + (slot?.waitMs ?? 0));
  if (slot !== null && slot.waitMs > paceMs) {
    const untilMs = clock.wallMs() + slot.waitMs;
    switch (slot.why) {
      case 'rate':
        return { reason: 'rate', untilMs, row: null, text: 'the service asked Outtray to slow down.' };
      case 'daily-uploads':
        return {
          reason: 'daily-uploads',
          untilMs,
          row: null,
          text: "the account's uploads for the day are used up.",
        };
      case 'minute':
      case 'pace':
      case 'day':
        return { reason: 'budget', untilMs, row: null, text: 'the request budget is used up.' };
    }
  }
  const before = slot === null ? namesakeOf(first, ledger.uploads.inState('uncertain', maxUncertain)) : null;
  if (before?.state.kind !== 'uncertain') return null;
  if (isBusy(before.state)) return busyWait([before], 0);
  return {
    reason: 'same-name',
    untilMs: before.state.nextLookAtMs,
    row: first,
    text: `${nameText(first.name)} was sent before without an answer, and may be on the service. Outtray checks for it then; \`outtray resolve ${queueIdText(before.id)}\` decides now.`,
  };
};

/** `slotAtMs`: when the list can be asked for at the earliest. */
const busyWait = (rows: readonly Upload[], slotAtMs: number): Wait | null => {
  const look = nextWait(rows);
  if (look === null) return null;
  const { row, atMs } = look;
  return {
    reason: 'busy',
    untilMs: Math.max(atMs, slotAtMs),
    row,
    text: `the service was busy when ${nameText(row.name)} had been sent. Outtray then checks whether it was taken.`,
  };
};

/** The first look for one of these files that wait for a busy service; null: there is none. */
export const nextWait = (rows: readonly Upload[]): { row: Upload; atMs: number } | null => {
  const looks = rows.flatMap((row) => (isBusy(row.state) ? [{ row, atMs: row.state.nextLookAtMs }] : []));
  return looks.toSorted((one, other) => one.atMs - other.atMs)[0] ?? null;
};

/** While one upload of a file is uncertain, another one of the same name and size would be taken for it. */
const namesakeOf = (row: Upload, uncertain: readonly Upload[]): Upload | null =>
  uncertain.find(
    ({ name, stamp }) =>
      stamp?.sizeBytes === row.stamp?.sizeBytes && (name === row.name || stamp?.inode === row.stamp?.inode),
  ) ?? null;
