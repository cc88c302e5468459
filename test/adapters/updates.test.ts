// Updates end to end with the real electron-updater under Node: a feed on this machine, an installed "AppImage".
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { texts } from '../../src-main/adapters/drives/texts.ts';
import { createFeedRequest } from '../../src-main/adapters/api/feed-request.ts';
import { defaultSettings, type Settings } from '../../src-main/contract/settings.ts';
import type { SettingsPort } from '../../src-main/engine/ports/ports.ts';
import { feedFolder, openFeed, type UpdatesFeed } from '../../src-main/shell/updates/updates-feed.ts';
import {
  installAppImage,
  makeAppImage,
  startFeed,
  type Installation,
  type LocalFeed,
} from '../support/update-feed.ts';
import { authorityPem, serverKeyPem, serverPem } from './api-tls.ts';
import { isDeep } from '../support/deep.ts';

let served: LocalFeed;
let installed: Installation;
const old = makeAppImage(40);
const newer = makeAppImage(40, old, 3);
const silent = (): void => undefined;

/** Vitest would compare the bytes one by one. */
const isInstalled = async (content: Buffer): Promise<boolean> => (await installed.program()).equals(content);

const open = (channel = 'latest', folder = served.address): UpdatesFeed =>
  openFeed({ updater: installed.updater, folder, channel, mayInstall: () => true, allowsHttp: true });

beforeEach(async () => {
  served = await startFeed();
  installed = await installAppImage('0.1.0', old);
});
afterEach(async () => {
  await served.close();
  await installed.remove();
});

