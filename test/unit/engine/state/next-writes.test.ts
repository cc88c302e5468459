// What each event writes into a row, and which entries record it.
import { describe, expect, test } from 'vitest';
import type { EntryBody } from '../../../../src-main/contract/entries.ts';
import type { UploadState } from '../../../../src-main/contract/model.ts';
import type { Upload, UploadChange } from '../../../../src-main/engine/ports/uploads.ts';
import type { UploadEvent } from '../../../../src-main/engine/state/events.ts';
import { next } from '../../../../src-main/engine/state/next.ts';
import { events, failure, row, stamp, states } from '../../../support/row-events.ts';

/** What the event writes: exactly these columns, and these entries. */
const writes = (before: Upload, event: UploadEvent, change: UploadChange, ...entries: EntryBody[]): void =>
  expect(next(before, event)).toEqual({ change, entries });

/** The same for an event that writes more columns than the test is about. */
const writesAlso = (
  before: Upload,
  event: UploadEvent,
  change: UploadChange,
  ...entries: EntryBody[]
): void => expect(next(before, event)).toMatchObject({ change, entries });

const sha256 = 'b'.repeat(64);
const newer = { ...stamp, sizeBytes: 6, key: '6:2:2:9:7', mtimeMs: 2, ctimeMs: 2 };
const sent = { sha256: 'c'.repeat(64), sizeBytes: 4 };
const known = { sha256, sent, graceOver: true, confirmed: true, wantsAnother: true };
const unknown = { sha256: null, sent: null, graceOver: false, confirmed: false, wantsAnother: false };
const existing = { kind: 'skipped', rule: 'existing' } as const;
const moved = { kind: 'moved', from: '/tray/a.txt' } as const;

describe('a new version', () => {
  const found = events['version-found'];
  const unread = { sha256: null, sent: null, attempts: 0 };

  test('is checked from the beginning, and loses earlier confirmations', () => {
    const change = { ...unread, state: states.settling, stamp: newer, wantsAnother: false, confirmed: false };
    writesAlso(row(states.failed, known), { ...found, stamp: newer }, change);
  });

  test('with the same stamp is no new version: confirmations still apply', () => {
    const { stamp } = row(states.failed);
    writesAlso(row(states.failed, known), { ...found, stamp }, { stamp, confirmed: true });
  });

  test('has a grace period and the door of the folder, whatever the door of the last one', () => {
    const before = row(states.failed, { graceOver: true, door: 'window' });
    writesAlso(before, found, { graceOver: false, door: 'folder' });
  });

  test('of a file outside of the folder keeps its door', () => {
    writesAlso(row(states.failed, { folderId: null, door: 'window' }), found, { door: 'window' });
  });

  test('given by a person has no grace period, and has the door of the person', () => {
    const given: UploadEvent = { ...found, confirmed: true, door: 'window', wantsAnother: true };
    const change = { confirmed: true, door: 'window', wantsAnother: true, graceOver: true } as const;
    writesAlso(row(states.held), given, change);
  });

  test.each([
    ['an agent gives it', { confirmed: false, door: 'agent' }],
    ['it is found where a person gave an earlier one', { door: 'window' }],
  ] as const)('has its grace period when %s', (_, given) => {
    writesAlso(row(states.failed), { ...found, ...given }, { graceOver: false, door: given.door });
  });

  test.each([existing, { kind: 'held', reason: 'secret-name' }, { kind: 'failed', ...failure }] as const)(
    'that is skipped, held or fails unchecked gets an entry: $kind',
    (state) => writesAlso(row(states.settling), { ...found, state }, { state }, state),
  );

  test('of a skipped or held file stays so, without an entry, and loses what was known of the last one', () => {
    const event: UploadEvent = { kind: 'version-kept-back', stamp: newer, wantsAnother: true };
    const change = { ...unread, stamp: newer, confirmed: false, wantsAnother: true };
    writes(row(existing, known), event, change);
    const state = { kind: 'held', reason: 'burst', isRewritten: true } as const;
    writes(row(states.held, known), event, { ...change, state });
  });

  test('of a held file that was not written, only moved or given other rights, is the one that was asked about', () => {
    const touched = { ...stamp, key: 'other rights', inode: 'other rights' };
    const event: UploadEvent = { kind: 'version-kept-back', stamp: touched, wantsAnother: false };
    writes(row(states.held, known), event, {
      ...unread,
      stamp: touched,
      confirmed: false,
      wantsAnother: false,
    });
  });
});

