// What tray, menu and notifications show in which state.
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import type { Entry, EntryBody } from '../../../src-main/contract/entries.ts';
import { noCounts, type EngineStatus, type VerifyReason } from '../../../src-main/contract/model.ts';
import type { Platform } from '../../../src-main/contract/text/speech.ts';
import { menuTemplate } from '../../../src-main/shell/menu.ts';
import { notableOf, notificationsFor } from '../../../src-main/shell/notifications/notifications.ts';
import { statusLine, trayState } from '../../../src-main/shell/tray/status-line.ts';
import { pauses } from '../../../src-main/contract/pauses.ts';
import { createSpeech } from '../../../src-main/shell/texts.ts';
import {
  trayItems,
  trayTemplate,
  type TrayActs,
  type TrayShown,
} from '../../../src-main/shell/tray/tray-menu.ts';
import { statusWith } from './a-status.ts';

const speech = createSpeech('en', ['en-GB']);
const noon = new Date(2026, 10, 20, 12, 0).getTime();
const closed = (reason: 'network' | 'key', untilMs: number | null = null): EngineStatus['gate'] => ({
  kind: 'closed',
  reason,
  untilMs,
  message: '',
  remedy: '',
});
const counts = (more: object) => ({ counts: { ...noCounts(), ...more } });

describe('the tray’s state and line', () => {
  test.each<[string, Partial<EngineStatus>, string, string]>([
    ['nothing to do', {}, 'idle', 'All uploaded · watching “Shared”'],
    ['no folder', { folder: null }, 'attention', 'No folder chosen · choose one in Settings'],
    ['a folder that is gone', { folderAvailable: false }, 'attention', 'Folder missing · needs you'],
    ['uploads', { sending: 2, ...counts({ waiting: 14 }) }, 'working', '0 of 14 ready'],
    [
      'uploads at an even pace, none at this moment',
      { nextSlotAtMs: noon + 12_000, doneAtMs: noon + 60_000, ...counts({ waiting: 3 }) },
      'working',
      '0 of 3 ready · all done about 12:01',
    ],
    [
      'a file from outside the folder that failed',
      { outside: { ...noCounts(), failed: 1 } },
      'attention',
      '1 file failed',
    ],
    [
      'a pause',
      { paused: true, pausedUntilMs: noon + 3_600_000 },
      'paused',
      'Paused until 13:00 · nothing waiting',
    ],
    ['a pause without end', { paused: true }, 'paused', 'Paused · nothing waiting'],
    ['no network', { gate: closed('network') }, 'offline', 'Offline'],
    [
      'no network, and files that need the user: one thing at a time',
      { gate: closed('network', noon + 40_000), ...counts({ held: 2, waiting: 1 }) },
      'offline',
      'Offline · next try in 40 s',
    ],
    ['a refused key', { gate: closed('key'), paused: true }, 'attention', 'Paused · nothing waiting'],
    [
      'a day whose part for uploads is used up, while some requests are kept for clicks',
      { limit: { reason: 'budget', untilMs: noon + 86_400_000 }, ...counts({ waiting: 1 }) },
      'working',
      'The day’s requests for uploads are used up · continues tomorrow, 12:00',
    ],
    ['held and failed', counts({ held: 1, failed: 2 }), 'attention', '3 files need you'],
    ['another engine', { running: false }, 'idle', 'Another Outtray is running'],
  ])('%s', (_what, more, state, line) => {
    const status = statusWith(more);
    expect(trayState(status)).toBe(state);
    expect(statusLine(status, noon, speech).replaceAll(/\s/g, ' ')).toBe(line.replaceAll(/\s/g, ' '));
  });
});

