// The states of an upload, one row each. The page of states and the sets in the ledger's SQL have the same order:
// SQLite uses a partial index only for the same text. So a state with a trait that an index prints (`hasLink`,
// `byContent`) changes the schema.

export type StateRow = {
  /** Where it counts; null: nowhere, because the folder no longer has the file in that version. */
  bucket: 'uploaded' | 'waiting' | 'held' | 'skipped' | 'failed' | null;
  /**
   * idle: no request is under way, none is in doubt. open: only a look at the service shows whether the file is there.
   * final: an upload with a file id stays (invariant I4), and Files shows it.
   */
  phase: 'idle' | 'under-way' | 'open' | 'final';
  /** Its link is offered. */
  hasLink?: true;
  /** Its link is not offered any more. */
  isTakenBack?: true;
  /** Sent, without an answer: this machine alone cannot know whether the service has it. */
  wasSent?: true;
  /** It has ended, but its file, or a newer version of it, is there: Files lists it under this machine. */
  isPast?: true;
  /** Another file with the same content is no new upload. */
  byContent?: true;
  /** A person can say no to it. One that may be at the service is looked for, and taken back if it is there. */
  mayCancel?: true;
  mayConfirm?: true;
  mayRetry?: true;
};

export const stateRows = {
  settling: { bucket: 'waiting', phase: 'idle', mayCancel: true },
  ready: { bucket: 'waiting', phase: 'idle', mayCancel: true },
  sending: { bucket: 'waiting', phase: 'under-way', mayCancel: true },
  committing: { bucket: 'waiting', phase: 'under-way', wasSent: true, byContent: true, mayCancel: true },
  // Never sent again blindly: it is held until a look at the service decides.
  uncertain: { bucket: 'held', phase: 'open', wasSent: true, byContent: true, mayCancel: true },
  waiting: { bucket: 'waiting', phase: 'idle', mayCancel: true, mayRetry: true },
  uploaded: { bucket: 'uploaded', phase: 'final', hasLink: true, byContent: true },
  superseded: { bucket: null, phase: 'final', hasLink: true, isPast: true },
  // Public until its link is dead.
  recalling: { bucket: 'uploaded', phase: 'final', isTakenBack: true, byContent: true },
  recalled: { bucket: null, phase: 'final', isTakenBack: true, isPast: true, byContent: true },
  gone: { bucket: null, phase: 'final' },
  skipped: { bucket: 'skipped', phase: 'idle', mayConfirm: true, mayRetry: true },
  held: { bucket: 'held', phase: 'idle', mayCancel: true, mayConfirm: true, byContent: true },
  failed: { bucket: 'failed', phase: 'idle', mayCancel: true, mayRetry: true },
} as const satisfies Record<string, StateRow>;
