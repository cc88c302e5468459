// A key that is given belongs to the address that it was given for: it is sent nowhere else (keyring.test.ts: stored keys).
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDeep } from '../support/deep.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

describe('a given key', () => {
  /** Another service: it records what reaches it. */
  let other: { server: Server; baseUrl: string; requests: string[] };
  let mine: string;

  beforeEach(async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`);
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });
    const { port } = server.address() as AddressInfo;
    other = { server, baseUrl: `http://127.0.0.1:${port}/api/v1`, requests };
    const service = await ownService();
    mine = service.baseUrl;
  });

  const begin = async (settings: Record<string, unknown>, env: Record<string, string>): Promise<Place> => {
    const place = await ownPlace(null, { settings });
    Object.assign(place.env, env);
    await place.put('known.txt', 'known');
    await place.put('new.txt', 'new');
    return place;
  };

  const command = { keyCommand: `printf ${apiKey}` };
  const variable = { OUTTRAY_API_KEY: apiKey };
  /** What names the own address, and what then names the other one. */
  const cases: [string, Record<string, unknown>, (own: string) => Record<string, string>][] = [
    ['the key command beside the address of the settings', command, () => ({})],
    ['OUTTRAY_API_KEY beside the address of the settings', {}, () => variable],
    ['the key command, beside no address', command, (own) => ({ OUTTRAY_BASE_URL: own })],
    ['OUTTRAY_API_KEY beside OUTTRAY_BASE_URL', {}, (own) => ({ ...variable, OUTTRAY_BASE_URL: own })],
  ];
  const commands = [
    ['stats'],
    ['upload', 'folder/known.txt'],
    ['upload', 'folder/new.txt'],
    ...(isDeep ? [['list'], ['info', '1'], ['delete', '--yes', '1'], ['doctor']] : []),
  ];

  test.each(cases)('%s is not sent to the address of a flag', async (_what, settings, env) => {
    const inSettings = 'OUTTRAY_BASE_URL' in env(mine) ? {} : { baseUrl: mine };
    const place = await begin({ ...settings, ...inSettings }, env(mine));
    expect(await place.run(['upload', 'folder/known.txt'])).toMatchObject({ code: 0 });
    for (const words of commands) {
      const ended = await place.run([`--base-url=${other.baseUrl}`, ...words]);
      expect([words[0], ended.code]).toEqual([words[0], 3]);
      expect(`${ended.stdout}${ended.stderr}`).toContain(`belongs to ${new URL(mine).origin}`);
    }
    expect(other.requests).toEqual([]);
    expect(await place.run(['stats'])).toMatchObject({ code: 0 });
  });

  test.each([
    ['the key command', command, {}],
    ['OUTTRAY_API_KEY', {}, variable],
  ])(
    '%s is not sent to the address of a variable, or one that is set later',
    async (_what, settings, env) => {
      const place = await begin({ ...settings, baseUrl: mine }, env);
      expect(await place.run(['upload', 'folder/known.txt'])).toMatchObject({ code: 0 });
      if (!('OUTTRAY_API_KEY' in env))
        expect(await place.run(['stats'], { env: { OUTTRAY_BASE_URL: other.baseUrl } })).toMatchObject({
          code: 3,
        });
      expect(await place.run(['settings', 'set', 'baseUrl', other.baseUrl])).toMatchObject({ code: 0 });
      for (const words of commands) expect((await place.run(words)).code).toBe(3);
      expect(other.requests).toEqual([]);
    },
  );

  test.each([[[]], [['--detach']], [['--zip']]])(
    'an upload %j to another address than that of the Outtray that runs is refused, whether the file is known or new',
    async (flags) => {
      const place = await begin({ baseUrl: mine }, variable);
      expect(await place.run(['upload', 'folder/known.txt'])).toMatchObject({ code: 0 });
      const watching = place.start(['--json', 'watch', place.folder]);
      await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
      for (const file of ['folder/known.txt', 'folder/new.txt'])
        expect(await place.run([`--base-url=${other.baseUrl}`, 'upload', ...flags, file])).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining(`uploads to ${mine}`) as unknown,
        });
      for (const words of [['confirm', 'q1'], ['retry'], ['resolve', '--again', 'q1']])
        expect(await place.run([`--base-url=${other.baseUrl}`, ...words])).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(`uploads to ${mine}`) as unknown,
        });
      expect(await place.run(['upload', 'folder/known.txt'])).toMatchObject({ code: 0 });
      await watching.stop();
      expect(other.requests).toEqual([]);
    },
  );

  test('variables that name key and address together are one pair', async () => {
    const place = await begin({ baseUrl: other.baseUrl }, { ...variable, OUTTRAY_BASE_URL: mine });
    expect(await place.run(['stats'])).toMatchObject({ code: 0 });
    expect(other.requests).toEqual([]);
  });

  test('a key command that is set again belongs to the address of now', async () => {
    const place = await begin({ ...command, baseUrl: other.baseUrl }, {});
    await place.run(['stats']);
    other.requests.length = 0;
    await place.run(['settings', 'set', 'baseUrl', mine]);
    expect(await place.run(['stats'])).toMatchObject({ code: 3 });
    await place.run(['settings', 'set', 'keyCommand', command.keyCommand]);
    expect(await place.run(['stats'])).toMatchObject({ code: 0 });
    expect(other.requests).toEqual([]);
  });
});
