import { candidateOf, writtenPlace } from '../../../../src-main/engine/candidate/candidate.ts';
import { createBursts } from '../../../../src-main/engine/discover/bursts.ts';
import { describe, expect, test } from 'vitest';
import type { SkipRule, UploadState } from '../../../../src-main/contract/model.ts';
import {
  judgeSettled,
  settledVerdict,
  type Settled,
  foundVerdict,
  type Sight,
} from '../../../../src-main/engine/discover/intake-rules.ts';
import type { Found, Stamp } from '../../../../src-main/engine/ports/files.ts';

const stamp = (version = 1, sizeBytes = 10): Stamp => ({
  sizeBytes,
  key: `${sizeBytes}:${version}:0:1:1`,
  inode: '1:1',
  mtimeMs: version,
  ctimeMs: 0,
});
const found = (given: Partial<Found> = {}): Found => ({
  name: 'a.txt',
  type: 'file',
  stamp: stamp(),
  onlineOnly: false,
  ...given,
});
/** A file as it was last seen, and as the ledger knows it in that state. */
const sight = (state: UploadState | null, given: Partial<Sight> = {}): Sight => ({
  found: found(),
  name: { kind: 'wanted' },
  known:
    state === null ? null : { state, confirmed: false, sha256: 'a'.repeat(64), keptBy: null, door: 'folder' },
  knownStamp: state === null ? null : stamp(),
  existing: false,
  existingWanted: false,
  olderThanLedger: false,
  mayBeApproved: false,
  isApproved: false,
  ...given,
});
const changed = { found: found({ stamp: stamp(2) }) };
const ignored: Partial<Sight> = { name: { kind: 'skip', rule: 'ignored', pattern: '*.txt' } };
const settling = { kind: 'settling' } as const;
const skipped = (rule: SkipRule): UploadState => ({ kind: 'skipped', rule });

describe('a file never seen before', () => {
  test.each<[string, Partial<Sight>, UploadState]>([
    ['settles', {}, settling],
    ['is a link', { found: found({ type: 'link', stamp: null }) }, skipped('link')],
    ['is a pipe', { found: found({ type: 'special', stamp: null }) }, skipped('special')],
    ['is in the cloud only', { found: found({ onlineOnly: true }) }, skipped('online-only')],
    ['is ignored', ignored, { kind: 'skipped', rule: 'ignored', pattern: '*.txt' }],
    ['is hidden', { name: { kind: 'skip', rule: 'hidden' } }, skipped('hidden')],
    ['was there before', { existing: true }, skipped('existing')],
    ['was there before and is wanted', { existing: true, existingWanted: true }, settling],
    ['is older than the ledger', { olderThanLedger: true }, { kind: 'held', reason: 'maybe-uploaded' }],
    ['looks like a secret', { name: { kind: 'secret' } }, settling],
  ])('%s', (_, given, state) => {
    expect(foundVerdict(sight(null, given))).toEqual({ kind: 'record', state });
  });
});

describe('a known link', () => {
  const link = found({ type: 'link', stamp: null });

  test('stays a link', () => {
    expect(foundVerdict(sight(skipped('link'), { found: link, knownStamp: null }))).toEqual({
      kind: 'known',
    });
  });

  test('in the place of an uploaded file is another entry', () => {
    const verdict = foundVerdict(sight({ kind: 'uploaded' }, { found: link }));
    expect(verdict).toEqual({ kind: 'new-version', state: skipped('link') });
  });
});

