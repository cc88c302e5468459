// Signing depends on the environment alone, and each secret may be absent or empty.
import { expect, test } from 'vitest';
import { signingOf } from '../../resources/build/package/signing.ts';

const noKey = (): string => {
  throw new Error('No key was given.');
};

test.each(['win32', 'darwin', 'linux'] as const)('on %s empty secrets count as absent ones', (platform) => {
  const empty = {
    CSC_LINK: '',
    CSC_KEY_PASSWORD: '',
    CSC_INSTALLER_LINK: ' ',
    WIN_CSC_LINK: '',
    APPLE_API_KEY: '',
    AZURE_TENANT_ID: '',
    HOME: '/root',
    EMPTY: '',
  };
  const { env, args } = signingOf(empty, platform, noKey);
  expect(env).toMatchObject({ HOME: '/root', EMPTY: '' });
  expect(Object.keys(env).filter((name) => /CSC_(KEY|LINK|INST)|APPLE|AZURE/.test(name))).toEqual([]);
  expect({ ...signingOf({ HOME: '/root', EMPTY: '' }, platform, noKey), notices: [] }).toEqual({
    env,
    args,
    notices: [],
  });
});

test('Apple’s key is written to a file when it is the key itself, and left alone when it is a path', () => {
  const given = {
    CSC_LINK: 'x',
    CSC_INSTALLER_LINK: 'y',
    APPLE_API_KEY_ID: 'id',
    APPLE_API_ISSUER: 'issuer',
  };
  const text = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----';
  const written: string[] = [];
  const write = (key: string): string => (written.push(key), '/tmp/AuthKey.p8');
  const inside = signingOf({ ...given, APPLE_API_KEY: text }, 'darwin', write);
  expect(inside.env['APPLE_API_KEY']).toBe('/tmp/AuthKey.p8');
  expect(written).toEqual([text]);
  expect(inside).toMatchObject({ args: [], notices: [] });
  const path = signingOf({ ...given, APPLE_API_KEY: '/keys/a.p8' }, 'darwin', noKey);
  expect(path.env['APPLE_API_KEY']).toBe('/keys/a.p8');
});

test('macOS: missing secrets are reported, and nothing is notarised unless it is signed', () => {
  const unsigned = signingOf({}, 'darwin', noKey);
  expect(unsigned.notices).toEqual([expect.stringContaining('Not signed')]);
  expect(unsigned.args).toEqual(['-c.mac.notarize=false']);
  expect(unsigned.env).toEqual({ CSC_IDENTITY_AUTO_DISCOVERY: 'false' });
  const signed = signingOf({ CSC_LINK: 'x' }, 'darwin', noKey);
  expect(signed.notices).toEqual([
    expect.stringContaining('Not notarised'),
    expect.stringContaining('CSC_INSTALLER_LINK'),
  ]);
  expect(signed.args).toEqual(['-c.mac.notarize=false']);
});

test('Windows: a certificate file, or Azure when everything it needs is there', () => {
  expect(signingOf({ WIN_CSC_LINK: 'x' }, 'win32', noKey)).toMatchObject({ args: [], notices: [] });
  const azure = {
    AZURE_TENANT_ID: 't',
    AZURE_CLIENT_ID: 'c',
    AZURE_CLIENT_SECRET: 's',
    AZURE_SIGN_PUBLISHER: 'Example Ltd',
    AZURE_SIGN_ENDPOINT: 'https://weu.codesigning.azure.net',
    AZURE_SIGN_ACCOUNT: 'account',
    AZURE_SIGN_PROFILE: 'profile',
  };
  expect(signingOf(azure, 'win32', noKey).args).toEqual([
    '-c.win.azureSignOptions.publisherName=Example Ltd',
    '-c.win.azureSignOptions.endpoint=https://weu.codesigning.azure.net',
    '-c.win.azureSignOptions.codeSigningAccountName=account',
    '-c.win.azureSignOptions.certificateProfileName=profile',
  ]);
  expect(signingOf({ ...azure, AZURE_SIGN_PROFILE: '' }, 'win32', noKey)).toMatchObject({
    args: [],
    notices: [expect.stringContaining('Not signed')],
  });
});
