// Several folders in the window: a second one is added with its content, gets rules of its own, is paused and removed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import {
  call,
  eventually,
  leave,
  lookAway,
  reload,
  setStage,
  startWatching,
  untilStatus,
  sayYes,
} from './stage.ts';

test.skipIf(!canLaunch)(
  'a second folder has its own rules and counts; Files shows it alone; it is paused, and removed',
  async () => {
    const stage = await setStage();
    const releases = path.join(stage.home, 'Releases');
    await mkdir(path.join(releases, 'below'), { recursive: true });
    for (const name of ['notes.txt', 'old.txt']) await stage.put(path.join(releases, name));
    const app = await startWatching(stage);
    const { window } = app;
    await lookAway(app);
    const choose = async (folder: string): Promise<void> => {
      await app.answer('showOpenDialog', { canceled: false, filePaths: [folder] });
      await window.getByRole('button', { name: 'Add folder…' }).click();
    };
    const row = window.getByRole('row', { name: /Releases/ });

    await window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await window.getByRole('tab', { name: 'Folder' }).click();
    await choose(path.join(stage.folder));
    await window
      .getByText(/is watched already/)
      .first()
      .waitFor();
    await choose(releases);
    await window.getByRole('button', { name: 'can be uploaded (2)' }).click();
    await window.getByRole('checkbox', { name: /notes\.txt/ }).check();
    await sayYes(app);
    await window.getByRole('button', { name: 'Add and upload 1' }).click();
    await row.getByText('1 uploaded').waitFor();
    await row.getByText('1 skipped').waitFor();
    await row.getByText('Watched', { exact: true }).waitFor();

    const told = async (): Promise<string[]> => (await app.notifications()).map(({ title }) => title);
    await eventually(told).toEqual(['Link ready: notes.txt']);

    // Rules of its own.
    await row.getByRole('button', { name: 'Rules of Releases' }).click();
    const rules = window.getByRole('region', { name: 'Rules of Releases' });
    const add = async (name: string): Promise<void> => {
      await rules.getByRole('button', { name: 'Own rule…' }).click();
      await window.getByRole('menuitem', { name, exact: true }).click();
    };
    const own = async (name: string, value: string): Promise<void> => {
      await add(name);
      await rules.getByLabel(name, { exact: true }).selectOption(value);
    };
    await own('Copy the link', 'Always');
    await own('Format of copied links', 'Markdown');
    await own('Show a notification', 'no');
    await sayYes(app);
    await add('Ignore patterns');
    const patterns = rules.getByRole('textbox', { name: 'Ignore patterns' });
    await patterns.fill('*.draft\n\n[draft\n');
    await window.keyboard.press('Tab');
    await rules.getByText('Not saved: line 3 has a [ that is never closed').waitFor();
    await sayYes(app);
    await patterns.fill('*.draft\n');
    await window.keyboard.press('Tab');
    await rules.getByText('0 of 2 files ignored now').waitFor();
    const leaveRules = () => rules.getByRole('button', { name: 'Watched folders' }).click();
    await leaveRules();
    await row.getByText('Ignore patterns: 1 pattern', { exact: false }).waitFor();
    await eventually(() => window.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Rules of Releases',
    );
    expect((await call(window, 'folders.list', {})).map((one) => one.own)).toEqual([
      [],
      ['ignore', 'copyLink', 'copyFormat', 'notify'],
    ]);

    // Files in both: each by the rules of its folder.
    await stage.put('in-first.txt');
    await untilStatus(window, ({ counts }) => counts.uploaded === 2);
    const both = ['Link ready: notes.txt', 'Link ready: in-first.txt'];
    await eventually(told).toEqual(both);
    await stage.put(path.join(releases, 'app.txt'));
    await stage.put(path.join(releases, 'plan.draft'));
    const status = await untilStatus(
      window,
      ({ counts }) => counts.uploaded === 3 && counts.skipped === 2 && counts.waiting === 0,
    );
    expect(status.folders.map(({ counts }) => [counts.uploaded, counts.skipped])).toEqual([
      [1, 0],
      [2, 2],
    ]);
    await row.getByText('2 uploaded').waitFor();
    const link = stage.service.files().find(({ filename }) => filename === 'app.txt')?.link ?? '';
    await eventually(() => app.clipboardText()).toBe(`[app.txt](${link})`);
    expect(await told()).toEqual(both);

    await row.getByRole('button', { name: 'Rules of Releases' }).click();
    await rules.getByText('1 of 4 files ignored now').waitFor();
    await leaveRules();

    // Only watched folders are opened.
    await row.getByRole('button', { name: 'Open Releases' }).click();
    await eventually(async () => (await app.opened()).at(-1)?.target).toContain(releases);
    for (const folder of [stage.home, path.join(releases, 'below')])
      await expect(call(window, 'window.openFolder', { folder })).rejects.toThrow('not-found');

    // Files of one folder.
    await window.getByRole('navigation').getByRole('button', { name: 'Files' }).click();
    const shown = (): Promise<string[]> =>
      window
        .locator('.row bdi')
        .evaluateAll((names) => names.map((name) => name.getAttribute('title') ?? '').sort());
    await eventually(shown).toEqual(['app.txt', 'in-first.txt', 'notes.txt']);
    await window.getByRole('combobox', { name: 'Folder' }).selectOption('Releases');
    await eventually(shown).toEqual(['app.txt', 'notes.txt']);
    await window.getByRole('searchbox').fill('app');
    await eventually(shown).toEqual(['app.txt']);

    // A paused folder keeps its files, while others are uploaded.
    await window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await row.getByRole('button', { name: 'Pause Releases' }).click();
    await row.getByText('Paused', { exact: true }).waitFor();
    await stage.put(path.join(releases, 'waits.txt'));
    await stage.put('goes.txt');
    await untilStatus(window, ({ counts }) => counts.uploaded === 4 && counts.waiting === 1);
    await row.getByText('1 waiting').waitFor();
    await row.getByRole('button', { name: 'Resume Releases' }).click();
    await untilStatus(window, ({ counts }) => counts.uploaded === 5);

    // The user is asked once; links stay.
    await row.getByRole('button', { name: 'Remove Releases' }).click();
    await window.getByRole('dialog').getByText('Existing links stay', { exact: false }).waitFor();
    await window.getByRole('button', { name: 'Stop watching' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await call(window, 'app.status', {})).folders).toHaveLength(1);
    expect(stage.service.files()).toHaveLength(5);
    await window.getByRole('navigation').getByRole('button', { name: 'Files' }).click();
    await window.getByRole('searchbox').fill('');
    await eventually(shown).toEqual(['app.txt', 'goes.txt', 'in-first.txt', 'notes.txt', 'waits.txt']);
    expect(await window.getByRole('combobox', { name: 'Folder' }).count()).toBe(0);
    await leave(stage, app);
  },
);

