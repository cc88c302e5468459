// Every row of the catalogue of reasons, against the judgement of files and its output.
import { expect, test } from 'vitest';
import { typedText } from '../../src-main/cli/output/typed.ts';
import { commandNames } from '../../src-main/contract/catalogue/program.ts';
import { holdRows, skipRows, waitRows } from '../../src-main/contract/catalogue/reasons.ts';
import { namesWith } from '../../src-main/contract/catalogue/rows-with.ts';
import { en } from '../../src-main/contract/locales/words.ts';
import { isSecret, type UploadState } from '../../src-main/contract/model.ts';
import { sentenceFor } from '../../src-main/engine/handlers/why.ts';

const sentence = (state: UploadState): string =>
  typedText(
    sentenceFor(state, 'https://share.example/d/1', { gate: { kind: 'open' }, paused: false, running: true }),
  );

test('a rule that judges by the name, and one for files never opened, applies to zips as well', () => {
  const left: string[] = namesWith(skipRows, { leavesZip: true });
  expect(left).toEqual(expect.arrayContaining(namesWith(skipRows, { byName: true })));
  expect(left).toEqual(expect.arrayContaining(namesWith(skipRows, { neverOpened: true })));
});

test('a file that was never seen was never opened', () => {
  const opened: string[] = namesWith(skipRows, { neverOpened: true });
  expect(opened).toEqual(expect.arrayContaining(namesWith(skipRows, { unseen: true })));
});

test('only a file held for that reason looks like a secret', () => {
  expect(isSecret({ state: { kind: 'held', reason: 'secret-content' } })).toBe(true);
  expect(isSecret({ state: { kind: 'held', reason: 'location' } })).toBe(false);
  expect(isSecret({ state: { kind: 'skipped', rule: 'hidden' } })).toBe(false);
});

test('a hold that a person may resolve among the files of the account is for a sent file', () => {
  const sent: string[] = namesWith(holdRows, { wasSent: true });
  expect(sent).toEqual(expect.arrayContaining(namesWith(holdRows, { mayResolve: true })));
  expect(sent).toEqual(expect.arrayContaining(namesWith(holdRows, { wasUnderWay: true })));
});

test('a reason has one name for skips, holds and waits, and words in the window', () => {
  const tables = { skip: skipRows, hold: holdRows, wait: waitRows };
  const names = Object.values(tables).flatMap((rows) => Object.keys(rows));
  expect(new Set(names).size).toBe(names.length);
  for (const [kind, rows] of Object.entries(tables))
    for (const name of Object.keys(rows)) expect(en).toHaveProperty([`${kind}.${name}`]);
});

test('a sentence for the terminal has straight quotes', () => {
  const states: UploadState[] = [
    ...namesWith(skipRows, {}).map((rule) => ({ kind: 'skipped' as const, rule })),
    ...namesWith(holdRows, {}).map((reason) => ({ kind: 'held' as const, reason })),
  ];
  expect(states.map(sentence).filter((text) => /[‘’“”]/.test(text))).toEqual([]);
});

test.each(Object.keys(skipRows))('a file that is skipped as %s has a sentence of its own', (rule) => {
  const others = Object.keys(skipRows).filter((one) => one !== rule);
  const said = sentence({ kind: 'skipped', rule: rule as keyof typeof skipRows });
  expect(said).toMatch(/^Skipped: .+\.$/);
  for (const other of others)
    expect(sentence({ kind: 'skipped', rule: other as keyof typeof skipRows })).not.toBe(said);
});

test.each(Object.keys(holdRows))(
  'a file that is held for %s has a sentence, and a command that decides',
  (reason) => {
    expect(sentence({ kind: 'held', reason: reason as keyof typeof holdRows })).toMatch(/^Held: .+\.$/);
    expect(commandNames).toContain(holdRows[reason as keyof typeof holdRows].run);
  },
);

test.each(Object.keys(waitRows))('while all wait for %s, a file reports it', (reason) => {
  const gate = { kind: 'closed', reason: reason as keyof typeof waitRows, untilMs: null } as const;
  const closed = { gate: { ...gate, message: 'Full.', remedy: 'Wait.' }, paused: false, running: true };
  expect(typedText(sentenceFor({ kind: 'ready' }, null, closed))).toMatch(/^Waiting: .+\.$/);
});
