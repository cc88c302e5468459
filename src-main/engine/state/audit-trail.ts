// The audit file that a policy may name (setting auditFile): what became public, when, by which door and until when.
//
// The entries of the ledger are the record. This writes those that matter after the commit, and takes the position from
// the file's own last line. So a kill between the line and the note of it neither doubles nor loses a line. Every
// process that records an entry writes; the transaction of the ledger keeps them apart. While the file cannot be
// written, no upload begins.
import type { Entry } from '../../contract/entries.ts';
import { toAppError, type AppError } from '../../contract/errors.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import { isoOrNull } from '../../contract/text/formats.ts';
import { sentContent } from '../shared/same-content.ts';
import type { AuditLine } from '../ports/ledger.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

/** Often enough to continue soon after there is space again. */
const againMs = 3000;
/** Entries in one transaction. */
const mostAtOnce = 500;
/** After this many entries that are not for the file, the position moves on, so that older entries can be pruned. */
const noteEvery = 1000;

export const createAuditTrail = (
  { ledger, audit, settings, clock, chance, log }: AuditPorts,
  listener: { changed: () => void; back: () => void },
) => {
  let trouble: AppError | null = null;
  let disarm: (() => void) | null = null;

  const file = (): string | null => settings.current().auditFile;

  const note = (position: { ledger: string; seq: number }): void =>
    ledger.facts.set('audit', position, clock.wallMs());

  /** The first position: the file does not record what happened before it was named. */
  const begin = (seq = ledger.entries.lastSeq()): { ledger: string; seq: number } => {
    const begun = { ledger: hexDigits(chance()) + hexDigits(chance()), seq };
    note(begun);
    return begun;
  };

  /** The position of the last entry in the file. In a transaction. */
  const position = (path: string): { ledger: string; seq: number } => {
    const noted = ledger.facts.get('audit')?.value;
    if (noted === undefined) return begin();
    // The position cannot be read: repeated lines are better than missing ones.
    if (noted.ledger === '') return begin(0);
    const lastSeq = audit.lastSeq(path, noted.ledger) ?? 0;
    // The ledger is an older copy: its numbers are used a second time, so it needs another name.
    return lastSeq > ledger.entries.lastSeq() ? begin() : { ...noted, seq: Math.max(noted.seq, lastSeq) };
  };

  /** True: there is more. */
  const writeSome = (path: string): boolean =>
    ledger.atomically(() => {
      const from = position(path);
      const entries = ledger.entries.after(from.seq, mostAtOnce);
      const last = entries.at(-1)?.seq ?? from.seq;
      const lines = entries.flatMap((entry) => lineOf(ledger, entry, from.ledger) ?? []);
      if (lines.length > 0) audit.append(path, lines);
      if (lines.length > 0 || entries.length === mostAtOnce) note({ ...from, seq: last });
      return entries.length === mostAtOnce;
    });

  const failed = (caught: unknown): void => {
    const error = toAppError(caught);
    // ledger-health.ts reports a fault of the ledger.
    if (error.code === 'audit' && trouble?.message !== error.message) {
      trouble = error;
      log.warn('audit file not written', { message: error.message });
      listener.changed();
    }
    arm(againMs);
  };

  const succeeded = (): void => {
    if (trouble === null) return;
    trouble = null;
    listener.changed();
    listener.back();
  };

  const write = (): void => {
    disarm?.();
    disarm = null;
    const path = file();
    try {
      if (path === null) {
        if (ledger.facts.get('audit') !== null) ledger.facts.remove('audit');
      } else {
        audit.check(path);
        while (writeSome(path));
      }
      succeeded();
    } catch (error) {
      failed(error);
    }
  };

  const arm = (afterMs: number): void => {
    disarm ??= clock.after(afterMs, write);
  };

  const isWritable = (): boolean => {
    const path = file();
    if (path === null) return true;
    if (trouble !== null) return false;
    try {
      audit.check(path);
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  };

  return {
    /** Why the file cannot be written; null: nothing, or there is no such file. */
    trouble: (): AppError | null => trouble,
    /** Checks the file now; called before each upload. */
    isWritable,
    check: write,
    /** In the transaction of the entry: it is written after the commit. */
    recorded(entry: Entry): void {
      if (file() === null) return;
      const isDue = isTold(entry) || entry.seq % noteEvery === 0;
      if (isDue && ledger.facts.get('audit') === null) begin(entry.seq - 1);
      if (isDue) arm(trouble === null ? 0 : againMs);
    },
    /** Writes what is not written yet. */
    write,
    /** The same for the last time. */
    stop(): void {
      // A guest that recorded nothing has nothing to write.
      if (disarm !== null) write();
      disarm?.();
    },
  };
};

export type AuditTrail = ReturnType<typeof createAuditTrail>;

/** Eight of them. `share`: 0 to 1. */
const hexDigits = (share: number): string =>
  Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

type AuditPorts = Pick<Ports, 'ledger' | 'audit' | 'settings' | 'clock' | 'chance' | 'log'>;

/** What an entry is in the audit file; null: nothing. */
const eventOf = ({ body }: Entry): AuditLine['event'] | null => {
  switch (body.kind) {
    case 'uploaded':
    case 'unwanted':
      return 'public';
    case 'held':
    case 'waiting':
      // It was sent, so it may be public.
      return body.reason === 'uncertain' || body.reason === 'busy' ? 'uncertain' : null;
    case 'expiry-set':
      return 'expiry';
    case 'recalled':
      return body.lateMs === undefined ? 'recalled' : 'ended';
    case 'deleted':
      return 'deleted';
    case 'lost':
      return 'gone';
    case 'confirmed':
      return 'confirmed';
    default:
      return null;
  }
};

const isTold = (entry: Entry): boolean => eventOf(entry) !== null;

const lineOf = (ledger: Pick<Ports['ledger'], 'uploads'>, entry: Entry, name: string): AuditLine | null => {
  const event = eventOf(entry);
  if (event === null) return null;
  const { body, path, atMs, seq } = entry;
  const row = entry.uploadId === null ? null : ledger.uploads.byId(entry.uploadId);
  return {
    at: new Date(atMs).toISOString(),
    event,
    file_id: 'fileId' in body ? body.fileId : (row?.fileId ?? null),
    path,
    filename: 'filename' in body ? body.filename : (row?.remoteName ?? row?.sentName ?? row?.name ?? null),
    ...contentOf(row),
    public_link: 'publicLink' in body ? (body.publicLink ?? null) : (row?.publicLink ?? null),
    expiresAt: isoOrNull('expiresAtMs' in body ? (body.expiresAtMs ?? null) : (row?.ends?.atMs ?? null)),
    door: row?.door ?? null,
    reason: body.kind === 'confirmed' ? body.reason : null,
    dead: body.kind === 'recalled' ? body.dead : null,
    linkState: body.kind === 'recalled' ? linkStateOf(body) : null,
    seq,
    ledger: name,
  };
};

const contentOf = (row: Upload | null): Pick<AuditLine, 'size' | 'sha256'> =>
  row === null || (row.stamp === null && row.sent === null)
    ? { size: null, sha256: row?.sha256 ?? null }
    : { size: sentContent(row).sizeBytes, sha256: sentContent(row).sha256 };
