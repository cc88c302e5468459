// What screen readers announce about a drop: if news arrives meanwhile, only the newest.
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import type { Session } from '../../state/session.svelte.ts';
import { givenSpoken } from '../../words/given.ts';
import { say } from '../../words/say.svelte.ts';
import { readAlike } from '../../state/grouping.ts';
import { linesOf, spokenOf } from './unlinked.ts';

/** More reasons than these are in the ticket. */
const mostReasons = 3;

let newest: GivenGroup | null = null;

export const reportGiven = async (session: Session, group: GivenGroup): Promise<void> => {
  newest = group;
  const alike = await readAlike(session.client, [...group.needYou, ...group.without]).catch(() => []);
  if (newest !== group) return;
  const lines = linesOf(alike, group, session.account?.maxFileBytes ?? null);
  session.report('given', givenSpoken(say, group, lines.slice(0, mostReasons).map(spokenOf)));
};