describe('a known file', () => {
  const states: UploadState[] = [
    settling,
    { kind: 'ready' },
    { kind: 'sending', attemptId: 1 },
    { kind: 'committing', attemptId: 1 },
    { kind: 'uncertain', attemptId: 1, looks: 0, nextLookAtMs: 0 },
    { kind: 'waiting', reason: 'locked', untilMs: 1 },
    { kind: 'uploaded' },
    { kind: 'held', reason: 'secret-name' },
    skipped('empty'),
    { kind: 'failed', code: 'refused', message: '', remedy: '' },
  ];

  test.each(states)('that is unchanged causes nothing in state $kind', (state) => {
    expect(foundVerdict(sight(state))).toEqual({ kind: 'known' });
  });

  test.each<[UploadState, 'known' | 'record' | 'new-version']>([
    [settling, 'record'],
    [{ kind: 'ready' }, 'record'],
    [{ kind: 'waiting', reason: 'locked', untilMs: 1 }, 'record'],
    [{ kind: 'failed', code: 'refused', message: '', remedy: '' }, 'record'],
    [{ kind: 'superseded', byId: 1 }, 'record'],
    [{ kind: 'gone' }, 'record'],
    [{ kind: 'held', reason: 'secret-name' }, 'record'],
    [skipped('empty'), 'record'],
    [skipped('cancelled'), 'record'],
    [{ kind: 'sending', attemptId: 1 }, 'known'],
    [{ kind: 'committing', attemptId: 1 }, 'known'],
    [{ kind: 'uploaded' }, 'new-version'],
    [{ kind: 'uncertain', attemptId: 1, looks: 0, nextLookAtMs: 0 }, 'new-version'],
    [{ kind: 'held', reason: 'uncertain' }, 'new-version'],
  ])('%j that changed: %s', (state, kind) => {
    const verdict = foundVerdict(sight(state, changed));
    expect(verdict).toEqual(kind === 'known' ? { kind } : { kind, state: settling });
  });

  test('that was not requested is held when it changes, unless the user has requested it meanwhile', () => {
    const held = { kind: 'record', state: { kind: 'held', reason: 'existing-changed' } };
    expect(foundVerdict(sight(skipped('existing'), changed))).toMatchObject({ state: skipped('existing') });
    const longer = { found: found({ stamp: stamp(2, 11) }) };
    expect(foundVerdict(sight(skipped('existing'), longer))).toEqual(held);
    const known = {
      state: skipped('existing'),
      confirmed: true,
      sha256: null,
      keptBy: null,
      door: 'folder' as const,
    };
    expect(foundVerdict(sight(skipped('existing'), { ...changed, known }))).toMatchObject({
      state: settling,
    });
    expect(foundVerdict(sight(skipped('existing'), { ...changed, ...ignored }))).toMatchObject({
      state: { kind: 'skipped', rule: 'ignored' },
    });
  });

  test.each(['existing-changed', 'burst'] as const)(
    'that is held (%s) stays held in any version',
    (reason) => {
      const state: UploadState = { kind: 'held', reason };
      expect(foundVerdict(sight(state, changed))).toEqual({ kind: 'record', state });
      expect(foundVerdict(sight(state))).toEqual({ kind: 'known' });
    },
  );

  test.each<[SkipRule, UploadState]>([
    ['existing', skipped('existing')],
    ['cancelled', skipped('cancelled')],
    ['recalled', skipped('recalled')],
    ['expired', skipped('expired')],
    ['already-shared', settling],
    ['online-only', settling],
    ['empty', settling],
  ])('that is skipped (%s) and has its size and time of writing, but another stamp, is %j', (rule, state) => {
    const touched = { found: found({ stamp: { ...stamp(), key: '10:1:9:1:1', ctimeMs: 9 } }) };
    expect(foundVerdict(sight(skipped(rule), touched))).toEqual({ kind: 'record', state });
  });

  test('that is held as possibly uploaded stays held unless its size changes', () => {
    const state: UploadState = { kind: 'held', reason: 'maybe-uploaded' };
    expect(foundVerdict(sight(state, changed))).toEqual({ kind: 'record', state });
    const longer = { found: found({ stamp: stamp(2, 11) }) };
    expect(foundVerdict(sight(state, longer))).toEqual({ kind: 'new-version', state: settling });
    expect(foundVerdict(sight(state, { ...longer, ...ignored }))).toMatchObject({ kind: 'new-version' });
  });

  test('that is held for a change can still be skipped by a rule', () => {
    const state: UploadState = { kind: 'held', reason: 'existing-changed' };
    const verdict = foundVerdict(sight(state, { ...changed, ...ignored }));
    expect(verdict).toMatchObject({ kind: 'record', state: { kind: 'skipped', rule: 'ignored' } });
  });

  test('that is cancelled stays cancelled when only the rules change', () => {
    expect(foundVerdict(sight(skipped('cancelled'), ignored))).toEqual({ kind: 'known' });
  });
});