describe('the place of a file', () => {
  test('a skipped or held file that takes the place of another gets an entry with its reason', () => {
    const change = { state: existing, stamp, sha256: null, sent: null, confirmed: true };
    writes(row(states.settling, known), events['kept-back'], change, existing);
  });

  test('an upload whose path holds another file loses the path and keeps the rest', () => {
    writes(row(states.uploaded), events.replaced, { present: false });
  });

  test('what held a file is remembered when it disappears, and forgotten when it is back', () => {
    const gone = { present: false, state: states.gone, keptBy: 'burst' } as const;
    writes(row(states.held), { kind: 'vanished', keptBy: 'burst' }, gone, { kind: 'gone' });
    writes(row(states.gone, { keptBy: 'burst' }), events.reappeared, { keptBy: null });
  });

  test.each([
    states.uploaded,
    states.recalling,
    states.uncertain,
    { kind: 'held', reason: 'uncertain' } as const,
  ])('the disappearance of a file that may have a link is only noted: $kind', (state) =>
    writes(row(state), events.vanished, { present: false }, { kind: 'gone' }),
  );

  test('a skipped or held file is followed to its new path, with what is known of its content', () => {
    const place = { dir: '/tray/new', name: 'b.txt', present: true, keptBy: null, state: existing };
    const departed = row(states.gone, { ...known, present: false, keptBy: 'existing' });
    writesAlso(departed, events.followed, { ...place, ...known, stamp }, moved);
    writesAlso(departed, { ...events.followed, stamp: newer }, { ...place, ...unknown, stamp: newer }, moved);
  });

  test('a file that is skipped or held at its new path for another reason gets an entry', () => {
    writesAlso(row(states.held), { ...events.followed, isNews: true }, { state: existing }, moved, existing);
  });

  test('an upload that is found at another path is present, and gets an entry only when the move is new', () => {
    const place = { folderId: 1, dir: '/tray/new', name: 'b.txt', stamp, present: true };
    const before = row(states.uploaded, { folderId: null, present: false });
    writes(before, events.moved, place, moved);
    writes(before, { ...events.moved, isNews: false }, place);
  });

  test('an upload whose folder is watched now belongs to that folder', () => {
    writes(row(states.uploaded, { folderId: null }), events['folder-changed'], { folderId: 1 });
  });
});

describe('in the quiet period', () => {
  const grace = { kind: 'waiting', reason: 'grace', untilMs: 9, sinceMs: 4, since: null } as const;

  test('a file that changed loses what was known of it, and one with the same stamp keeps it', () => {
    writes(row(states.settling, known), events.touched, { ...known, stamp });
    writes(row(states.settling, known), { kind: 'touched', stamp: newer }, { ...unknown, stamp: newer });
  });

  test('a file that is checked once more settles again, and its grace period does not restart', () => {
    const settles = { ...unknown, state: states.settling, stamp };
    writes(row(grace), events.checked, { ...settles, graceOver: true });
    writes(row(states.waiting, { graceOver: true }), events.checked, { ...settles, graceOver: true });
    writes(row(states.waiting), events.checked, settles);
    writes(row(grace), { kind: 'checked', stamp: newer }, { ...settles, stamp: newer });
  });

  test('a file that cannot be opened waits, gets an entry, and has one more attempt', () => {
    const state = { kind: 'waiting', reason: 'locked', untilMs: 10 } as const;
    writes(row(states.settling), events.locked, { state, attempts: 3 }, state);
  });

  test('a file whose folder is away waits for it without an entry', () => {
    const state = { kind: 'waiting', reason: 'folder', untilMs: 10 } as const;
    writes(row(states.settling), events['folder-missing'], { state });
  });

  test('a stable file is queued with its size, and shares the given link', () => {
    const queued = { kind: 'queued', sizeBytes: 5 } as const;
    const change = { state: states.ready, sent: null, sameAsId: 4 };
    writes(row(states.settling, { sent, sameAsId: 4 }), events.settled, change, queued);
    const copy: UploadEvent = { ...events.settled, sent, sameAsId: null };
    writes(row(states.settling, { sameAsId: 4 }), copy, { ...change, sent, sameAsId: null }, queued);
  });

  test('a stable file that is not sent gets an entry with its reason, and one in its grace period with its time', () => {
    const settled = (state: typeof existing | typeof grace): UploadEvent => ({ ...events.settled, state });
    const change = { sent: null, sameAsId: null };
    writes(row(states.settling), settled(existing), { ...change, state: existing }, existing);
    const waiting = { kind: 'waiting', reason: 'grace', untilMs: 9 } as const;
    writes(row(states.settling), settled(grace), { ...change, state: grace }, waiting);
  });

  test('a hash counts only for a row that has a version', () => {
    const settled: UploadEvent = { ...events.settled, sha256 };
    expect(next(row(states.settling, { stamp: null }), settled)).not.toHaveProperty('change.sha256');
    const none: UploadEvent = { ...settled, stamp: null };
    const step = next(row(states.settling), none);
    expect(step).not.toHaveProperty('change.sha256');
    expect(step).toMatchObject({ entries: [{ kind: 'queued', sizeBytes: 0 }] });
  });

  test('a file that has disappeared meanwhile does not settle', () => {
    expect(next(row(states.settling, { present: false }), events.settled)).toBe('stale');
  });

  test('a file that belongs to another row ends, and shares no link', () => {
    const change = { present: false, state: states.gone, sameAsId: null };
    writes(row(states.settling, { sameAsId: 4 }), events.merged, change);
  });

  test('a file of a burst that is too large is held, with an entry', () => {
    writes(row(states.ready), events.burst, { state: states.held }, { kind: 'held', reason: 'burst' });
  });
});

