// Why a file is where it is, in one sentence (command `why`). The words are in contract/text/why.ts.
import type { QueueGate, UploadState } from '../../contract/model.ts';
import { whySentence } from '../../contract/text/why.ts';
import type { Wording } from '../../contract/text/wording.ts';
import { programOf } from '../candidate/unfinished.ts';
import { brakeOf } from '../discover/quiet-period.ts';
import { systemFolders } from '../shared/names/system-folders.ts';
import { marks } from '../shared/names/unfinished-marks.ts';

const program = (mark: string): string =>
  marks.get(mark)?.program ?? systemFolders.get(mark) ?? programOf(mark);

/** `versions`: how many versions of this file became links within the hour. */
export const sentenceFor = (
  state: UploadState,
  link: string | null,
  queue: { gate: QueueGate; paused: boolean; running: boolean },
  versions = 0,
): Wording => whySentence(state, link, queue, { program, versions, quietMs: brakeOf(versions) });
