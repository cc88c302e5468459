// Everything that can happen to a row of the ledger. A new row is inserted; after that it changes only by these events.
// `next` (next.ts) decides what the event does, `apply` (rows.ts) writes it.
import type { Wording } from '../../contract/text/wording.ts';
import type { LinkLook } from '../../contract/files/taken-back.ts';
import type {
  StateKind,
  UploadReceipt,
  UploadState,
  DelayReason,
  Door,
  KeptBy,
  SinceBoot,
} from '../../contract/model.ts';
import type { ExpireWish } from '../../contract/expiry.ts';
import type { Ends, LinkLife, SentCopy } from '../ports/uploads.ts';
import type { Stamp } from '../ports/files.ts';

type State<Kind extends StateKind> = Extract<UploadState, { kind: Kind }>;

export type UploadEvent =
  // ------------------------------------------------ discover: what lies in the folder
  /** The path holds another version of a file that is not uploaded, or the rules judge it differently. */
  | {
      kind: 'version-found';
      state: State<'settling' | 'skipped' | 'held' | 'failed'>;
      stamp: Stamp | null;
      wantsAnother: boolean;
      /** Only when a person gives the file by path. */
      confirmed?: boolean;
      /** By which a person gives it; left out: it was found in the folder. */
      door?: Door;
      /** What keeps it back once its name does not any more. */
      keptBy?: KeptBy | null;
    }
  /** The path holds another version; what kept the file back still does. */
  | { kind: 'version-kept-back'; stamp: Stamp | null; wantsAnother: boolean }
  /** The path of this row now has a file that is kept back. */
  | { kind: 'kept-back'; state: State<'skipped' | 'held'>; stamp: Stamp }
  /** The path has another file, which gets a new row; this row keeps its outcome. */
  | { kind: 'replaced' }
  /** The file has left its path. `keptBy`: what kept it back there, in case it appears at another path. */
  | { kind: 'vanished'; keptBy: KeptBy | null }
  /** The file of this departed row has taken the place of another row's file. */
  | { kind: 'reappeared' }
  /** A file that is kept back has another path. `isNews`: it is kept back for another reason now. */
  | {
      kind: 'followed';
      folderId: number;
      dir: string;
      name: string;
      stamp: Stamp;
      state: State<'skipped' | 'held'>;
      isNews: boolean;
    }
  /** A file with this row's content lies at another path, or at its own path with another stamp. */
  | { kind: 'moved'; folderId: number | null; dir: string; name: string; stamp: Stamp; isNews: boolean }
  /** Its folder is watched now. Null: it was given after its folder was removed. */
  | { kind: 'folder-changed'; folderId: number | null }
  // ------------------------------------------------ discover: from the quiet period to a state
  /** The file changed during its quiet period. */
  | { kind: 'touched'; stamp: Stamp }
  /** The file is looked at once more, from the beginning of its quiet period. */
  | { kind: 'checked'; stamp: Stamp }
  /** The file cannot be opened. `untilMs`: steady time, see time.ts. */
  | { kind: 'locked'; untilMs: number }
  /** The watched folder is not there. `untilMs`: steady time, see time.ts. */
  | { kind: 'folder-missing'; untilMs: number }
  /** The file is stable, and this is what it becomes. `stamp`: the version that was read for `sha256`. */
  | {
      kind: 'settled';
      state: State<'ready' | 'waiting' | 'skipped' | 'held' | 'failed'>;
      stamp: Stamp | null;
      sha256: string | null;
      /** Its copy without location goes instead of it. */
      sent?: SentCopy | null;
      /** The row whose link the file shares, or null; left out: as it is. */
      sameAsId?: number | null;
    }
  /** The file turned out to be another row's file. */
  | { kind: 'merged' }
  /** It came in a burst that is over the limit. */
  | { kind: 'burst' }
  /** A newer version of the file has its own row. */
  | { kind: 'superseded'; byId: number }
  // ------------------------------------------------ upload: one attempt
  | { kind: 'begun'; attemptId: number; sentName: string; accountId: number }
  /** Everything except the tail was sent. */
  | { kind: 'tail-due'; attemptId: number; sha256: string; accountId: number }
  | {
      kind: 'uploaded';
      receipt: UploadReceipt;
      sha256: string;
      sentName: string;
      atMs: number;
      life: LinkLife;
      wasThere?: boolean;
    }
  /** Nothing was created: it goes again when the queue lets it. */
  | { kind: 'returned' }
  /** Nothing was created, and its file has to be looked at again. */
  | { kind: 'sent-back' }
  /** Nothing was created; this file waits. `untilMs`: steady time, see time.ts. */
  | { kind: 'delayed'; reason: DelayReason; untilMs: number }
  /** Nothing was created, and sending it again is of no use. */
  | { kind: 'failed'; code: string; message: string; remedy: Wording }
  /** The end that a person wanted for its link came before it was uploaded. */
  | { kind: 'ended' }
  /** No usable answer came after the tail. `nextLookAtMs`: steady time, see time.ts. */
  | {
      kind: 'answer-lost';
      attemptId: number;
      lost: SinceBoot | null;
      isQuick: boolean;
      isBusy: boolean;
      nextLookAtMs: number;
      /** What came instead; null after a crash. */
      message: string | null;
    }
  // ------------------------------------------------ reconcile
  /** A look was made, or put off. */
  | { kind: 'look-planned'; looks: number; nextLookAtMs: number }
  /** Looking cannot show whether the service has it. */
  | { kind: 'undecided' }
  /** The service does not have it: it settles again, waits, is held, or failed. */
  | { kind: 'absent'; then: State<'settling' | 'waiting' | 'held' | 'failed'> }
  /** Its content was read. */
  | { kind: 'hashed'; sha256: string }
  /** An older ledger does not know whether it was uploaded. */
  | { kind: 'doubted'; then: State<'waiting' | 'held'> }
  /** The ledger was set aside or is an older copy: what waits in it may be uploaded. */
  | { kind: 'ledger-replaced' }
  /** Its time is too far ahead because the clock was set back, or due because the clock was set forward. */
  | { kind: 'replanned'; untilMs: number }
  // ------------------------------------------------ a person
  /** A person wants it to go, or to go again. */
  | { kind: 'wanted'; confirmed: boolean; wantsAnother: boolean }
  /** A person does not want it. What is on its way stops, or is taken back once the service is known to have it. */
  | { kind: 'left-out' }
  /** It was left out by mistake, and returns to its former state. A file that was on its way settles again. */
  | {
      kind: 'put-back';
      state: State<'settling' | 'held' | 'uncertain' | 'failed' | 'skipped'>;
      confirmed: boolean;
      wantsAnother: boolean;
      attempts: number;
    }
  | { kind: 'prioritized'; priority: number }
  /** When its link ends, or will end once it has one. `wanted`, `endsAtMs`: of a link that is there, see Life. */
  | { kind: 'expire'; wish: ExpireWish; wanted: Ends | null; endsAtMs: number | null }
  // ------------------------------------------------ recall
  /**
   * Its link is taken back, also the one that it may have: then as if it was left out. `nextAtMs`: steady time; before it only the process that asked carries it out.
   * `isExpired`: its time is over.
   */
  | { kind: 'recall'; nextAtMs: number; isExpired?: true }
  /** Its DELETE leaves now: from here on no person can keep it. */
  | { kind: 'delete-due' }
  /** A person wants it after all, before its DELETE has left. */
  | { kind: 'kept' }
  /** It failed, or the link is still served, and is tried again. `nextAtMs`: steady time. */
  /** `refusal`: what the service answered instead of deleting it; null: nothing. */
  /** `look`: at the link of a deleted file. */
  | { kind: 'recall-planned'; nextAtMs: number; tries: number; refusal: string | null; look?: LinkLook }
  /** Its link served exactly what was sent. */
  | { kind: 'served' }
  /** The file is deleted, and its link was fetched. `lateMs`: how long after its end; counts only for an ended link. */
  | {
      kind: 'recalled';
      dead: boolean;
      downloads: number | null;
      atMs: number;
      lateMs: number;
      /** The look at a link that is not dead, and the next one. `againAtMs`: as `nextAtMs`, by the wall clock. */
      open: { look: LinkLook; nextAtMs: number; tries: number; againAtMs: number } | null;
    };

export type EventKind = UploadEvent['kind'];
