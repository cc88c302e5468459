// A week of use, as a new user has it, with the running engine: at each station every file without a link says why and
// has one action, no number goes backwards, and nothing is cut, covered or in another language.
import { rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src-main/contract/settings.ts';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import { writeManyUploads } from '../support/window/many-uploads.ts';
import { faultsIn } from './geometry.ts';
import {
  call,
  leave,
  pressed,
  reload,
  sayYes,
  setStage,
  startWatching,
  type Stage,
  watchFolder,
} from './stage.ts';

/** The goal is a second. A machine that runs other tests, too, takes longer; the times are printed with the pictures. */
const limitMs = 30_000;

/** Kept in the page. */
type Seen = { causeMs: number; backwards: string[] };
declare global {
  var week: Seen;
}

describe.skipIf(!canLaunch || onRealElectron)('a week of use', { timeout: 600_000 }, () => {
  let stage: Stage;
  let app: RunningApp;
  let found: Record<string, unknown>;

  const begin = async (settings: Partial<Settings> = {}): Promise<void> => {
    stage = await setStage({ notify: false, givenFolders: 'files', ...settings });
    found = {};
  };
  const watching = async (): Promise<void> => {
    app = await startWatching(stage);
    await watchNumbers();
  };
  /** From now on the page notes when it gets a drop, and each count of the foot that falls while its total does not. */
  const watchNumbers = (): Promise<void> =>
    app.window.evaluate(() => {
      const backwards: string[] = [];
      let last = { ready: 0, total: 0 };
      const look = (): void => {
        const foot = document.querySelector('[role=region][aria-label=Status], section[aria-label=Status]');
        const [, ready, total] = /([\d,]+) of ([\d,]+) ready/.exec(foot?.textContent ?? '') ?? [];
        if (ready === undefined || total === undefined) return;
        const now = { ready: Number(ready.replaceAll(',', '')), total: Number(total.replaceAll(',', '')) };
        if (now.ready < last.ready && now.total >= last.total)
          backwards.push(`${String(last.ready)} of ${String(last.total)}, then ${ready} of ${total}`);
        last = now;
      };
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      globalThis.week = { causeMs: 0, backwards };
      addEventListener('drop', () => (globalThis.week.causeMs = performance.now()), { capture: true });
    });
  const end = async (): Promise<void> => {
    const backwards = await app.window.evaluate(() => globalThis.week.backwards);
    if (backwards.length > 0) found['backwards'] = backwards;
    expect(found).toEqual({});
    await leave(stage, app);
  };
  const look = async (station: string): Promise<void> => {
    const faults = await faultsIn(app, station);
    if (Object.keys(faults).length > 0) found[station] = faults;
  };
  const desk = (name: string, content?: string): Promise<string> =>
    stage.put(path.join(stage.home, 'Desktop', name), content);
  const ticket = (): Locator => app.window.getByRole('region', { name: 'Files you added' });
  const button = (name: string | RegExp): Locator => app.window.getByRole('button', { name });
  const line = (name: string): Locator =>
    ticket()
      .getByRole('listitem')
      .filter({ has: app.window.locator('.name', { hasText: name }) });
  const slowly = (bytesPerSecond: number): void =>
    stage.service.faults.add({
      match: { method: 'POST' },
      times: null,
      fault: { kind: 'drip-read', bytesPerSecond },
    });
  const many = 'x'.repeat(600_000);

  /** Each line comes by itself after its cause, timed by the page's own clock, and has these actions. */
  const saysWhy = async (
    lines: Record<string, readonly [reason: string, ...acts: string[]]>,
  ): Promise<void> => {
    const took: Record<string, number> = {};
    await Promise.all(
      Object.entries(lines).map(async ([name, [reason]]) => {
        await line(name).locator('.reason', { hasText: reason }).first().waitFor();
        took[name] = await app.window.evaluate(() => performance.now() - globalThis.week.causeMs);
      }),
    );
    const pictures = process.env['OUTTRAY_PICTURES'];
    if (pictures !== undefined)
      await app.window.screenshot({ path: path.join(pictures, `${Object.keys(lines).join()}.png`) });
    for (const [name, [, ...acts]] of Object.entries(lines))
      expect(await line(name).locator('.acts').getByRole('button').allInnerTexts(), name).toEqual(acts);
    if (process.env['OUTTRAY_PICTURES'] !== undefined) console.log(took, limitMs);
    expect(Object.entries(took).filter(([, ms]) => ms > limitMs)).toEqual([]);
  };

  /** It is seen soon after the last drop. */
  const within = async (wanted: Locator): Promise<void> => {
    await wanted.waitFor();
    const tookMs = await app.window.evaluate(() => performance.now() - globalThis.week.causeMs);
    if (process.env['OUTTRAY_PICTURES'] !== undefined) console.log(String(wanted), tookMs, limitMs);
    expect(tookMs).toBeLessThan(limitMs);
  };

  test('Monday: a folder of 300 files with secrets, then a second drop', async () => {
    await begin();
    await watching();
    const renders = path.join(stage.home, 'Desktop', 'Renders');
    for (let at = 1; at <= 300; at += 1)
      await stage.put(path.join(renders, `render ${String(at).padStart(3, '0')}.png`));
    for (const name of ['.env', 'keys/id_rsa', 'clip.part', '.hidden'])
      await stage.put(path.join(renders, name));
    await stage.put(path.join(renders, 'nothing.txt'), '');
    await symlink(path.join(renders, 'render 001.png'), path.join(renders, 'latest'));
    slowly(20_000);
    await app.dropFiles('main', [renders]);
    await saysWhy({
      '.env': ['looks like a secret', 'Keep 2 private', 'Make public…'],
      clip: ['unfinished download', 'Upload anyway'],
      '.hidden': ['hidden', 'Upload anyway'],
      nothing: ['empty', 'Upload anyway'],
      latest: ['is a link to render 001.png', 'Upload that file'],
    });
    await look('300 files');
    const gone = await desk('gone.txt');
    await rm(gone);
    await app.dropFiles('main', [await desk('slow.mp4', many), gone]);
    await saysWhy({ gone: ['was deleted, moved or renamed before it was read', 'Choose again…'] });
    await app.window.locator('.given.older').waitFor();
    await look('two tickets');
    stage.service.faults.clear();
    await ticket().getByText('Link copied').waitFor();
    // The older one still asks.
    await app.window.locator('.given.older').waitFor();
    await look('two tickets at rest');
    await app.window.locator('.given.older').getByRole('button', { name: 'Expand' }).click();
    await button(/^Keep 2 private/).click();
    await app.window.locator('.given.older').waitFor({ state: 'detached' });
    await end();
  });

  test('Tuesday: offline, a revoked key, another link host, a rename on the way, refused files, links taken back', async () => {
    await begin();
    await watching();
    const { window } = app;
    stage.service.refuseConnections();
    await app.dropFiles('main', [await desk('offline.txt'), await desk('.netrc', 'B=2')]);
    await saysWhy({ '.netrc': ['looks like a secret', 'Keep private', 'Make public…'] });
    await within(
      window
        .locator('.banner, .foot')
        .getByText(/not reachable|cannot be reached|offline/i)
        .first(),
    );
    await look('offline');
    await stage.service.listen();
    await pressed(app, 'queue.resume', {});
    await ticket().getByText('Link copied').waitFor({ timeout: 120_000 });

    stage.service.revokeKey();
    await app.dropFiles('main', [await desk('revoked.txt')]);
    await within(window.locator('.banner').getByText(/key/i).first());
    await look('key revoked');
    stage.service.setKey(stage.service.key);
    await sayYes(app);
    await pressed(app, 'account.login', { key: stage.service.key });
    await ticket().getByText('Link copied').waitFor();

    stage.service.change({ linkHost: 'https://cdn.example.net' });
    await app.dropFiles('main', [await desk('elsewhere.txt'), await desk('second.txt')]);
    await ticket().getByText('new to Outtray').waitFor();
    await look('another link host');
    await sayYes(app);
    await button('Trust and copy 2').click();
    await ticket().getByText('2 links copied').waitFor();
    stage.service.change({ linkHost: null });

    await call(window, 'queue.pause', { untilMs: null });
    const draft = await desk('clip draft.mp4');
    await app.dropFiles('main', [draft]);
    await button('Cancel 1').waitFor();
    await rename(draft, path.join(path.dirname(draft), 'clip final.mp4'));
    await pressed(app, 'queue.resume', {});
    await line('clip draft').waitFor();
    await look('renamed');

    for (const [file, status] of [
      ['server image.iso', 413],
      ['clip.heic', 415],
    ] as const)
      stage.service.faults.add({
        match: { path: '/files/upload', filename: file },
        fault: { kind: 'answer', status },
      });
    await app.dropFiles('main', [await desk('server image.iso'), await desk('clip.heic')]);
    await saysWhy({ server: ['', 'Dismiss'], 'clip.heic': ['', 'Dismiss'] });
    await look('refused');

    // From a row, from a card, and by key.
    for (const name of ['offline.txt', 'revoked.txt']) {
      await window.locator('.row', { hasText: name }).click();
      await window.keyboard.press('Delete');
      await window.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
      await window.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await window.getByRole('region', { name: 'Recall' }).waitFor();
    await look('recalled');
    app.complaints.length = 0;
    await end();
  });

  test('Wednesday: a list of 20,000 files', async () => {
    await begin();
    writeManyUploads(path.join(stage.home, 'outtray', 'ledger.sqlite'), 20_000, 100_000);
    app = await stage.start({ apiKey: stage.service.key });
    await watchFolder(app, stage.folder);
    await reload(app);
    await watchNumbers();
    await app.window.locator('.row').first().waitFor();
    await app.dropFiles('main', [await desk('.env', 'A=1'), await desk('new.txt')]);
    await saysWhy({ '.env': ['looks like a secret', 'Keep private', 'Make public…'] });
    await look('20,000 files');
    await app.window.keyboard.press('Control+a');
    await look('20,000 files, all selected');
    await end();
  });
});
