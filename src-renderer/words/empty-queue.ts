// The text of an empty queue. "Nothing is waiting" would not help while nothing can be uploaded.
import { lineText, liveLine } from '../../src-main/contract/live.ts';
import type { EngineStatus } from '../../src-main/contract/model.ts';
import { plainPath } from './path.svelte.ts';
import { say, speech } from './say.svelte.ts';

export type EmptyQueue = { isStill: boolean; title: string; text: string };

const still = new Set(['closed', 'paused', 'no-folder', 'folder-gone']);

export const emptyQueue = (status: EngineStatus | null, nowMs: number, isGuest: boolean): EmptyQueue => {
  const live = status === null ? null : liveLine(status, nowMs, isGuest);
  // The header over the queue has the details.
  if (live !== null && still.has(live.kind))
    return { isStill: true, title: lineText(speech(), live.title, nowMs), text: '' };
  const away = status?.folders.find(({ available }) => !available);
  if (away !== undefined)
    return {
      isStill: true,
      title: say('gate.folder'),
      text: say('banner.folder', { folder: plainPath(away.folder) }),
    };
  return { isStill: false, title: say('queue.empty.title'), text: say('queue.empty.text') };
};
