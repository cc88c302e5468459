// `npm run demo -- --double`: the whole program with its window, from nothing to links that were downloaded.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch, onRealElectron } from '../support/app.ts';

const root = path.resolve(import.meta.dirname, '../..');

test.skipIf(!canLaunch || onRealElectron)(
  'the demo opens the window, in which every dropped file becomes a link, and ends by itself',
  async () => {
    const child = spawn(process.execPath, [path.join(root, 'test/support/demo.ts'), '--double'], {
      env: { ...process.env, NO_COLOR: '1' },
    });
    let said = '';
    child.stdout.on('data', (piece: Buffer) => (said += String(piece)));
    child.stderr.on('data', (piece: Buffer) => (said += String(piece)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(said).toContain('Window   shows 6 of 6 links');
    expect(said.match(/✓ verified/g)).toHaveLength(6);
    expect(said).not.toContain('DIFFERS');
    expect(code).toBe(0);
  },
  180_000,
);
