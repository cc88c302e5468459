// Deliberate faults, one line each, that the tests have to notice: each breaks one promise of the protocol in a way
// that somebody could write by mistake. `find` occurs exactly once in its file.

export type Bug = {
  name: string;
  file: string;
  find: string;
  put: string;
  /** What notices it: the simulation, or these test files. */
  by: 'simulation' | readonly string[];
};

const engine = 'src-main/engine';
const unit = 'test/unit/engine';
const found = 'test/flow/simulation/found.test.ts';

export const bugs: readonly Bug[] = [
  {
    name: 'commits are not synced to the disk',
    file: 'src-main/adapters/ledger/ledger.ts',
    find: 'PRAGMA synchronous = FULL',
    put: 'PRAGMA synchronous = NORMAL',
    by: 'simulation',
  },
  {
    name: 'committing is not recorded',
    file: `${engine}/worker.ts`,
    find: 'ledger.attempts.committing(attempt.id, nowMs);',
    put: '',
    by: 'simulation',
  },
  {
    name: 'no look at the file before the tail',
    file: `${engine}/worker.ts`,
    find: 'if (!(await open.unchanged())) {',
    put: 'if (open.stamp.sizeBytes < 0) {',
    by: [`${unit}/engine-tail.test.ts`],
  },
  {
    name: 'the id of another upload is believed',
    file: `${engine}/worker.ts`,
    find: 'if (owner !== null && owner.id !== upload.id)',
    put: 'if (owner !== null && owner.id === -1)',
    by: [`${unit}/engine-tail.test.ts`],
  },
  {
    name: 'any link is believed',
    file: `${engine}/worker.ts`,
    find: 'if (!isLinkShaped(receipt.public_link))',
    put: 'if (receipt.public_link.length < 0)',
    by: 'simulation',
  },
  {
    name: 'any size is believed',
    file: `${engine}/worker.ts`,
    find: 'if (!isConsistentSize(attempt.sizeBytes, receipt.size, options.unit())) {',
    put: 'if (receipt.size < 0) {',
    by: [`${unit}/engine-uncertain.test.ts`],
  },
  {
    name: 'a broken connection after the tail is tried again',
    file: `${engine}/retry.ts`,
    find: 'return fault.tailSent && !isRefusal(fault.status)',
    put: 'return fault.tailSent && isRefusal(fault.status)',
    by: 'simulation',
  },
  {
    name: 'an unusable answer after the tail is tried again',
    file: `${engine}/retry.ts`,
    find: 'return fault.tailSent || (answered && isSuccess(fault.status))',
    put: 'return answered && fault.status === 0',
    by: 'simulation',
  },
  {
    name: '401 fails the file',
    file: `${engine}/retry.ts`,
    find: "return { kind: 'queue-waits', reason: 'key' };",
    put: "return { kind: 'fail' };",
    by: [`${unit}/retry.test.ts`],
  },
  {
    name: 'a crash while committing counts as not created',
    file: `${engine}/recover.ts`,
    find: "attempt.committingAtMs === null ? 'not-created' : 'uncertain'",
    put: "attempt.committingAtMs === 0 ? 'uncertain' : 'not-created'",
    by: 'simulation',
  },
  {
    name: 'a file with the same name and size is adopted',
    file: `${engine}/proof.ts`,
    find: "else if (digest === sha256) return { kind: 'proved', file };",
    put: "else return { kind: 'proved', file };",
    by: 'simulation',
  },
  {
    name: 'a candidate that cannot be fetched counts as absent',
    file: `${engine}/proof.ts`,
    find: 'undecided = true;',
    put: 'undecided = false;',
    by: 'simulation',
  },
  {
    name: 'absent once, and at once, is enough',
    file: `${engine}/look.ts`,
    find: 'view.isLast && view.absences >= 2',
    put: 'view.absences >= 1',
    by: 'simulation',
  },
  {
    name: 'an incomplete view counts',
    file: `${engine}/look.ts`,
    find: 'if (!view.isComplete)',
    put: 'if (view.absences < 0)',
    by: [`${unit}/look.test.ts`],
  },
  {
    name: 'a list that shifts passes for complete',
    file: `${engine}/listing.ts`,
    find: 'isComplete: isConsistent && isWhole',
    put: 'isComplete: true',
    by: [`${unit}/engine-uncertain.test.ts`, 'test/unit/engine'],
  },
  {
    name: 'uploads with one name and size go together',
    file: `${engine}/picker.ts`,
    find: 'if (keysOf(upload).some((key) => taken.has(key))) {',
    put: 'if (keysOf(upload).some((key) => taken.has(`${key}?`))) {',
    by: [`${unit}/engine-uncertain.test.ts`],
  },
  {
    name: 'contents are compared only once',
    file: `${engine}/worker.ts`,
    find: 'if (!upload.confirmed && sharedWith(ledger, upload.id, sha256).length > 0) {',
    put: 'if (upload.id < 0) {',
    by: 'simulation',
  },
  {
    name: 'a copy that changes supersedes its original',
    file: `${engine}/content.ts`,
    find: 'earlier?.present === false && earlier.dir === row.dir && earlier.name === row.name',
    put: 'earlier !== null',
    by: [found],
  },
  {
    name: 'a touched copy takes the row of its original',
    file: `${engine}/content.ts`,
    find: 'const isTouched = from === path;',
    put: 'const isTouched = twin.id === row.sameAsId || from === path;',
    by: [found],
  },
  {
    name: 'who has a file open for writing is not asked',
    file: `${engine}/settle.ts`,
    find: 'if (openForWriting === true) {',
    put: 'if (openForWriting === null) {',
    by: 'simulation',
  },
  {
    name: 'there is no quiet time',
    file: `${engine}/settle.ts`,
    find: 'if (nowMs < file.sinceMs + file.quietMs) return false;',
    put: '',
    by: [`${unit}/settle.test.ts`],
  },
  {
    name: 'files of before go up',
    file: `${engine}/intake.ts`,
    find: 'if (sight.existing && !sight.existingWanted)',
    put: 'if (sight.existing && sight.existingWanted)',
    by: 'simulation',
  },
  {
    name: 'secrets are not held',
    file: `${engine}/intake.ts`,
    find: "if (settled.name.kind === 'secret') return 'secret-name';",
    put: '',
    by: 'simulation',
  },
  {
    name: 'a changed file of before counts as consented',
    file: `${engine}/intake.ts`,
    find: "return { kind: 'record', state: { kind: 'held', reason: 'existing-changed' } };",
    put: "return { kind: 'record', state: { kind: 'settling' } };",
    by: 'simulation',
  },
  {
    name: 'names go out as they are',
    file: `${engine}/names.ts`,
    find: ".normalize('NFC').replace(forbidden, '_')",
    put: ".normalize('NFC')",
    by: [`${unit}/names.test.ts`],
  },
  {
    name: 'a refused key is tried every minute',
    file: `${engine}/gate.ts`,
    find: "    case 'moved':\n      return minutes(15);",
    put: "    case 'moved':\n      return minutes(1);",
    by: 'simulation',
  },
  {
    name: 'a probe lets everybody through',
    file: `${engine}/queue.ts`,
    find: "const most = way.kind === 'probe' ? 1 : settings.current().concurrentUploads;",
    put: 'const most = settings.current().concurrentUploads;',
    by: [`${unit}/engine-gate.test.ts`],
  },
  {
    name: 'looks go on after a refusal',
    file: `${engine}/looker.ts`,
    find: 'if (closesEverything.has(error.code)) options.refused(error);',
    put: '',
    by: [found],
  },
  {
    name: 'waiting files are never looked at again',
    file: `${engine}/queue.ts`,
    find: 'for (const upload of ledger.uploads.dueWaiting(nowMs, mostReleased)) options.lookAgain(upload);',
    put: '',
    by: 'simulation',
  },
  {
    name: 'a turn that threw is the last one',
    file: `${engine}/loop.ts`,
    find: 'arm(afterFaultMs);',
    put: '',
    by: [`${unit}/engine-disk-full.test.ts`],
  },
  {
    name: 'a young link that a slow list lacks is deleted',
    file: `${engine}/handlers/files.ts`,
    find: 'ledger.remote.markUnseenGone(startMs, startMs - slowestMs)',
    put: 'ledger.remote.markUnseenGone(startMs, startMs - 0 * slowestMs)',
    by: [found],
  },
  {
    name: 'the minute holds six more',
    file: `${engine}/limiter/policy.ts`,
    find: 'const overMinute = load.minuteUsed - limits.perMinute + 1;',
    put: 'const overMinute = load.minuteUsed - limits.perMinute - 5;',
    by: ['test/unit/limiter.test.ts', 'test/unit/limiter-property.test.ts'],
  },
  {
    name: 'the day has no end',
    file: `${engine}/limiter/policy.ts`,
    find: 'if (overDay > 0)',
    put: 'if (overDay > 1e9)',
    by: ['test/unit/limiter.test.ts', 'test/unit/limiter-property.test.ts'],
  },
  {
    name: 'permits are forgotten at a restart',
    file: `${engine}/limiter/books.ts`,
    find: 'if (row.answeredAtMs !== null) add(row.lane, row.answeredAtMs);\n    }\n  };',
    put: '}\n  };',
    by: [
      'test/unit/limiter-ledger.test.ts',
      'test/unit/limiter.test.ts',
      'test/unit/limiter-property.test.ts',
    ],
  },
  {
    name: 'the wall clock alone says how much time has passed',
    file: `${engine}/limiter/elapsed.ts`,
    find: 'const JUMP_MS = 200;',
    put: 'const JUMP_MS = 1e15;',
    by: [
      'test/unit/limiter.test.ts',
      'test/unit/limiter-property.test.ts',
      'test/unit/limiter-ledger.test.ts',
    ],
  },
  {
    name: 'any Retry-After is obeyed',
    file: 'src-main/adapters/api/faults.ts',
    find: 'return waitMs >= 0 && waitMs <= maxRetryAfterMs ? waitMs : null;',
    put: 'return waitMs >= 0 ? waitMs : null;',
    by: ['test/adapters/api-answers.test.ts', 'test/adapters/api-parts.test.ts'],
  },
];