describe('the tray’s menu', () => {
  const done: string[] = [];
  const note =
    (what: string) =>
    (given?: number | null): void =>
      void done.push(given === undefined ? what : `${what} ${given ?? 'for ever'}`);
  const acts: TrayActs = {
    link: (uploadId, act) => void done.push(`${act} ${uploadId}`),
    copyNewest: (uploadIds) => void done.push(`copy ${uploadIds.join(' ')}`),
    uploadFiles: note('files'),
    uploadClipboard: note('clipboard'),
    pause: ({ key }) => void done.push(key),
    resume: note('resume'),
    openFolder: note('folder'),
    openApp: note('app'),
    quit: note('quit'),
  };
  const links = Array.from({ length: 12 }, (_, at) => ({
    uploadId: at,
    name: `R&D \u202e${at}.txt`,
    uploadedAtMs: noon - at * 20 * 60_000,
  }));
  const menuOf = (shown: Partial<TrayShown>, platform: Platform = 'linux') =>
    trayTemplate(
      trayItems({ status: null, links, nowMs: noon, line: 'All uploaded', ...shown }, speech, platform),
      acts,
    );
  const templateOf = (status: EngineStatus | null, platform?: Platform) => menuOf({ status }, platform);
  const labels = (status: EngineStatus | null, platform?: Platform): (string | undefined)[] =>
    templateOf(status, platform).map(({ label }) => label);
  const press = (item: MenuItemConstructorOptions | undefined): void =>
    (item?.click as (() => void) | undefined)?.();

  test('has the status line, ten links with harmless names, and every action', () => {
    const shown = labels(statusWith({}));
    expect(shown[0]).toBe('All uploaded');
    expect(shown.filter((label) => label?.startsWith('R&&D \ufffd'))).toHaveLength(10);
    expect(shown).toEqual(
      expect.arrayContaining(['Upload files…', 'Upload from clipboard', 'Pause', 'Open folder', 'Quit']),
    );
  });

  test('offers to resume while paused, and disables the folder when there is none', () => {
    const template = menuOf({ status: statusWith({ paused: true, folder: null }), links: [] });
    expect(template.map(({ label }) => label)).toContain('Resume');
    expect(template.find(({ label }) => label === 'Open folder')?.enabled).toBe(false);
    expect(template.map(({ label }) => label)).toContain('No links yet');
  });

  test('copies the newest links together, as many as there are', () => {
    done.length = 0;
    const counts = (have: number): (string | undefined)[] => {
      const several = menuOf({ links: links.slice(0, have) }).find(
        ({ label }) => label === 'Copy newest links',
      );
      const items = (several?.submenu ?? []) as MenuItemConstructorOptions[];
      press(items[0]);
      return items.map(({ label }) => label);
    };
    expect(counts(1)).toEqual([]);
    expect(counts(2)).toEqual(['Copy the newest 2 links']);
    expect(counts(4)).toEqual(['Copy the newest 3 links', 'Copy the newest 4 links']);
    expect(counts(12)).toEqual([
      'Copy the newest 3 links',
      'Copy the newest 5 links',
      'Copy the newest 10 links',
    ]);
    expect(done).toEqual(['copy 0 1', 'copy 0 1 2', 'copy 0 1 2']);
  });

  test('is there before the engine is', () => expect(labels(null)).toContain('Open Outtray'));

  test('starts with a line that opens the window; on Windows the window comes first', () => {
    done.length = 0;
    const [line] = templateOf(statusWith({}));
    expect(line?.enabled ?? true).toBe(true);
    press(line);
    expect(labels(statusWith({}), 'win32').slice(0, 2)).toEqual(['Open Outtray', 'All uploaded']);
    press(templateOf(statusWith({}), 'win32')[0]);
    expect(done).toEqual(['app', 'app']);
  });

  test('shows the age of each link, which can be copied, opened, shown as a QR code and recalled', () => {
    done.length = 0;
    const entries = templateOf(statusWith({})).filter(({ label }) => label?.startsWith('R&&D'));
    const ages = entries.map(({ label }) => label?.split('   ')[1]);
    expect(ages.slice(0, 4)).toEqual(['just now', '20 min ago', '40 min ago', '11:00']);
    const submenu = entries[1]?.submenu as MenuItemConstructorOptions[];
    const named = submenu.filter(({ type }) => type !== 'separator');
    expect(named.map(({ label }) => label)).toEqual(['Copy link', 'Open link', 'QR code', 'Recall…']);
    for (const item of named) press(item);
    expect(done).toEqual(['copy 1', 'open 1', 'qr 1', 'recall 1']);
  });

  test('offers pauses that end at the promised time', () => {
    done.length = 0;
    const offered = templateOf(statusWith({})).find(({ label }) => label === 'Pause');
    for (const item of offered?.submenu as MenuItemConstructorOptions[]) press(item);
    expect(done).toEqual(pauses.map(({ key }) => key));
    const ends = pauses.map(({ until }) => until(noon));
    expect(ends).toEqual([noon + 900_000, noon + 3_600_000, new Date(2026, 10, 21, 8, 0).getTime(), null]);
  });
});

