// The page of states: the table of src-main/engine/state/table.ts as Markdown.
import { stateRow, statesWith, type StateKind } from '../../../src-main/contract/model.ts';
import type { EventKind } from '../../../src-main/engine/state/events.ts';
import { table, type Rule } from '../../../src-main/engine/state/table.ts';

const meaning: Record<StateKind, string> = {
  settling: 'in its quiet period',
  ready: 'stable and allowed; waits for its turn',
  sending: 'its bytes are being sent; the tail is held back',
  committing: 'the tail may have been sent',
  uncertain:
    'no usable answer came after the tail; the account list decides. Shown as waiting if the service was busy',
  waiting: 'waits until a time, or until its reason is gone',
  uploaded: 'has its link',
  held: 'a person decides',
  skipped: 'a rule or a person leaves it out',
  failed: 'until the file or the settings change, or a person retries it',
  superseded: 'a newer version has its own row; the link stays',
  recalling:
    'its link is being taken back, by a person or because its time is over; it is read until it is dead',
  recalled: 'its link was taken back; a file that is still there has its own row',
  gone: 'the file has left its path',
};

const rules = Object.entries(table) as [EventKind, Rule][];

const eventLine = ([event, { from, to }]: [EventKind, Rule]): string =>
  `| ${event} | ${from.join(', ')} | ${to === 'same' ? 'the same' : to.join(', ')} |`;

/** Markdown of resources/docs/design/states.md. */
export const statesPage = (): string =>
  [
    '# States of an upload',
    '',
    'A row of the ledger changes only by an event: `next` (`src-main/engine/state/next.ts`) decides, `apply` (`rows.ts`)',
    'writes row and entries in one durable transaction. If the table does not allow an event in a state, the event is stale:',
    'nothing changes, and the caller drops its result. `npm run papers` writes this page.',
    '',
    '| state | shown as | meaning |',
    '| --- | --- | --- |',
    ...statesWith({}).map(
      (kind) => `| ${kind} | ${stateRow(kind).bucket ?? 'not shown'} | ${meaning[kind]} |`,
    ),
    '',
    '| event | from | to |',
    '| --- | --- | --- |',
    ...rules.map(eventLine),
    '',
  ].join('\n');
