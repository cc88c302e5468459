// What was found in a file that is held.
import type { UploadState, UploadView } from '../../../src-main/contract/model.ts';
import { plainName } from '../../words/name.ts';
import { say } from '../../words/say.svelte.ts';

type Held = Extract<UploadState, { kind: 'held' }>;

const foundInZip = ({ reason, rule, line = null }: Held): 'location' | 'unsearched' | 'secret' => {
  if (reason === 'location') return 'location';
  return reason === 'secret-content' && (rule === 'too-large' || line === null) ? 'unsearched' : 'secret';
};

/** Empty: it is held for another reason. */
export const placeOf = ({ state }: Pick<UploadView, 'state'>): string => {
  if (state.kind !== 'held') return '';
  const { inZip, removable, rule, line = null } = state;
  if (inZip !== undefined) {
    const { name, others } = inZip;
    return say('hold.in-zip', { name: plainName(name), others, what: foundInZip(state) });
  }
  if (removable !== undefined) {
    if (state.isRead === false) return say('hold.location.unread');
    return say(removable ? 'hold.location.removable' : 'hold.location.kept');
  }
  if (rule === undefined) return '';
  if (rule === 'too-large') return say('hold.secret-content.too-large');
  return line === null ? say('hold.secret-content.not-read') : say('hold.secret-content.at', { rule, line });
};
