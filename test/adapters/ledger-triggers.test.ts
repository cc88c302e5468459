// What the triggers of the ledger search for. A list of the account writes hundreds of rows, each of which runs them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { addUploaded, firstPage, memoryLedger, NOON_MS } from './ledger-fixtures.ts';

/** The statements between BEGIN and END. The rows before and after are any row. */
const statementsOf = (trigger: string): string[] =>
  trigger
    .replace(/^[\s\S]*?\bBEGIN\b/, '')
    .replace(/\bEND\s*;?\s*$/, '')
    .replaceAll(/\b(?:new|old)\.\w+/g, '?')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => /^(?:INSERT|DELETE|UPDATE)\b/.test(statement));

test('a trigger finds the rows of one upload and of one file of the account by their ids', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-triggers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'ledger.sqlite');
  openLedger({ file, nowMs: () => NOON_MS }).close();
  using raw = new DatabaseSync(file);
  const triggers = raw.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all();
  const statements = triggers.flatMap(({ sql }) => statementsOf(String(sql)));
  expect(statements.length).toBeGreaterThan(10);
  for (const sql of statements) {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const reads = plan.map(({ detail }) => String(detail));
    const wide = reads.filter((step) =>
      /^SCAN (?:u|r|uploads|files|remote_files|watched)\b|\(state=\?\)/.test(step),
    );
    expect({ sql, wide }).toEqual({ sql, wide: [] });
  }
});

test.each(['our own', 'of another machine'])(
  'a file that got the id of an earlier one stays in Files when the earlier one changes: %s',
  (whose) => {
    const ledger = memoryLedger();
    const { id } = addUploaded(ledger, { name: 'earlier', fileId: 7 });
    const link = 'https://share.example/download/other';
    ledger.remote.saw(1, [{ file_id: 7, public_link: link, filename: 'later' }], NOON_MS);
    if (whose === 'our own') addUploaded(ledger, { name: 'later', fileId: 7, link });
    const shown = () =>
      ledger.views.page({ ...firstPage, sort: 'name', descending: false }).rows.map(({ name }) => name);
    expect(shown()).toEqual(['earlier', 'later']);
    ledger.uploads.update(id, { state: { kind: 'recalling', nextAtMs: 0, tries: 0 } }, NOON_MS);
    expect(shown()).toEqual(['earlier', 'later']);
  },
);