describe('when the rules change', () => {
  test('a file that was skipped by its name is judged again', () => {
    expect(foundVerdict(sight(skipped('ignored')))).toEqual({ kind: 'record', state: settling });
    expect(foundVerdict(sight(skipped('hidden'), ignored))).toMatchObject({ state: { rule: 'ignored' } });
    expect(foundVerdict(sight(skipped('ignored'), ignored))).toEqual({ kind: 'known' });
  });

  test.each<UploadState>([settling, { kind: 'ready' }, { kind: 'waiting', reason: 'locked', untilMs: 1 }])(
    'a waiting file ($kind) may be skipped',
    (state) => {
      expect(foundVerdict(sight(state, ignored))).toMatchObject({
        kind: 'record',
        state: { rule: 'ignored' },
      });
    },
  );

  test.each<UploadState>([{ kind: 'ready' }, { kind: 'waiting', reason: 'locked', untilMs: 1 }])(
    'a judged file ($kind) settles again if only its content shows whether it was confirmed',
    (state) => {
      const mayBe = { ...ignored, mayBeApproved: true };
      expect(foundVerdict(sight(state, mayBe))).toEqual({ kind: 'record', state: settling });
      expect(foundVerdict(sight(state, { ...mayBe, isApproved: true }))).toEqual({ kind: 'known' });
      expect(foundVerdict(sight(settling, mayBe))).toEqual({ kind: 'known' });
    },
  );

  test('a file in a final state keeps it', () => {
    expect(foundVerdict(sight({ kind: 'uploaded' }, ignored))).toEqual({ kind: 'known' });
    expect(foundVerdict(sight(skipped('empty'), ignored))).toEqual({ kind: 'known' });
  });
});

describe('a settled file', () => {
  const settled = (given: Partial<Parameters<typeof settledVerdict>[0]> = {}): UploadState =>
    settledVerdict({
      stamp: stamp(),
      name: { kind: 'wanted' },
      confirmed: false,
      includeEmpty: false,
      maxFileSizeBytes: null,
      burst: null,
      ...given,
    });

  test.each<[string, UploadState, UploadState]>([
    ['is ready', settled(), { kind: 'ready' }],
    ['is empty', settled({ stamp: stamp(1, 0) }), skipped('empty')],
    ['is empty and wanted', settled({ stamp: stamp(1, 0), includeEmpty: true }), { kind: 'ready' }],
    ['is empty and confirmed', settled({ stamp: stamp(1, 0), confirmed: true }), { kind: 'ready' }],
    ['is as large as allowed', settled({ maxFileSizeBytes: 10 }), { kind: 'ready' }],
    ['looks secret', settled({ name: { kind: 'secret' } }), { kind: 'held', reason: 'secret-name' }],
    ['looks secret, confirmed', settled({ name: { kind: 'secret' }, confirmed: true }), { kind: 'ready' }],
    ['came in a burst', settled({ burst: 'burst' }), { kind: 'held', reason: 'burst' }],
    ['came in a burst, confirmed', settled({ burst: 'burst', confirmed: true }), { kind: 'ready' }],
    [
      'is ignored by a pattern',
      settled({ name: { kind: 'skip', rule: 'ignored', pattern: '*.log' } }),
      { kind: 'skipped', rule: 'ignored', pattern: '*.log' },
    ],
    ['is hidden', settled({ name: { kind: 'skip', rule: 'hidden' } }), skipped('hidden')],
  ])('that %s', (_, state, expected) => {
    expect(state).toEqual(expected);
  });

  test('that is larger than the account allows fails without a request', () => {
    const state = settled({ maxFileSizeBytes: 9 });
    expect(state).toMatchObject({ kind: 'failed', code: 'too-large' });
    expect(state.kind === 'failed' ? state.message : '').toContain('10 bytes');
  });
});