describe.skipIf(process.platform !== 'linux')('an installed AppImage', () => {
  test('finds the update, downloads only the differences, and is the new program afterwards', async () => {
    served.publish('0.2.0', newer, { lines: ['releaseNotes: Links are found faster.'] });
    const feed = open();
    expect(await feed.check()).toEqual({ version: '0.2.0', notes: 'Links are found faster.' });
    const shares: number[] = [];
    await feed.load((share) => shares.push(share));
    expect(served.sentBytes()).toBeLessThan(newer.length / 4);
    expect(await isInstalled(old)).toBe(true);
    installed.quit();
    expect(await isInstalled(newer)).toBe(true);
  });

  test('downloads the whole when the installed program has no map', async () => {
    const without = old.subarray(0, 40 * 16_384);
    await installed.remove();
    installed = await installAppImage('0.1.0', without);
    served.publish('0.2.0', newer);
    const feed = open();
    await feed.check();
    await feed.load(silent);
    installed.quit();
    expect(await isInstalled(newer)).toBe(true);
  });

  test.each(isDeep ? [0, 100, 39 * 16_384 + 5, -1] : [39 * 16_384 + 5])(
    'never installs a file changed in the byte at %i',
    async (at) => {
      served.publish('0.2.0', newer);
      const name = '/outtray-0.2.0-linux-x86_64.AppImage';
      const tampered = Buffer.from(newer);
      const index = at < 0 ? tampered.length + at : at;
      tampered.writeUInt8((tampered.readUInt8(index) + 1) % 256, index);
      served.files.set(name, tampered);
      const feed = open();
      await feed.check();
      // A changed byte in a page that did not differ is never requested; then the announced file is installed.
      const outcome = await feed.load(silent).then(
        () => 'loaded' as const,
        (error: unknown) => error,
      );
      if (outcome === 'loaded') {
        installed.quit();
        expect(await isInstalled(newer)).toBe(true);
        return;
      }
      expect(outcome).toMatchObject({ code: 'refused' });
      installed.quit();
      expect(await isInstalled(old)).toBe(true);
    },
  );

  test('a tampered file is refused when it is downloaded whole, too', async () => {
    installed.updater.disableDifferentialDownload = true;
    served.publish('0.2.0', newer);
    const tampered = Buffer.from(newer);
    tampered.writeUInt8(tampered.readUInt8(100) ^ 1, 100);
    served.files.set('/outtray-0.2.0-linux-x86_64.AppImage', tampered);
    const feed = open();
    await feed.check();
    await expect(feed.load(silent)).rejects.toMatchObject({ code: 'refused' });
    installed.quit();
    expect(await isInstalled(old)).toBe(true);
  });

  test('never goes back to an older version, and accepts its own as current', async () => {
    served.publish('0.0.9', newer);
    expect(await open().check()).toBeNull();
    served.publish('0.1.0', newer, { channel: 'beta' });
    expect(await open('beta').check()).toBeNull();
  });

  test.each([
    ['an older file', 'outtray-0.1.0-linux-x86_64.AppImage'],
    ['a file of another program', 'other-9.9.9-linux-x86_64.AppImage'],
    ['a longer version', 'outtray-9.9.90-linux-x86_64.AppImage'],
    ['a path', 'outtray-9.9.9-%2e%2e%2fx.AppImage'],
    ['a query', 'outtray-9.9.9-linux-x86_64.AppImage?old'],
  ])('refuses a version that is announced with %s', async (_, url) => {
    served.publish('9.9.9', newer, { url });
    await expect(open().check()).rejects.toMatchObject({ code: 'refused' });
    expect(served.sentBytes()).toBe(0);
  });

  test.each(['0', '1073741825', '-5'])('refuses a file of %s bytes before it is loaded', async (size) => {
    served.publish('0.2.0', newer);
    const feed = String(served.files.get('/latest-linux.yml'));
    served.files.set('/latest-linux.yml', Buffer.from(feed.replace(/size: \d+/, `size: ${size}`)));
    await expect(open().check()).rejects.toMatchObject({ code: 'refused' });
  });

  test('an answer that never ends is ended: the announcement after 64 KiB, an installer after its size', async () => {
    const sent = { bytes: 0 };
    const endless = (_request: IncomingMessage, response: http.ServerResponse): void => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent.bytes < 64 * 1024 ** 2) {
          sent.bytes += 65_536;
          if (!response.write('# '.repeat(32_768))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    served.files.set('/latest-linux.yml', endless);
    await expect(open().check()).rejects.toMatchObject({ code: 'refused' });
    expect(sent.bytes).toBeLessThan(32 * 1024 ** 2);

    await installed.remove();
    installed = await installAppImage('0.1.0', old.subarray(0, 40 * 16_384));
    served.publish('0.2.0', newer);
    served.files.set('/outtray-0.2.0-linux-x86_64.AppImage', endless);
    sent.bytes = 0;
    const feed = open();
    await feed.check();
    await expect(feed.load(silent)).rejects.toMatchObject({ code: 'refused' });
    expect(sent.bytes).toBeLessThan(32 * 1024 ** 2);
    installed.quit();
    expect(await isInstalled(newer)).toBe(false);
  });

  describe('an installer for Windows', () => {
    /** Its first page is an executable with this version in its resources; null: it has none. */
    const setup = (inside: string | null): Buffer => {
      const resource = inside === null ? '' : `>\r\u0001ProductVersion\0${inside}\0\0D\0VarFileInfo\0`;
      const head = Buffer.concat([Buffer.from('MZ' + 'x'.repeat(4094)), Buffer.from(resource, 'utf16le')]);
      return makeAppImage(40, Buffer.concat([head, Buffer.alloc(16_384 - head.length)]), 39);
    };

    test.each<[string, string | null]>([
      ['an older version', '0.1.9'],
      ['a longer version', '9.9.90'],
      ['the beginning of the version', '9.9'],
      ['a version before it', '9.9.9-beta.1'],
      ['no version', null],
      ['an empty version', ''],
    ])(
      'with %s inside is not installed, neither now nor at the end, and does not stay',
      async (_, inside) => {
        served.publish('9.9.9', setup(inside));
        const feed = open();
        await feed.check();
        await expect(feed.load(silent)).rejects.toMatchObject({ code: 'refused' });
        expect(installed.updater.autoInstallOnAppQuit).toBe(false);
        expect(() => feed.install()).toThrow(expect.objectContaining({ code: 'refused' }));
        installed.quit();
        expect(await isInstalled(old)).toBe(true);
        await expect(feed.load(silent)).rejects.toMatchObject({ code: 'refused' });
      },
    );

    test('with the version that was announced is loaded, also after one with another', async () => {
      const feed = open();
      served.publish('9.9.9', setup('0.1.9'));
      await feed.check();
      await expect(feed.load(silent)).rejects.toMatchObject({ code: 'refused' });
      served.publish('9.9.9', setup('9.9.9'));
      await feed.check();
      const loading = feed.load(silent);
      installed.quit();
      expect(await isInstalled(old)).toBe(true);
      await loading;
      expect(installed.updater.autoInstallOnAppQuit).toBe(true);
    });
  });

  test('another channel is another file; a missing one is reported', async () => {
    served.publish('0.3.0', newer, { channel: 'beta' });
    expect(await open('beta').check()).toMatchObject({ version: '0.3.0' });
    await expect(open('nightly').check()).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('nightly') as unknown,
    });
  });

  test('a staged roll-out leaves out installations that it has not reached', async () => {
    served.publish('0.2.0', newer, { lines: ['stagingPercentage: 0'] });
    expect(await open().check()).toBeNull();
    served.publish('0.2.0', newer, { lines: ['stagingPercentage: 100'] });
    expect(await open().check()).toMatchObject({ version: '0.2.0' });
  });

  test('a feed that points elsewhere is not followed: redirected, or by the addresses in its file', async () => {
    const other = await startFeed();
    other.publish('0.2.0', newer);
    served.files.set('/latest-linux.yml', (_request, response) =>
      response.writeHead(302, { location: `${other.address}/latest-linux.yml` }).end(),
    );
    await expect(open().check()).rejects.toMatchObject({
      code: expect.stringMatching(/moved|unusable/) as unknown,
    });

    served.publish('0.2.0', newer, { url: `${other.address}/outtray-0.2.0-linux-x86_64.AppImage` });
    const feed = open();
    await feed.check();
    await expect(feed.load(silent)).rejects.toMatchObject({ code: 'moved' });

    served.publish('0.2.0', newer);
    served.files.set('/outtray-0.2.0-linux-x86_64.AppImage', (_request, response) =>
      response.writeHead(302, { location: `${other.address}/outtray-0.2.0-linux-x86_64.AppImage` }).end(),
    );
    const again = open();
    await again.check();
    await expect(again.load(silent)).rejects.toMatchObject({ code: 'moved' });
    expect(other.asked).toEqual([]);
    expect(await isInstalled(old)).toBe(true);
    await other.close();
  });

  describe('behind a company’s proxy and authority', () => {
    const asks = async (settings: Partial<Settings>) => {
      const secure = await startFeed({ cert: serverPem, key: serverKeyPem });
      try {
        secure.publish('0.2.0', newer);
        const current = (): Settings => ({ ...defaultSettings(), proxy: 'none', ...settings });
        const request = createFeedRequest({
          settings: { current, onChange: () => () => undefined } as Partial<SettingsPort> as SettingsPort,
          texts,
        });
        const feed = openFeed({
          updater: installed.updater,
          folder: secure.address,
          channel: 'latest',
          mayInstall: () => true,
          request,
        });
        const found = await feed.check().catch((error: unknown) => error);
        if (!(found instanceof Error)) await feed.load(silent);
        return { found, asked: secure.asked, host: new URL(secure.address).host };
      } finally {
        await secure.close();
      }
    };

    test('an authority that is named in caFile is trusted, another is not', async () => {
      const stranger = await asks({});
      expect(stranger.found).toMatchObject({
        code: 'offline',
        remedy: expect.stringContaining('caFile') as unknown,
      });
      expect(stranger.asked).toEqual([]);
      const folder = await mkdtemp(path.join(tmpdir(), 'outtray-ca-'));
      const caFile = path.join(folder, 'ca.pem');
      await writeFile(caFile, Buffer.from(`\ufeff${authorityPem}`, 'utf16le'));
      const known = await asks({ caFile });
      expect(known.found).toMatchObject({ version: '0.2.0' });
      installed.quit();
      expect(await isInstalled(newer)).toBe(true);

      const tunnels: string[] = [];
      const proxy = http.createServer((_request, response) => response.writeHead(405).end());
      proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
        const [host, port] = (request.url ?? '').split(':');
        tunnels.push(request.url ?? '');
        const there = connect({ host: host ?? '', port: Number(port) }, () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          socket.pipe(there).pipe(socket);
        });
        for (const end of [there, socket]) end.on('error', () => undefined);
      });
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const tunnelled = await asks({ caFile, proxy: address });
      proxy.close();
      await rm(folder, { recursive: true });
      expect(tunnelled.found).toMatchObject({ version: '0.2.0' });
      expect(new Set(tunnels)).toEqual(new Set([tunnelled.host]));
      expect(tunnels.length).toBe(tunnelled.asked.length);
    });

    test.each([
      ['a file that cannot be read', { caFile: '/nowhere/ca.pem' }],
      ['a proxy of an unknown kind', { proxy: 'socks5://127.0.0.1:1' }],
    ])('%s is reported', async (_what, settings) => {
      expect((await asks(settings)).found).toMatchObject({ code: 'bad-setting' });
    });
  });

  test('macOS: a download is ready only when Squirrel has verified it', async () => {
    served.publish('0.2.0', newer);
    const squirrel = new EventEmitter();
    const { updater } = installed;
    const feed = openFeed({
      updater,
      folder: served.address,
      channel: 'latest',
      mayInstall: () => true,
      allowsHttp: true,
      squirrel,
    });
    await feed.check();
    const events: string[] = [];
    const loading = feed.load(silent).then(() => void events.push('loaded'));
    await once(updater, 'update-downloaded');
    await new Promise((later) => setImmediate(later));
    events.push('verified');
    squirrel.emit('update-downloaded');
    await loading;
    expect(events).toEqual(['verified', 'loaded']);

    const refused = feed.load(silent);
    squirrel.emit('error', new Error('Code signature did not pass validation'));
    await expect(refused).rejects.toMatchObject({ code: 'unusable-answer' });
    expect(squirrel.listenerCount('update-downloaded')).toBe(0);
  });

  test('installing before a download reports it instead of ending the program', async () => {
    served.publish('0.2.0', newer);
    const feed = open();
    await feed.check();
    expect(() => feed.install()).toThrow(expect.objectContaining({ code: 'disk' }));
  });

  test('a redirect within the feed is followed', async () => {
    served.publish('0.2.0', newer);
    const file = served.files.get('/latest-linux.yml') ?? Buffer.alloc(0);
    served.files.set('/current.yml', file);
    served.files.set('/latest-linux.yml', (_request, response) =>
      response.writeHead(302, { location: `${served.address}/current.yml` }).end(),
    );
    expect(await open().check()).toMatchObject({ version: '0.2.0' });
  });

  test('plain http: is refused before any request', () => {
    expect(() =>
      openFeed({
        updater: installed.updater,
        folder: served.address,
        channel: 'latest',
        mayInstall: () => true,
      }),
    ).toThrow(expect.objectContaining({ code: 'bad-setting' }));
    expect(served.asked).toEqual([]);
  });

  test('no answer is reported as what it is', async () => {
    // Nothing listens there. A port that this test closed may be another test's by then.
    await expect(open('latest', 'http://127.0.0.1:9').check()).rejects.toMatchObject({ code: 'offline' });
  });

  test.each([
    ['nonsense', () => void served.files.set('/latest-linux.yml', Buffer.from('<html>')), 'unusable-answer'],
    ['nothing', () => void served.files.set('/latest-linux.yml', Buffer.from('')), 'unusable-answer'],
  ])('%s is reported as what it is', async (_what, spoil, code) => {
    served.publish('0.2.0', newer);
    const feed = open();
    spoil();
    await expect(feed.check()).rejects.toMatchObject({ code });
  });
});

test('each system and processor has its folder in the feed, named as in the installers', () => {
  const of = (platform: NodeJS.Platform, arch: string) =>
    feedFolder('https://u.example/outtray', platform, arch);
  expect([of('win32', 'x64'), of('darwin', 'arm64'), of('linux', 'arm64')]).toEqual([
    'https://u.example/outtray/win-x64',
    'https://u.example/outtray/mac-arm64',
    'https://u.example/outtray/linux-arm64',
  ]);
});