test.skipIf(!canLaunch)(
  'without its last folder the window stays as it is: also after a reload; files are dropped by hand, and a folder is added again',
  async () => {
    await using stage = await setStage();
    const app = await startWatching(stage);
    const { window } = app;
    const open = async (view: string): Promise<void> => {
      await window.getByRole('navigation').getByRole('button', { name: view }).click();
      await window.getByRole('heading', { level: 1, name: view }).waitFor();
    };
    const toFolders = async (): Promise<void> => {
      await open('Settings');
      await window.getByRole('tab', { name: 'Folder' }).click();
    };
    await toFolders();
    await window.getByRole('button', { name: /^Remove / }).click();
    await window.getByRole('button', { name: 'Stop watching' }).click();
    await window.getByText('No folder is watched', { exact: false }).waitFor();
    await window.locator('.foot').getByText('No folder chosen').waitFor();
    await reload(app);
    await open('Queue');
    await window.getByText('No folder chosen').first().waitFor();
    await open('Files');
    await window.getByText('Drop a file anywhere on this window. Its link appears here.').waitFor();
    await app.dropFiles('main', [await stage.put(path.join(stage.home, 'Desktop', 'by hand.txt'))]);
    await window.getByRole('region', { name: 'Files you added' }).getByText('Link copied').waitFor();

    await reload(app);
    await window.locator('.row', { hasText: 'by hand' }).waitFor();
    await toFolders();
    await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
    await window.getByRole('button', { name: 'Add folder…' }).click();
    await sayYes(app);
    await window.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await window.getByRole('row', { name: /Shared/ }).waitFor();
    await leave(stage, app);
  },
);

test.skipIf(!canLaunch)(
  'the system’s folder of screenshots is offered where it exists, and each new link is copied',
  async () => {
    const stage = await setStage();
    const app = await startWatching(stage);
    const { window } = app;
    const toFolders = async (): Promise<void> => {
      await window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
      await window.getByRole('tab', { name: 'Folder' }).click();
      await window.getByRole('button', { name: 'Add folder…' }).waitFor();
    };
    const offer = window.getByRole('button', { name: 'Add screenshots folder…' });
    await toFolders();
    await window.getByRole('row', { name: /Shared/ }).waitFor();
    expect(await offer.count()).toBe(0);

    const screenshots = path.join(stage.home, 'Pictures', 'Screenshots');
    await mkdir(screenshots, { recursive: true });
    await reload(app);
    await toFolders();
    await offer.click();
    await window.getByText('The link of each new screenshot is copied.').waitFor();
    await sayYes(app);
    await window.getByRole('button', { name: 'Add', exact: true }).click();
    await window
      .getByRole('row', { name: /Screenshots/ })
      .getByText('Copy the link: Always')
      .waitFor();
    expect(await offer.count()).toBe(0);
    await untilStatus(window, ({ folders, watch }) => folders.length === 2 && watch === 'live');
    await stage.put(path.join(screenshots, 'shot.txt'));
    await untilStatus(window, ({ counts }) => counts.uploaded === 1);
    await eventually(() => app.clipboardText()).toBe(stage.service.files()[0]?.link);
    await leave(stage, app);
  },
);

/** A drive that a program serves. */
const bindfs = '/usr/bin/bindfs';
const canBind = process.getuid?.() === 0 && existsSync('/dev/fuse') && existsSync(bindfs);

test.skipIf(!canLaunch || !canBind)(
  'a folder on a drive that others write to shows how often it is scanned',
  async () => {
    const stage = await setStage();
    const far = path.join(stage.home, 'far');
    await mkdir(far);
    execFileSync(bindfs, [far, stage.folder]);
    onTestFinished(() => void execFileSync('/usr/bin/umount', ['-l', stage.folder]));
    const { window } = await startWatching(stage);
    await window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await window.getByRole('tab', { name: 'Folder' }).click();
    await window.getByText('A network drive: looked at every minute').waitFor();
  },
);