describe('one attempt', () => {
  test('begins with the sent name, and its tail with the hash', () => {
    const sending = { state: states.sending, sentName: 'a.txt', accountId: 1 };
    writes(row(states.ready), events.begun, sending, { kind: 'uploading' });
    const change = { state: states.committing, sha256: 'a'.repeat(64), accountId: 1 };
    writes(row(states.sending), events['tail-due'], change);
  });

  const change = {
    state: states.uploaded,
    sha256: 'a'.repeat(64),
    sentName: 'a.txt',
    fileId: 8,
    publicLink: 'https://files.example/8',
    remoteSize: 5,
    remoteName: 'a (1).txt',
    uploadedAtMs: 10,
    uploadedProvenMs: 9,
    sameAsId: null,
    wantedEnds: { atMs: 20, provenMs: 20 },
  };
  const entry = {
    kind: 'uploaded',
    fileId: 8,
    publicLink: 'https://files.example/8',
    size: 5,
    filename: 'a (1).txt',
    expiresAtMs: 15,
    sha256: 'a'.repeat(64),
  } as const;

  test('that is answered records the link, when it ends, and the name on the service if it differs', () => {
    writes(row(states.committing, { sameAsId: 4 }), events.uploaded, change, entry);
    const receipt = { ...events.uploaded.receipt, filename: 'a.txt' };
    const life = { provenMs: 9, wanted: null, endsAtMs: null };
    const plain: UploadEvent = { ...events.uploaded, receipt, life };
    const told = { ...entry, filename: 'a.txt', expiresAtMs: null };
    writes(row(states.committing), plain, { ...change, remoteName: null, wantedEnds: null }, told);
  });

  test('of a copy without location reports the hash of the copy', () => {
    const copy = { ...entry, sha256: sent.sha256, withoutLocation: true } as const;
    writes(row(states.committing, { sent }), events.uploaded, change, copy);
  });

  test('that created nothing is followed by another, before which the file may have to settle', () => {
    writes(row(states.sending), events.returned, { state: states.ready });
    writes(row(states.sending), events['sent-back'], { state: states.settling });
  });

  test('that was delayed or failed counts, and records why', () => {
    const state = { kind: 'waiting', reason: 'service', untilMs: 10 } as const;
    writes(row(states.sending), events.delayed, { state, attempts: 3 }, state);
    const failed = { kind: 'failed', ...failure } as const;
    writes(row(states.sending), events.failed, { state: failed, attempts: 3 }, failed);
  });

  test('of a file that a person does not want leaves it out, and no request or confirmation still applies', () => {
    const state = { kind: 'skipped', rule: 'cancelled' } as const;
    const cleared = { state, wantsAnother: false, confirmed: false, attempts: 0 };
    for (const kind of ['sending', 'committing'] as const)
      for (const event of ['returned', 'sent-back', 'delayed', 'failed'] as const) {
        const unwanted = { kind, attemptId: 3, isUnwanted: true } as const;
        writes(row(unwanted, { wantsAnother: true, confirmed: true }), events[event], cleared, state);
      }
  });

  test('whose answer was lost counts, is looked up, and records what came instead, if that is known', () => {
    const lost = { attemptId: 3, lost: null, isQuick: false, nextLookAtMs: 10 };
    const state = { kind: 'uncertain', ...lost, looks: 0 } as const;
    const held = { kind: 'held', reason: 'uncertain' } as const;
    const why = { message: 'The connection broke.', untilMs: 10 };
    const before = row(states.committing);
    writes(before, events['answer-lost'], { state, attempts: 3 }, { ...held, ...why });
    writes(before, { ...events['answer-lost'], message: null }, { state, attempts: 3 }, held);
    writes(
      before,
      { ...events['answer-lost'], isBusy: true },
      { state: { ...state, isBusy: true }, attempts: 3 },
      { kind: 'waiting', reason: 'busy', untilMs: 10 },
    );
  });
});

