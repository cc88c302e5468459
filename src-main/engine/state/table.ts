// In which states an event applies, and which states follow. `next` refuses every other state as stale.
// `npm run papers` prints the table into resources/docs/design/states.md.
import { statesWith, type StateKind } from '../../contract/model.ts';
import type { EventKind } from './events.ts';

/** `to` 'same': the state stays, other columns change. */
export type Rule = { from: readonly StateKind[]; to: readonly StateKind[] | 'same' };

/** Not begun: no request is under way, none is in doubt. */
const idle = statesWith({ phase: 'idle' });
const underWay = statesWith({ phase: 'under-way' });

export const table: Record<EventKind, Rule> = {
  'version-found': { from: [...idle, 'gone'], to: ['settling', 'skipped', 'held', 'failed'] },
  'version-kept-back': { from: ['skipped', 'held'], to: 'same' },
  'kept-back': { from: ['settling', 'waiting'], to: ['skipped', 'held'] },
  replaced: { from: [...underWay, 'uploaded', 'recalling', 'uncertain', 'held'], to: 'same' },
  vanished: {
    from: [...idle, 'uncertain', 'uploaded', 'recalling'],
    to: ['gone', 'held', 'uncertain', 'uploaded', 'recalling'],
  },
  reappeared: { from: ['gone'], to: 'same' },
  followed: { from: ['gone', 'skipped', 'held'], to: ['skipped', 'held'] },
  moved: { from: ['uploaded', 'uncertain', 'held'], to: 'same' },
  'folder-changed': { from: [...idle, ...underWay, 'uncertain', 'uploaded', 'recalling'], to: 'same' },

  touched: { from: ['settling'], to: 'same' },
  checked: { from: ['settling', 'waiting'], to: ['settling'] },
  locked: { from: ['settling', 'waiting'], to: ['waiting'] },
  'folder-missing': { from: ['settling', 'waiting'], to: ['waiting'] },
  settled: { from: ['settling'], to: ['ready', 'waiting', 'skipped', 'held', 'failed'] },
  merged: { from: ['settling'], to: ['gone'] },
  burst: { from: ['settling', 'ready', 'waiting'], to: ['held'] },
  superseded: { from: ['uploaded'], to: ['superseded'] },

  begun: { from: ['ready'], to: ['sending'] },
  'tail-due': { from: ['sending'], to: ['committing'] },
  uploaded: { from: ['committing', 'uncertain', 'held', 'ready'], to: ['uploaded', 'recalling'] },
  returned: { from: ['ready', ...underWay], to: ['ready', 'gone', 'skipped'] },
  'sent-back': { from: ['ready', ...underWay], to: ['settling', 'skipped', 'gone'] },
  delayed: { from: ['ready', ...underWay], to: ['waiting', 'skipped', 'gone'] },
  failed: { from: ['ready', ...underWay], to: ['failed', 'skipped', 'gone'] },
  ended: { from: ['ready'], to: ['skipped'] },
  'answer-lost': { from: underWay, to: ['uncertain'] },

  'look-planned': { from: ['uncertain'], to: 'same' },
  undecided: { from: ['uncertain'], to: ['held'] },
  absent: { from: ['uncertain'], to: ['settling', 'waiting', 'held', 'failed', 'gone', 'skipped'] },
  hashed: { from: ['ready', 'skipped', 'held'], to: 'same' },
  doubted: { from: ['ready'], to: ['waiting', 'held'] },
  'ledger-replaced': { from: statesWith({ bucket: 'waiting', phase: 'idle' }), to: ['held'] },
  replanned: { from: ['waiting'], to: 'same' },

  wanted: { from: ['waiting', 'held', 'skipped', 'failed', 'uncertain'], to: ['settling', 'gone'] },
  'left-out': {
    from: [...idle, ...underWay, 'uncertain'],
    to: ['skipped', 'gone', ...underWay, 'uncertain'],
  },
  'put-back': {
    from: ['skipped', 'held', ...underWay, 'uncertain'],
    to: ['settling', 'held', ...underWay, 'uncertain', 'failed', 'skipped'],
  },
  prioritized: { from: [...idle, ...underWay, 'uncertain', 'uploaded', 'superseded', 'gone'], to: 'same' },

  expire: { from: [...idle, ...underWay, 'uncertain', 'uploaded', 'superseded'], to: 'same' },

  recall: {
    from: ['uploaded', 'superseded', 'recalled', ...underWay, 'uncertain', 'held'],
    to: ['recalling', ...underWay, 'uncertain'],
  },
  'delete-due': { from: ['recalling', 'recalled'], to: 'same' },
  kept: {
    from: ['recalling', ...underWay, 'uncertain'],
    to: ['uploaded', 'superseded', 'recalled', ...underWay, 'uncertain', 'held'],
  },
  'recall-planned': { from: ['recalling', 'recalled'], to: 'same' },
  recalled: { from: ['recalling', 'recalled'], to: ['recalled'] },
  served: { from: ['uploaded', 'superseded', 'recalling', 'recalled'], to: 'same' },
};
