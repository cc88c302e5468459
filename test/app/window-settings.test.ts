// The settings of the built window alone, in chromium, with the fake transport behind it.
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  defaultSettings,
  folderSettings,
  rowOf,
  settingNames,
  type SettingName,
} from '../../src-main/contract/settings.ts';
import { callsOf, useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { screens } from '../support/window/screens.ts';

describe.skipIf(!canOpenWindow())('the settings in the built window', () => {
  const inWindow = useWindow();

  /** Settings that the window does not show: the command and policies set them. */
  const elsewhere: readonly SettingName[] = [
    'allowAccountChange',
    'allowCopy',
    'allowGivenFiles',
    'allowPause',
    'allowedRoots',
    'allowedTypes',
    'folders',
    'forbiddenRoots',
    'forbiddenTypes',
    'keyCommand',
    'maxExpireAfter',
    'maxFileBytes',
    'minimumVersion',
    'requireLookInside',
    'updateChannel',
    'updateFeed',
  ];

  test('a locked setting names who locked it, and its control is off, in every tab', async () => {
    const lockedSettings = Object.fromEntries(settingNames.map((name) => [name, `the policy of ${name}.`]));
    await inWindow({ lockedSettings }, async (page, transport) => {
      await transport.call('settings.set', { name: 'auditFile', value: '/srv/audit.jsonl' });
      await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
      const shown: string[] = [];
      for (const tab of ['Account', 'Folder', 'After upload', 'Network', 'General', 'Diagnostics']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).locator('.setting, .fact').first().waitFor();
        const text = await page.getByRole('tabpanel', { name: tab }).innerText();
        shown.push(...Array.from(text.matchAll(/the policy of (\w+)\./g), ([, name = '']) => name));
        const rows = page.locator('.setting');
        for (const row of await rows.all()) {
          expect(await row.innerText()).toContain('the policy of');
          const controls = row.locator('input, select, textarea, button');
          for (const control of await controls.all()) expect(await control.isDisabled()).toBe(true);
        }
      }
      for (const name of settingNames.filter((one) => !elsewhere.includes(one)))
        expect(shown.includes(name), name).toBe(rowOf(name).tuning !== true);
    });
  });

  test('a lock that appears while the settings are open turns its control off at once, and on again when it is lifted', async () => {
    await inWindow({}, async (page, transport) => {
      await page.keyboard.press('Control+4');
      await page.getByRole('tab', { name: 'Network' }).click();
      const proxy = page.getByLabel('Proxy');
      const locked = page.getByText('Locked: the new policy');
      await expect.poll(() => proxy.isEnabled()).toBe(true);
      expect(await locked.count()).toBe(0);
      transport.seed.lockedSettings = { proxy: 'the new policy' };
      transport.send({ kind: 'settings' });
      await locked.waitFor();
      expect(await proxy.isDisabled()).toBe(true);
      transport.seed.lockedSettings = {};
      transport.send({ kind: 'settings' });
      await expect.poll(() => proxy.isEnabled()).toBe(true);
      expect(await locked.count()).toBe(0);
    });
  });

  test('diagnostics are in German, even for checks that were not made', async () => {
    const german = screens.find((screen) => screen.name === 'settings-diagnostics-german');
    await inWindow(german?.seed() ?? {}, async (page) => {
      await german?.steps?.(page);
      await page.getByText('Der Dienst wurde nicht angefragt.').waitFor();
      expect(await page.getByText('Not asked.').count()).toBe(0);
    });
  });

  test('a proxy needs no http://', async () => {
    await inWindow({}, async (page, transport) => {
      await page.keyboard.press('Control+4');
      await page.getByRole('tab', { name: 'Network' }).click();
      await page.getByLabel('Proxy').selectOption('manual');
      await page.getByRole('textbox', { name: 'Address' }).fill('proxy.example.com:3128');
      await page.keyboard.press('Tab');
      await expect
        .poll(() => callsOf(transport, 'settings.set'))
        .toEqual([{ name: 'proxy', value: 'http://proxy.example.com:3128' }]);
    });
  });

  test('a folder that a policy sets shows it, and forbidden controls cannot be pressed', async () => {
    const screen = screens.find(({ name }) => name === 'settings-folders');
    const lockedSettings = { folders: 'your organisation', allowPause: 'the team' };
    await inWindow({ ...screen?.seed(), lockedSettings }, async (page, transport) => {
      await transport.call('settings.set', { name: 'allowPause', value: false });
      await screen?.steps?.(page);
      const row = (name: RegExp): Locator => page.getByRole('row', { name });
      await row(/Releases/)
        .getByText('Locked: your organisation')
        .waitFor();
      await row(/Releases/)
        .getByText('Locked: the team')
        .waitFor();
      for (const name of ['Remove Releases', 'Pause Releases'])
        expect(
          await row(/Releases/)
            .getByRole('button', { name })
            .isDisabled(),
        ).toBe(true);
      expect(await page.getByRole('button', { name: 'Remove Releases' }).getAttribute('title')).toBe(
        'Locked: your organisation',
      );
      expect(await page.getByRole('button', { name: 'Rules of Releases' }).isEnabled()).toBe(true);
      // The first one is a setting of its own.
      const first = row(/~\/Outtray/);
      expect(await first.getByRole('button', { name: /^Remove/ }).isEnabled()).toBe(true);
      for (const name of ['Add folder…', 'Add screenshots folder…'])
        expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
      // One that is away is not chosen again where a policy decides which it is.
      await row(/stick/).getByText('Not there').waitFor();
      expect(await page.getByRole('button', { name: 'Choose again…' }).count()).toBe(0);
    });
  });

  test('a folder’s rules are a page: a sentence with its own values, only these as controls, each with a way back', async () => {
    const screen = screens.find(({ name }) => name === 'settings-folder-rules');
    await inWindow(screen?.seed() ?? {}, async (page) => {
      await screen?.steps?.(page);
      const rules = page.getByRole('region', { name: 'Rules of Releases' });
      expect(await page.getByRole('dialog').count()).toBe(0);
      const isFocused = (of: Locator): Promise<boolean> =>
        of.evaluate((element) => element === document.activeElement);
      await expect.poll(() => isFocused(rules.getByRole('heading', { level: 2 }))).toBe(true);
      // Those of Settings are one sentence, and nothing else of Settings is here.
      expect(await page.getByLabel('Search inside files').count()).toBe(0);
      await rules.getByText(/^As in Settings \(.*Ignore patterns: /).waitFor();
      const sentence = rules.locator('.new');
      const ends = rules.getByLabel('Links expire', { exact: true });
      const back = rules.getByRole('button', { name: 'Back to Settings: Links expire' });
      const add = rules.getByRole('button', { name: 'Own rule…' });
      await sentence.filter({ hasText: '› link expires after 31 days' }).waitFor();
      await ends.selectOption('after 7 days');
      await sentence.filter({ hasText: '› link expires after 7 days' }).waitFor();
      expect(await sentence.locator('.own').allInnerTexts()).toContain('link expires after 7 days');
      await back.click();
      await sentence.filter({ hasNotText: 'link expires' }).waitFor();
      await back.waitFor({ state: 'detached' });
      await expect.poll(() => isFocused(add)).toBe(true);
      await add.click();
      await page.getByRole('menuitem', { name: 'Links expire' }).click();
      await expect.poll(() => isFocused(ends)).toBe(true);
      await ends.selectOption('after 7 days');
      await sentence.filter({ hasText: '› link expires after 7 days' }).waitFor();

      await rules.getByRole('button', { name: 'Watched folders' }).click();
      await rules.waitFor({ state: 'detached' });
      await expect.poll(() => isFocused(page.getByRole('button', { name: 'Rules of Releases' }))).toBe(true);
    });
  });

  test('a rule that cannot be added says why, and the button to add it keeps the focus', async () => {
    const screen = screens.find(({ name }) => name === 'settings-folder-rules');
    await inWindow(screen?.seed() ?? {}, async (page, transport) => {
      await screen?.steps?.(page);
      transport.seed.failing = ['folders.set'];
      const add = page.getByRole('button', { name: 'Own rule…' });
      await add.click();
      await page.getByRole('menuitem', { name: 'Copy the link' }).click();
      await page
        .getByText(/^Copy the link · Not saved: ./)
        .first()
        .waitFor();
      await expect.poll(() => add.evaluate((it) => it === document.activeElement)).toBe(true);
    });
  });

  test('with all rules its own, a folder’s page says nothing of Settings; it ends with the folder, and does not come back with it', async () => {
    const screen = screens.find(({ name }) => name === 'settings-folder-rules');
    const seed = { ...screen?.seed(), lockedSettings: {} };
    const folder = '/home/mara/Work/Releases';
    const all = defaultSettings();
    seed.ownRules = { [folder]: Object.fromEntries(folderSettings.map((name) => [name, all[name]])) };
    await inWindow(seed, async (page, transport) => {
      await screen?.steps?.(page);
      const rules = page.getByRole('region', { name: 'Rules of Releases' });
      await rules.getByRole('button', { name: 'Back to Settings: Links expire' }).waitFor();
      expect(await rules.getByText('As in Settings').count()).toBe(0);
      await transport.call('folders.remove', { folder });
      await rules.waitFor({ state: 'detached' });
      await transport.call('folders.add', { folder: { path: folder }, existing: 'skip' });
      await page.getByRole('button', { name: 'Rules of Releases' }).waitFor();
      expect(await rules.count()).toBe(0);
    });
  });

  test('a menu leads to the rules of the other folders; what was typed belongs to the folder that is left', async () => {
    const screen = screens.find(({ name }) => name === 'settings-folder-rules');
    await inWindow(screen?.seed() ?? {}, async (page, transport) => {
      await screen?.steps?.(page);
      const press = page.getByRole('region', { name: 'Rules of Shared with the press' });
      const releases = page.getByRole('region', { name: 'Rules of Releases' });
      const menu = page.getByRole('combobox', { name: 'Folder', exact: true });
      const patterns = page.getByRole('textbox', { name: 'Ignore patterns' });
      await menu.selectOption('Shared with the press');
      await press.waitFor();
      await patterns.fill('*.bak');
      await menu.focus();
      await menu.selectOption('Releases');
      await releases.waitFor();
      await expect
        .poll(() => callsOf(transport, 'folders.set'))
        .toEqual([
          {
            folder: '/home/mara/Documents/Customers/Northern Region/Shared with the press',
            name: 'ignore',
            value: ['*.bak'],
          },
        ]);
      await menu.selectOption('Shared with the press');
      expect(await patterns.inputValue()).toBe('*.bak');
      for (const [width, height] of [
        [960, 640],
        [640, 480],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(
          await press.evaluate(
            (all) => all.scrollWidth > all.clientWidth || document.body.scrollWidth > innerWidth,
          ),
        ).toBe(false);
      }
    });
    await inWindow({}, async (page) => {
      await page.keyboard.press('Control+4');
      await page.getByRole('tab', { name: 'Folder' }).click();
      await page.getByRole('button', { name: /^Rules of/ }).click();
      await page.getByRole('region', { name: /^Rules of/ }).waitFor();
      expect(await page.getByRole('combobox', { name: 'Folder', exact: true }).count()).toBe(0);
    });
  });

  test('a wrong setting is refused beside its field and never sent; a right one is', async () => {
    await inWindow({}, async (page, transport) => {
      await page.keyboard.press('Control+4');
      await page.getByRole('tab', { name: 'Folder' }).click();
      const field = page.getByLabel('Ask before more than').first();
      await field.fill('9999999');
      await page.keyboard.press('Tab');
      await page.getByText('Not saved: at most 1,000,000').waitFor();
      await field.fill('8');
      await page.keyboard.press('Tab');
      await expect.poll(() => callsOf(transport, 'settings.set')).toEqual([{ name: 'burstFiles', value: 8 }]);
    });
  });

  test('the progress of an update that loads by itself is shown as it goes, until it is ready', async () => {
    await inWindow({}, async (page, transport) => {
      const { call } = transport;
      const states = [0.1, 0.6].map((share) => ({ kind: 'loading', version: '9.0.0', share }));
      transport.call = async (name, input) =>
        name === 'window.update'
          ? { ok: true, answer: states.shift() ?? { kind: 'ready', version: '9.0.0', notes: '' } }
          : await call(name, input);
      await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: 'General' }).click();
      await page.getByRole('button', { name: 'Restart' }).waitFor();
      expect(states).toEqual([]);
    });
  });
});