describe('looking up an upload', () => {
  test('continues at the planned time, for the same attempt', () => {
    const state = { kind: 'uncertain', attemptId: 3, looks: 1, nextLookAtMs: 20 } as const;
    writes(row(states.uncertain), events['look-planned'], { state });
  });

  test('without a result holds the file, with an entry', () => {
    const state = { kind: 'held', reason: 'uncertain' } as const;
    writes(row(states.uncertain), events.undecided, { state }, state);
  });

  test('that finds nothing releases the file again, or records what delays it', () => {
    writes(row(states.uncertain), events.absent, { state: states.settling });
    const held = { kind: 'held', reason: 'burst' } as const;
    writes(row(states.uncertain), { kind: 'absent', then: held }, { state: held }, held);
    writes(row(states.uncertain, { present: false }), events.absent, { state: states.gone });
  });

  test('records the hash of content that was read', () => {
    writes(row(states.ready), events.hashed, { sha256: 'a'.repeat(64) });
  });

  test('a doubt about an older ledger gets an entry when it holds the file, not while the file waits', () => {
    const held = { kind: 'held', reason: 'maybe-uploaded' } as const;
    writes(row(states.ready), events.doubted, { state: held }, held);
    const waits = { kind: 'waiting', reason: 'service', untilMs: 10 } as const;
    writes(row(states.ready), { kind: 'doubted', then: waits }, { state: waits });
  });

  test('all waiting files in a replaced ledger are held without an entry', () => {
    const state = { kind: 'held', reason: 'maybe-uploaded' } as const;
    writes(row(states.ready), events['ledger-replaced'], { state });
  });

  test('a waiting file gets another time, and keeps its reason', () => {
    const state = { kind: 'waiting', reason: 'locked', untilMs: 10 } as const;
    writes(row(states.waiting), events.replanned, { state });
  });
});