describe('the application’s menu', () => {
  const rolesOf = (platform: NodeJS.Platform, isPackaged: boolean): string =>
    JSON.stringify(
      menuTemplate({
        platform,
        isPackaged,
        appName: 'Outtray',
        say: speech.say,
        acts: { cue: () => {}, quit: () => {} },
      }),
    );

  test('is complete on macOS, with its own first menu', () => {
    const menu = rolesOf('darwin', true);
    for (const role of ['about', 'services', 'hide', 'windowMenu', 'help'])
      expect(menu).toContain(`"${role}"`);
  });
  test('shows no developer tools in a packaged app', () => {
    expect(rolesOf('linux', true)).not.toContain('toggleDevTools');
    expect(rolesOf('linux', false)).toContain('toggleDevTools');
  });
});

describe('notifications', () => {
  let seq = 0;
  const entry = (uploadId: number, name: string, body: EntryBody): Entry => ({
    seq: (seq += 1),
    atMs: noon,
    uploadId,
    path: `/home/ada/${name}`,
    body,
  });
  const uploaded: EntryBody = {
    kind: 'uploaded',
    fileId: 1,
    publicLink: 'https://x/1',
    size: 1,
    filename: 'a',
    sha256: '',
    expiresAtMs: null,
  };
  const failed: EntryBody = { kind: 'failed', code: 'refused', message: '', remedy: '' };
  const tell = (...entries: Entry[]) => notificationsFor(notableOf(entries), false, speech.say);

  test('about expired links are one, with the delay and the links that still answer', () => {
    const gone: EntryBody = {
      kind: 'recalled',
      fileId: 1,
      publicLink: 'x',
      publicSeconds: 1,
      downloads: 0,
      dead: true,
      lateMs: 0,
    };
    const ended = (body: Omit<Extract<EntryBody, { kind: 'expired' }>, 'kind'>): Entry => ({
      ...entry(0, '', { kind: 'expired', ...body }),
      uploadId: null,
      path: null,
    });
    const onTime = ended({ files: 2, alive: 0, lateMs: 20_000 });
    expect(tell(entry(1, 'a.txt', gone), entry(2, 'b.txt', gone), onTime)).toMatchObject([
      { title: '2 links have expired', body: '' },
    ]);
    expect(tell(ended({ files: 4, alive: 3, answers: 2, lateMs: 4 * 86_400_000 }))).toMatchObject([
      {
        title: '4 links have expired',
        body: '2 of them still answer. One of them could not be checked. Up to 4 days late: Outtray was not running, or the service could not be reached.',
      },
    ]);
    // An earlier version counted both as one.
    expect(tell(ended({ files: 1, alive: 1, lateMs: 0 }))).toMatchObject([
      { body: 'One of them could not be checked.' },
    ]);
    const open = { kind: 'recalled', fileId: 1, publicLink: 'x', publicSeconds: 1, downloads: 0 } as const;
    expect(
      tell(
        entry(1, 'a.txt', { ...open, dead: false, look: { answer: 503 } }),
        entry(2, 'b.txt', { ...open, dead: false, look: { noAnswer: 'Away.' } }),
      ).map(({ title }) => title),
    ).toEqual(['The link to a.txt still answers', 'The link to b.txt could not be checked']);
    expect(tell(entry(1, 'a.txt', { kind: 'lost', fileId: 1 }))).toMatchObject([
      { title: 'The service does not have a.txt any more' },
    ]);
  });

  test('about first downloads are one for all of them, and lead to the first of them', () => {
    const first = (downloads: number): EntryBody => ({
      kind: 'downloaded',
      fileId: 1,
      publicLink: 'https://x/1',
      downloads,
    });
    const further = 'Further ones are reported once a day, in the morning.';
    expect(tell(entry(4, 'a.txt', first(1)))).toEqual([
      {
        title: 'a.txt was downloaded',
        body: `1 download so far. ${further}`,
        click: { kind: 'show-file', uploadId: 4 },
      },
    ]);
    expect(tell(entry(4, 'a.txt', first(1)), entry(5, 'b\u202ea.txt', first(3)))).toEqual([
      {
        title: '2 links were downloaded',
        body: `4 downloads so far. ${further}`,
        click: { kind: 'show-file', uploadId: 4 },
      },
    ]);
  });

  test('about the daily line name the three links with the most new downloads, and lead to the first', () => {
    const line = (links: number, ...gained: number[]): Entry => ({
      ...entry(0, '', {
        kind: 'downloads',
        links,
        downloads: gained.reduce((sum, one) => sum + one, 0),
        files: gained.map((downloads, at) => ({
          uploadId: at + 7,
          fileId: at + 70,
          path: `C:\\Shared\\file-${String(at)}.txt`,
          downloads,
        })),
      }),
      uploadId: null,
      path: null,
    });
    expect(tell(line(1, 2))).toEqual([
      { title: '2 new downloads of file-0.txt', body: '', click: { kind: 'show-file', uploadId: 7 } },
    ]);
    expect(tell(line(2, 1, 1))).toMatchObject([
      { title: '2 new downloads of 2 links', body: 'file-0.txt: 1 · file-1.txt: 1' },
    ]);
    expect(tell(line(12, 9, 5, 3, 1))).toMatchObject([
      {
        title: '18 new downloads of 12 links',
        body: 'file-0.txt: 9 · file-1.txt: 5 · file-2.txt: 3 · and 9 more',
      },
    ]);
  });

  test('about a verified link report only what is wrong with it', () => {
    const read = (id: number, reason: VerifyReason | null): Entry =>
      entry(id, 'a.txt', { kind: 'verified', fileId: id, publicLink: 'https://share.example/x', reason });
    expect(tell(read(1, null), read(2, 'unreachable'))).toEqual([]);
    expect(tell(read(1, 'gone'), read(2, 'differs'), read(3, 'differs'))).toMatchObject([
      { title: 'The link to a.txt is dead' },
      { title: '2 links serve different bytes from those sent' },
    ]);
  });

  test('about many uploads are one sentence, about one upload its name', () => {
    expect(tell(entry(1, 'a.txt', uploaded))).toEqual([
      {
        title: 'Link ready: a.txt',
        body: 'Click to copy the link.',
        click: { kind: 'copy-links', uploadIds: [1] },
      },
    ]);
    expect(tell(entry(1, 'a.txt', uploaded), entry(2, 'b.txt', uploaded))).toMatchObject([
      { title: '2 links ready', click: { uploadIds: [1, 2] } },
    ]);
  });

  test('about a file whose content is already shared announce its link; other skipped files have none', () => {
    const shared = entry(7, 'copy.txt', { kind: 'skipped', rule: 'already-shared', sameAsId: 1 });
    expect(tell(shared, entry(8, 'empty.txt', { kind: 'skipped', rule: 'empty' }))).toMatchObject([
      { title: 'Link ready: copy.txt', click: { kind: 'copy-links', uploadIds: [7] } },
    ]);
  });

  test('do not report a failure for a file that is uploaded after all', () => {
    expect(tell(entry(1, 'a.txt', failed), entry(1, 'a.txt', uploaded)).map(({ title }) => title)).toEqual([
      'Link ready: a.txt',
    ]);
  });

  test('lead to the queue when something needs the user', () => {
    const told = tell(
      entry(1, 'a.txt', failed),
      entry(2, 'b.pem', { kind: 'held', reason: 'secret-name' }),
      entry(3, 'c.txt', { kind: 'held', reason: 'uncertain' }),
    );
    expect(told).toEqual([
      { title: 'a.txt could not be uploaded', body: 'b.pem needs you', click: { kind: 'show-queue' } },
    ]);
  });

  test('are a single one for links and for files without a link', () => {
    const drop = [
      entry(1, 'a.txt', uploaded),
      entry(2, 'b.txt', uploaded),
      entry(3, 'c.pem', { kind: 'held', reason: 'secret-name' }),
    ];
    expect(notificationsFor(notableOf(drop), true, speech.say)).toEqual([
      {
        title: '2 links ready',
        body: 'The links are on the clipboard. · c.pem needs you',
        click: { kind: 'show-queue' },
      },
    ]);
    expect(tell(...drop)).toMatchObject([{ body: 'c.pem needs you', click: { kind: 'show-queue' } }]);
  });

  test('report a stop only when the user alone can end it', () => {
    const stop = (reason: 'key' | 'network'): Entry =>
      entry(0, 'x', { kind: 'queue-closed', reason, untilMs: null, message: '', remedy: '' });
    expect(tell(stop('key'))).toMatchObject([{ title: 'Uploads have stopped', body: 'API key refused' }]);
    expect(tell(stop('network'))).toEqual([]);
  });

  test('show names that cannot mislead', () => {
    expect(tell(entry(1, 'x\u202efdp.exe', uploaded))[0]?.title).toBe('Link ready: x\ufffdfdp.exe');
  });
});
