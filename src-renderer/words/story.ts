// What has happened to a file, each step in a few words. Pure.
import type { EntryBody } from '../../src-main/contract/entries.ts';
import { linkStateOf } from '../../src-main/contract/files/taken-back.ts';
import type { Say } from '../../src-main/contract/text/speech.ts';

/** Null for steps that mean nothing to a reader. */
export const storyText = (say: Say, body: EntryBody): string | null => {
  switch (body.kind) {
    case 'queued':
    case 'uploaded':
    case 'held':
    case 'confirmed':
    case 'skipped':
    case 'failed':
    case 'moved':
    case 'gone':
    case 'deleted':
    case 'lost':
    case 'program-failed':
    case 'unwanted':
      return say(`story.${body.kind}`);
    case 'recalled': {
      const state = linkStateOf(body);
      if (state !== 'dead') return say(`story.recalled.${state}`);
      return say(body.lateMs === undefined ? 'story.recalled' : 'story.expired');
    }
    case 'expiry-set':
      return say(body.expiresAtMs === null ? 'story.expiryNever' : 'story.expirySet');
    case 'follow-set':
      return say(body.isFollowed ? 'story.followed' : 'story.unfollowed');
    case 'verified':
      return say(`story.verified.${body.reason ?? 'right'}`);
    case 'downloaded':
      return say('story.downloaded');
    case 'downloads':
    case 'expired':
    case 'uploading':
    case 'waiting':
    case 'queue-closed':
    case 'queue-opened':
    case 'folder-chosen':
    case 'folder-lost':
    case 'folder-back':
    case 'watch-degraded':
      return null;
  }
};
