// Which names a person may give a zip.
import { expect, test } from 'vitest';
import { zipFileName } from '../../../../src-main/engine/given/zip-name.ts';

test.each([
  ['report', 'report.zip'],
  [' report.zip ', 'report.zip'],
  ['report.ZIP', 'report.ZIP'],
  ['n'.repeat(251), `${'n'.repeat(251)}.zip`],
])('the name %j gives the zip %j', (given, name) => {
  expect(zipFileName(given)).toEqual({ ok: true, name });
});

test.each([
  ['', 'empty'],
  [' .zip', 'empty'],
  ['a/b', 'folder'],
  ['a\\b', 'folder'],
  ['n'.repeat(252), 'too-long'],
  ['ü'.repeat(126), 'too-long'],
])('the name %j is refused: %s', (given, problem) => {
  expect(zipFileName(given)).toEqual({ ok: false, problem });
});
