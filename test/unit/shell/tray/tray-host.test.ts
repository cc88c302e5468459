// Whether the desktop draws icons of the tray, by whichever program of the session bus is there.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasTrayHost } from '../../../../src-main/shell/tray/tray-host.ts';

test.each([
  ['dbus-send', '   variant       boolean true', true],
  ['busctl', 'b true', true],
  ['gdbus', '(<true>,)', true],
  ['busctl', 'b false', false],
  ['gdbus', 'Error: no such name: is it true?', false],
  ['another', 'b true', false],
])('with %s alone, which prints "%s": %s', async (name, answer, isThere) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubGlobal('process', Object.create(process, { platform: { value: 'linux' } }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const program = path.join(folder, name);
  writeFileSync(program, `#!/bin/sh\necho '${answer}'\nexit ${answer.startsWith('Error') ? 1 : 0}\n`);
  chmodSync(program, 0o755);
  const find = (wanted: string): string | null =>
    existsSync(path.join(folder, wanted)) ? path.join(folder, wanted) : null;
  expect(await hasTrayHost(find)).toBe(isThere);
});