describe('a burst', () => {
  const begin = () => createBursts(() => ({ burstFiles: 2, burstBytes: 100 }));
  const heldOf = ({ holds }: ReturnType<typeof begin>, ids: number[]) => ids.map((id) => holds(id));

  test('is more files within a minute than allowed', () => {
    const bursts = begin();
    for (const [id, atMs] of [
      [1, 0],
      [2, 50_000],
      [3, 60_001],
    ] as const)
      bursts.arrived(id, 1, atMs);
    expect(heldOf(bursts, [1, 2, 3])).toEqual([false, false, false]);
    bursts.arrived(4, 1, 100_000);
    expect(heldOf(bursts, [1, 2, 3, 4])).toEqual([false, true, true, true]);
    expect(bursts.take()).toEqual({ ids: [2, 3, 4], hasHeld: false });
    expect(bursts.take()).toEqual({ ids: [], hasHeld: false });
    expect([bursts.isOver(110_000), bursts.isOver(110_001)]).toEqual([true, false]);
  });

  test('is not a steady drip, however long', () => {
    const bursts = createBursts(() => ({ burstFiles: 200, burstBytes: 1e9 }));
    for (let id = 0; id < 5000; id += 1) bursts.arrived(id, 1, 9000 * id);
    expect(bursts.take().ids).toEqual([]);
  });

  test('is more bytes than allowed, too, but one large file is a question of its own', () => {
    const bursts = begin();
    expect(bursts.isOver(0)).toBe(false);
    bursts.arrived(1, 100, 0);
    expect(bursts.holds(1)).toBe(false);
    bursts.arrived(2, 1, 1);
    expect(heldOf(bursts, [1, 2])).toEqual([true, true]);
    const alone = begin();
    alone.arrived(1, 101, 0);
    alone.arrived(2, 50, 1);
    expect([heldOf(alone, [1, 2]), alone.isOver(1)]).toEqual([[false, false], false]);
  });

  test('keeps no file that already has a result', () => {
    const bursts = begin();
    bursts.arrived(1, 1, 0);
    bursts.forget(1);
    bursts.arrived(2, 100, 1);
    bursts.forget(2);
    expect(heldOf(bursts, [1, 2])).toEqual([false, false]);
    expect(bursts.isOver(1)).toBe(true);
  });
});

test('a pre-existing file in the cloud stays skipped when its content is downloaded', () => {
  const sight = {
    found: { name: 'a.txt', type: 'file' as const, stamp: stamp(), onlineOnly: true },
    name: { kind: 'wanted' as const },
    known: null,
    knownStamp: null,
    existing: true,
    existingWanted: false,
    olderThanLedger: false,
    mayBeApproved: false,
    isApproved: false,
  };
  expect(foundVerdict(sight)).toMatchObject({ state: { kind: 'skipped', rule: 'existing' } });
});

test('an administrator’s rule refuses held and ready files, but not skipped ones', () => {
  const rules = {
    allowedRoots: [],
    forbiddenRoots: [],
    maxFileBytes: null,
    allowedTypes: [],
    forbiddenTypes: ['exe'],
  };
  const settled = {
    stamp: stamp(),
    name: { kind: 'wanted' as const },
    confirmed: false,
    includeEmpty: false,
    maxFileSizeBytes: null,
    burst: null,
  };
  const kindOf = (path: string, more: Partial<Settled> = {}): string => {
    const state = judgeSettled(
      candidateOf(writtenPlace(path), stamp().sizeBytes),
      { ...settled, ...more },
      rules,
    );
    return 'rule' in state ? state.rule : 'code' in state ? state.code : state.kind;
  };
  expect(kindOf('/a.txt')).toBe('ready');
  expect(kindOf('/a.exe')).toBe('forbidden');
  expect(kindOf('/a.exe', { burst: 'burst' })).toBe('forbidden');
  expect(kindOf('/a.exe', { stamp: stamp(1, 0) })).toBe('empty');
});
