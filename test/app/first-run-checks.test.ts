// `npm run first-run` on the stand-in: every check that needs no person holds, and it says what only Electron answers.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { acts } from '../first-run/acts.ts';
import { readChecks } from '../first-run/page.ts';
import { canLaunch, onRealElectron } from '../support/app.ts';

const main = path.resolve(import.meta.dirname, '../first-run/main.ts');

type Report = {
  electron: string;
  results: { act: string | null; system: string | null; outcome: string; seen: string }[];
};

test.skipIf(!canLaunch || onRealElectron)(
  'the first run makes its checks on the stand-in, and names those that only the real Electron can answer',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'outtray-first-run-'));
    const out = path.join(folder, 'report.json');
    const [code, printed] = await new Promise<[unknown, string]>((resolve) => {
      const child = execFile(
        process.execPath,
        [main, '--auto', '--short', '--out', out],
        // app.ts has named the stand-in there; the command chooses by itself.
        { env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: '' } },
        (error, stdout, stderr) => resolve([error?.code ?? 0, stdout + stderr]),
      );
      child.stdin?.end();
    });
    expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });
    const { electron, results } = JSON.parse(await readFile(out, 'utf8')) as Report;
    await rm(folder, { recursive: true, force: true });
    expect(electron).toBe('stand-in');
    const expected = readChecks().map(({ act, isOnlyReal, system }) =>
      system !== null && system !== 'Linux'
        ? 'other-system'
        : act === null
          ? 'not-asked'
          : isOnlyReal
            ? 'only-real'
            : 'right',
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(expected);
    expect(results.flatMap(({ act }) => act ?? []).toSorted()).toEqual(Object.keys(acts).toSorted());
    expect(results.filter(({ outcome }) => outcome === 'only-real').map(({ act }) => act)).toEqual([
      'keychain',
      'origin',
      'picture',
    ]);
    expect(results.filter(({ outcome, seen }) => outcome === 'right' && seen === '')).toEqual([]);
  },
);
