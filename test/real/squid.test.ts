// The command behind a real squid that requires a user name and a password.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';
import { lacks } from './support/parts.ts';
import { startSquid, type Squid } from './support/squid.ts';

describe.skipIf(lacks('squid', 'openssl'))('behind squid', () => {
  const host = 'files.outtray.test';
  let certificates: string;
  let service: Service;
  let squid: Squid;
  let place: Place;

  beforeAll(async () => {
    certificates = await mkdtemp(path.join(tmpdir(), 'outtray-certificates-'));
    const made = (name: string) => path.join(certificates, name);
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host} -keyout ${made('key.pem')} -out ${made('certificate.pem')}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    const tls = {
      key: await readFile(made('key.pem'), 'utf8'),
      cert: await readFile(made('certificate.pem'), 'utf8'),
    };
    service = await openService({ tls });
    squid = await startSquid({ login: 'anna:correct horse', hosts: { [host]: '127.0.0.1' } });
    place = await createPlace(service, { settings: { caFile: made('certificate.pem') } });
  });
  afterAll(async () => {
    await place.remove();
    await squid.close();
    await service.close();
    await rm(certificates, { recursive: true });
  });

  const through = (login: string) => ({
    env: {
      OUTTRAY_BASE_URL: `https://${host}:${new URL(service.baseUrl).port}/api/v1`,
      HTTPS_PROXY: `http://${login}@127.0.0.1:${squid.port}`,
    },
  });

  test('with the right password a file is stored once', async () => {
    const file = await place.put('../given.txt', 'through the proxy');
    const ended = await place.json(['upload', file], through('anna:correct%20horse'));
    expect(ended.code).toBe(0);
    expect(service.files()).toHaveLength(1);
  });

  test.for(['anna:wrong', 'berta:correct%20horse'])(
    'with %s the command names the proxy and its password, and ends with 7',
    async (login) => {
      const ended = await place.json(['stats'], through(login));
      expect(ended.code).toBe(7);
      const { error } = ended.lines.at(-1) ?? {};
      expect(error?.message).toMatch(/proxy 127\.0\.0\.1/);
      expect(error?.remedy).toMatch(/password/);
      expect(JSON.stringify(ended.lines)).not.toContain('wrong');
    },
  );
});