describe('a person', () => {
  test('requests a file: it settles, its grace period is over, its attempts do not count', () => {
    const wanted = {
      state: states.settling,
      confirmed: true,
      wantsAnother: true,
      graceOver: true,
      attempts: 0,
    };
    writes(row(states.failed), { ...events.wanted, wantsAnother: true }, wanted);
  });

  test('leaves a file out: this gets an entry, and the request for another link and the attempts do not count', () => {
    const left = { kind: 'skipped', rule: 'cancelled' } as const;
    const change = { state: left, wantsAnother: false, confirmed: false, attempts: 0 };
    writes(row(states.held, { wantsAnother: true }), events['left-out'], change, left);
    writes(row(states.failed), events['left-out'], change, left);
    writes(row(states.failed, { present: false }), events['left-out'], { ...change, state: states.gone });
  });

  test('leaves out a pre-existing file that changed: its next change is held again', () => {
    const changed = row({ kind: 'held', reason: 'existing-changed' });
    const change = { state: existing, wantsAnother: false, confirmed: false, attempts: 0 };
    writes(changed, events['left-out'], change, existing);
  });

  test.each(['uncertain', 'maybe-uploaded'] as const)(
    'takes back a file held as %s, and the question is open again when that is undone',
    (reason) => {
      const question = { kind: 'held', reason } as const;
      const taken = next(row(question), events.recall);
      if (taken === 'stale') throw new Error('stale');
      const state = taken.change.state ?? question;
      expect(state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
      writes(row(state), { kind: 'kept' }, { state: question });
    },
  );

  test('puts a file before others', () => {
    writes(row(states.ready), events.prioritized, { priority: 4 });
  });

  test('sets when a link ends; without a link, the request is kept', () => {
    const wish = { afterMs: 20 };
    const life = { wanted: { atMs: 20, provenMs: 30 }, endsAtMs: 20 };
    const linked = row(states.uploaded, { publicLink: 'https://files.example/8' });
    writes(row(states.ready), { kind: 'expire', wish, ...life }, { expireWish: wish });
    const told = { kind: 'expiry-set', expiresAtMs: 20 } as const;
    writes(linked, { kind: 'expire', wish, ...life }, { expireWish: wish, wantedEnds: life.wanted }, told);
    const never: UploadEvent = { kind: 'expire', wish: 'never', wanted: null, endsAtMs: null };
    writes(linked, never, { expireWish: 'never', wantedEnds: null }, { ...told, expiresAtMs: null });
  });
});

describe('a link that is taken back', () => {
  const recalling = { kind: 'recalling', nextAtMs: 10, tries: 0 } as const;
  const linked = { fileId: 8, publicLink: 'https://files.example/8', uploadedAtMs: 4_000 };
  const told = {
    kind: 'recalled',
    fileId: 8,
    publicLink: linked.publicLink,
    downloads: 3,
    dead: true,
  } as const;

  test('is first requested, by a person or because it has expired', () => {
    writes(row(states.uploaded), events.recall, { state: recalling });
    const expired = { ...recalling, isExpired: true } as const;
    writes(row(states.uploaded), { ...events.recall, isExpired: true }, { state: expired });
  });

  test('is tried again at the planned time', () => {
    const before = row({ ...states.recalling, isExpired: true } as UploadState);
    const state = { kind: 'recalling', nextAtMs: 20, tries: 1, isExpired: true } as const;
    writes(before, events['recall-planned'], { state });
  });

  test('was public from its upload on; the row leaves the folder and keeps the link', () => {
    const change = { state: states.recalled, present: false };
    const event: UploadEvent = { ...events.recalled, atMs: 10_400 };
    writes(row(states.recalling, linked), event, change, { ...told, publicSeconds: 6 });
    const look = { noAnswer: 'Away.' } as const;
    const open = { look, nextAtMs: 40, tries: 1, againAtMs: 10_430 };
    const alive = { kind: 'recalled', dead: false, look, nextAtMs: 40, tries: 1 } as const;
    const still = { ...told, dead: false, look, againAtMs: 10_430, publicSeconds: 6 };
    writes(
      row(states.recalling, linked),
      { ...event, dead: false, open },
      { ...change, state: alive },
      still,
    );
  });

  test('keeps the newest look at its link, and the former one while only its id was asked', () => {
    const before = { kind: 'recalled', dead: false, look: { answer: 503 }, nextAtMs: 9, tries: 1 } as const;
    const after = { ...before, nextAtMs: 20 };
    const planned = { kind: 'recall-planned', nextAtMs: 20, tries: 1, refusal: null } as const;
    writes(row(before), planned, { state: after });
    const look = { noAnswer: 'Away.' } as const;
    writes(row(before), { ...planned, look }, { state: { ...after, look } });
    writes(row(states.recalled), { ...planned, look }, {});
  });

  test('records how late it was when it had expired', () => {
    const before = row({ kind: 'recalling', nextAtMs: 9, tries: 0, isExpired: true }, linked);
    const change = { state: { kind: 'recalled', dead: true, isExpired: true }, present: false } as const;
    const entry = { ...told, publicSeconds: 6, lateMs: 5 };
    writes(before, { ...events.recalled, atMs: 10_000 }, change, entry);
  });

  test('was public for no time if the clock was set back or the upload has no time', () => {
    const change = { state: states.recalled, present: false };
    writes(row(states.recalling, linked), events.recalled, change, { ...told, publicSeconds: 0 });
    const unknownLink = { ...told, fileId: 0, publicLink: '', publicSeconds: 0 };
    writes(row(states.recalling), events.recalled, change, unknownLink);
  });
});
