// The screens of the window and their states, by name: each is a seed for the fake transport and the steps that
// lead there. Pictures and the accessibility test walk the same list.
import type { Page } from 'playwright-core';
import type { Seed } from './fake-seed.ts';
import {
  closed,
  firstRun,
  givenGroup,
  givenMixed,
  givenRow,
  secrets,
  secretTexts,
  severalFolders,
  zipped,
} from './screen-seeds.ts';
import {
  account,
  busyStatus,
  busyUploads,
  fewRows,
  inspection,
  manyRows,
  NOW_MS,
  status,
  burstStatus,
  burstUploads,
} from './seed.ts';

export type Screen = {
  name: string;
  seed: () => Partial<Seed>;
  steps?: (page: Page) => Promise<void>;
};

const open = (name: string) => async (page: Page) => {
  await page.getByRole('navigation').getByRole('button', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

const settingsTab = (tab: string) => async (page: Page) => {
  await open('Settings')(page);
  await page.getByRole('tab', { name: tab }).click();
};

const dialogFrom = (tab: string, button: string) => async (page: Page) => {
  await settingsTab(tab)(page);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').waitFor();
};

const rulesOf = (folder: string) => async (page: Page) => {
  await settingsTab('Folder')(page);
  await page.getByRole('button', { name: `Rules of ${folder}` }).click();
  await page.getByRole('region', { name: `Rules of ${folder}` }).waitFor();
};

const typeKey = (key: string) => async (page: Page) => {
  await page.getByLabel('Address').fill('files.example.com');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Check key' }).click();
};
const connect = async (page: Page) => {
  await typeKey('good-key-4d06')(page);
  await page.getByText('Pro · 300 files').first().waitFor();
};

const row = (page: Page, index: number) => page.locator('.row').nth(index);

const recallAll = async (page: Page) => {
  await row(page, 0).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Recall' }).click();
  await page.getByRole('region', { name: 'Recall' }).waitFor();
};

export const screens: readonly Screen[] = [
  { name: 'welcome-1-start', seed: firstRun },
  {
    name: 'welcome-2-refused',
    seed: firstRun,
    steps: async (page) => {
      await typeKey('wrong-key')(page);
      await page.getByText('does not accept').waitFor();
    },
  },
  {
    name: 'welcome-3-connected',
    seed: () => ({ ...firstRun(), inspection: inspection([], [], []) }),
    steps: connect,
  },
  {
    name: 'welcome-4-existing',
    seed: firstRun,
    steps: async (page) => {
      await connect(page);
      await page.getByRole('checkbox', { name: 'can be uploaded' }).check();
    },
  },
  {
    name: 'welcome-5-some',
    seed: firstRun,
    steps: async (page) => {
      await connect(page);
      await page.getByRole('button', { name: 'can be uploaded' }).click();
      await page.getByLabel('report Q3.pdf').check();
      await page.getByRole('button', { name: 'skipped' }).click();
    },
  },
  { name: 'files', seed: () => ({}) },
  { name: 'files-compact', seed: () => ({ compactRows: true, rows: manyRows(200) }) },
  { name: 'files-loading', seed: () => ({ silent: ['files.page'] }) },
  {
    name: 'files-empty',
    seed: () => ({
      rows: [],
      status: status({ counts: { uploaded: 0, waiting: 0, held: 0, skipped: 0, failed: 0 } }),
    }),
  },
  {
    name: 'files-no-match',
    seed: () => ({}),
    steps: async (page) => {
      await page.getByRole('searchbox').fill('nowhere to be found');
      await page.getByText('Nothing matches').waitFor();
    },
  },
  {
    name: 'files-copied',
    seed: () => ({ uploads: busyUploads(), status: busyStatus() }),
    steps: async (page) => {
      await row(page, 1).getByRole('button', { name: 'Copy link' }).click();
    },
  },
  {
    name: 'files-selected',
    seed: () => ({}),
    steps: async (page) => {
      await row(page, 1).click({ modifiers: ['Control'] });
      await row(page, 3).click({ modifiers: ['Shift'] });
    },
  },
  {
    name: 'files-menu',
    seed: () => ({}),
    steps: async (page) => {
      await row(page, 2).getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'files-card-menu',
    seed: () => ({}),
    steps: async (page) => {
      await page.locator('.row').nth(1).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy release card' }).click();
      await page.getByRole('menuitem', { name: 'SHA256SUMS' }).waitFor();
    },
  },
  {
    name: 'files-details',
    seed: () => ({}),
    steps: async (page) => {
      await row(page, 1).click();
      await page.keyboard.press('i');
      await page.locator('.details').waitFor();
    },
  },
  {
    name: 'files-followed',
    seed: () => ({
      rows: fewRows().map((one, at) => ({ ...one, isFollowed: at < 3 })),
      downloads: [2, 3, 7, 8, 10, 11].map((downloads, at, all) => ({
        atMs: NOW_MS - (6 - at) * 5 * 3_600_000,
        downloads,
        gained: downloads - (all[at - 1] ?? 0),
      })),
    }),
    steps: async (page) => {
      await row(page, 1).click();
      await page.keyboard.press('i');
      await page.locator('.details').getByText('1 earlier').waitFor();
    },
  },
  {
    name: 'given-going',
    seed: () => ({ given: { ...givenGroup, going: 12, linked: 3, copy: 'later' } }),
  },
  { name: 'given-copied', seed: () => ({ given: givenGroup }) },
  {
    name: 'given-recall',
    seed: () => ({ given: givenMixed }),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Recall…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'recall-going',
    seed: () => ({ silent: ['files.delete'], rows: manyRows(40) }),
    steps: async (page) => {
      await recallAll(page);
      await page.getByText('Recalling 1 of 40').first().waitFor();
    },
  },
  { name: 'recall-done', seed: () => ({ rows: manyRows(12) }), steps: recallAll },
  {
    name: 'recall-open',
    seed: () => ({ rows: manyRows(12), alive: [3, 5] }),
    steps: recallAll,
  },
  { name: 'queue-secrets', seed: secrets, steps: open('Queue') },
  { name: 'queue-secret-texts', seed: secretTexts, steps: open('Queue') },
  {
    name: 'queue-secrets-wait',
    seed: secrets,
    steps: async (page) => {
      await open('Queue')(page);
      await page.getByRole('button', { name: 'Make public…' }).first().click();
      await page.getByRole('region', { name: 'Becomes public' }).waitFor();
    },
  },
  {
    name: 'given-shared',
    seed: () => ({
      given: {
        ...givenGroup,
        total: 1,
        linked: 1,
        rows: [givenRow(1, 'dataset 2026.parquet', NOW_MS)],
        faces: [{ uploadId: 1, name: 'dataset 2026.parquet' }],
        first: { ...givenGroup.first, name: 'dataset 2026.parquet', isOther: true },
      },
    }),
  },
  {
    name: 'zip-packing',
    seed: () => ({
      packings: [
        {
          id: 1,
          name: 'brand assets.zip',
          files: 120,
          totalFiles: 300,
          bytes: 402_000_000,
          totalBytes: 1_005_000_000,
        },
      ],
    }),
  },
  { name: 'zip-left-out', seed: () => ({ given: zipped }) },
  {
    name: 'zip-left-out-list',
    seed: () => ({ given: zipped }),
    steps: async (page) => {
      await page.getByRole('button', { name: /^102 × / }).click();
    },
  },
  {
    name: 'zip-details',
    seed: () => ({
      inside: {
        files: Array.from({ length: 200 }, (_, at) => ({
          name: `brand/${'deep/'.repeat(at % 7)}picture ${String(at)} 图.png`,
          sizeBytes: 4_321 * (at + 1),
        })),
        total: 1_203,
      },
    }),
    steps: async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await row(page, 3).click();
      await page.getByRole('region', { name: '1,203 files in this zip' }).waitFor();
    },
  },
  {
    name: 'files-pane',
    seed: () => ({}),
    steps: async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await row(page, 1).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
    },
  },
  {
    name: 'files-delete',
    seed: () => ({}),
    steps: async (page) => {
      await row(page, 0).click();
      await row(page, 2).click({ modifiers: ['Shift'] });
      // On a busy machine the details of the first click are open by then, and may have the focus.
      await page.getByRole('grid').first().focus();
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'files-100000', seed: () => ({ rows: manyRows(100_000) }) },
  { name: 'files-offline', seed: () => closed('network', null) },
  { name: 'files-key-refused', seed: () => closed('key', null) },
  { name: 'files-wrong-plan', seed: () => closed('plan', null) },
  { name: 'files-folder-missing', seed: () => ({ status: status({ folderAvailable: false }) }) },
  {
    name: 'files-no-keychain',
    seed: () => ({
      account: account({
        key: {
          kind: 'session',
          lastFour: '4d06',
          remedy: 'Install gnome-keyring or KWallet, or set OUTTRAY_API_KEY.',
        },
      }),
    }),
  },
  {
    name: 'shortcuts',
    seed: () => ({}),
    steps: async (page) => {
      await page.locator('.row').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'queue',
    seed: () => ({ uploads: busyUploads(), status: busyStatus() }),
    steps: open('Queue'),
  },
  { name: 'queue-empty', seed: () => ({}), steps: open('Queue') },
  {
    name: 'queue-paused',
    seed: () => ({
      uploads: busyUploads().slice(2, 11),
      status: status({
        paused: true,
        pausedUntilMs: NOW_MS + 88 * 60_000,
        counts: { uploaded: 12, waiting: 9, held: 0, skipped: 0, failed: 0 },
      }),
    }),
    steps: open('Queue'),
  },
  {
    name: 'queue-pause-menu',
    seed: () => ({ uploads: busyUploads(), status: busyStatus() }),
    steps: async (page) => {
      await open('Queue')(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'queue-burst',
    seed: () => ({ uploads: burstUploads(), status: burstStatus() }),
    steps: async (page) => {
      await open('Queue')(page);
      await page.getByRole('button', { name: /^Skipped/ }).click();
      await page
        .getByRole('button', { name: /^Cancel/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'queue-budget',
    seed: () => ({
      uploads: busyUploads().slice(2),
      status: {
        ...busyStatus(),
        sending: 0,
        limit: { reason: 'budget', untilMs: NOW_MS + 24 * 3_600_000 },
      },
    }),
    steps: open('Queue'),
  },
  { name: 'queue-daily-uploads', seed: () => closed('daily-uploads', null), steps: open('Queue') },
  {
    name: 'queue-uncertain',
    seed: () => ({ uploads: busyUploads(), status: busyStatus() }),
    steps: async (page) => {
      await open('Queue')(page);
      await page.getByRole('button', { name: 'Compare' }).last().click();
      await page.getByText('same size').waitFor();
    },
  },
  { name: 'statistics', seed: () => ({}), steps: open('Statistics') },
  { name: 'statistics-empty', seed: () => ({ statsRead: false, rows: [] }), steps: open('Statistics') },
  { name: 'statistics-one-reading', seed: () => ({ readings: 1 }), steps: open('Statistics') },
  {
    name: 'statistics-uploads',
    seed: () => ({}),
    steps: async (page) => {
      await open('Statistics')(page);
      await page.getByRole('tab', { name: 'Uploads' }).click();
    },
  },
  { name: 'settings-account', seed: () => ({}), steps: settingsTab('Account') },
  {
    name: 'settings-replace-key',
    seed: () => closed('key', null),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Replace key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-folder',
    seed: () => ({ lockedSettings: { holdSecrets: 'your organisation (/etc/outtray/policy.json)' } }),
    steps: settingsTab('Folder'),
  },
  { name: 'settings-folders', seed: severalFolders, steps: settingsTab('Folder') },
  {
    name: 'settings-folders-german',
    seed: () => ({ ...severalFolders(), languages: ['de-DE'] }),
    steps: async (page) => {
      await page.getByRole('navigation').getByRole('button', { name: 'Einstellungen' }).click();
      await page.getByRole('tab', { name: 'Ordner' }).click();
      await page.getByRole('button', { name: 'Ordner hinzufügen…', exact: true }).waitFor();
    },
  },
  {
    name: 'settings-folder-rules',
    seed: severalFolders,
    steps: rulesOf('Releases'),
  },
  {
    name: 'settings-folder-rules-german',
    seed: () => ({ ...severalFolders(), languages: ['de-DE'] }),
    steps: async (page) => {
      await page.getByRole('navigation').getByRole('button', { name: 'Einstellungen' }).click();
      await page.getByRole('tab', { name: 'Ordner' }).click();
      await page.getByRole('button', { name: 'Regeln für Releases' }).click();
      await page.getByRole('region', { name: 'Regeln für Releases' }).waitFor();
    },
  },
  {
    name: 'settings-folder-rules-wrong-pattern',
    seed: severalFolders,
    steps: async (page) => {
      await rulesOf('Shared with the press')(page);
      await page.getByText('12 of 330 files ignored now').waitFor();
      await page.getByRole('textbox', { name: 'Ignore patterns' }).fill('*.tmp\n\n[drafts');
      await page.keyboard.press('Tab');
      await page.getByText('line 3', { exact: false }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-folder-remove',
    seed: severalFolders,
    steps: dialogFrom('Folder', 'Remove Shared with the press'),
  },
  {
    name: 'settings-folder-add',
    seed: () => ({ ...firstRun(), account: account(), ...severalFolders() }),
    steps: dialogFrom('Folder', 'Add screenshots folder'),
  },
  {
    name: 'files-folders-german',
    seed: () => ({ ...severalFolders(), languages: ['de-DE'] }),
    steps: async (page) => {
      await page.getByRole('combobox', { name: 'Ordner' }).waitFor();
    },
  },
  { name: 'settings-after', seed: () => ({}), steps: settingsTab('After upload') },
  {
    name: 'settings-folder-invalid',
    seed: () => ({}),
    steps: async (page) => {
      await settingsTab('Folder')(page);
      await page.getByLabel('Ask before more than').first().fill('9999999');
      await page.keyboard.press('Tab');
      await page.getByText('Not saved').waitFor();
    },
  },
  { name: 'settings-general', seed: () => ({}), steps: settingsTab('General') },
  { name: 'settings-changes', seed: () => ({}), steps: dialogFrom('General', 'What’s new') },
  {
    name: 'settings-diagnostics-german',
    seed: () => ({ languages: ['de-DE'] }),
    steps: async (page) => {
      await page.getByRole('navigation').getByRole('button', { name: 'Einstellungen' }).click();
      await page.getByRole('tab', { name: 'Diagnose' }).click();
      await page.getByRole('button', { name: 'Prüfungen starten (1 Anfrage)' }).click();
      await page.getByText('inotify').first().waitFor();
    },
  },
  {
    name: 'settings-diagnostics',
    seed: () => ({}),
    steps: async (page) => {
      await settingsTab('Diagnostics')(page);
      await page.getByRole('button', { name: 'Run checks' }).click();
      await page.getByText('inotify').waitFor();
    },
  },
  { name: 'settings-bundle', seed: () => ({}), steps: dialogFrom('Diagnostics', 'Show bundle') },
];
