// What electron-builder needs to sign, from an environment in which every secret may be absent or empty: a CI system
// passes an absent secret as an empty text, and electron-builder treats an empty CSC_LINK as a certificate. Pure except
// for `writeKey`.

export type Signing = {
  /** For electron-builder's process: the given one without empty secrets. */
  env: NodeJS.ProcessEnv;
  /** Further arguments of electron-builder. */
  args: string[];
  /** What will not be signed, as sentences. */
  notices: string[];
};

const secrets = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  'CSC_NAME',
  'CSC_INSTALLER_LINK',
  'CSC_INSTALLER_KEY_PASSWORD',
  'WIN_CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  'APPLE_API_KEY',
  'APPLE_API_KEY_ID',
  'APPLE_API_ISSUER',
  'APPLE_ID',
  'APPLE_APP_SPECIFIC_PASSWORD',
  'APPLE_TEAM_ID',
  'APPLE_KEYCHAIN_PROFILE',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
];

/** Fields of `win.azureSignOptions`, all four needed, and the variables that give them. */
const azure = {
  publisherName: 'AZURE_SIGN_PUBLISHER',
  endpoint: 'AZURE_SIGN_ENDPOINT',
  codeSigningAccountName: 'AZURE_SIGN_ACCOUNT',
  certificateProfileName: 'AZURE_SIGN_PROFILE',
};

/** `writeKey` writes a private file and gives its path: notarytool reads Apple's key from a file. */
export const signingOf = (
  given: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  writeKey: (text: string) => string,
): Signing => {
  const env = { ...given };
  for (const name of [...secrets, ...Object.values(azure)])
    if ((env[name] ?? '').trim() === '') delete env[name];
  const has = (...names: string[]): boolean => names.every((name) => env[name] !== undefined);
  const appleKey = env['APPLE_API_KEY'];
  if (appleKey?.includes('-----BEGIN') === true) env['APPLE_API_KEY'] = writeKey(appleKey);
  switch (platform) {
    case 'win32':
      if (has('AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', ...Object.values(azure))) {
        const args = Object.entries(azure).map(
          ([field, name]) => `-c.win.azureSignOptions.${field}=${env[name] ?? ''}`,
        );
        return { env, args, notices: [] };
      }
      if (has('WIN_CSC_LINK') || has('CSC_LINK')) return { env, args: [], notices: [] };
      return {
        env,
        args: [],
        notices: [
          'Not signed: neither WIN_CSC_LINK nor all of AZURE_* are set. Windows will warn everyone who installs this.',
        ],
      };
    case 'darwin': {
      const notices: string[] = [];
      if (!has('CSC_LINK') && !has('CSC_NAME')) {
        // Without it electron-builder looks for any certificate in the keychain of the machine.
        env['CSC_IDENTITY_AUTO_DISCOVERY'] ??= 'false';
        return {
          env,
          args: ['-c.mac.notarize=false'],
          notices: ['Not signed: CSC_LINK is not set. macOS will refuse it on other machines.'],
        };
      }
      const notarises =
        has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
        has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID') ||
        has('APPLE_KEYCHAIN_PROFILE');
      if (!notarises)
        notices.push('Not notarised: APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER are not all set.');
      if (!has('CSC_INSTALLER_LINK') && !has('CSC_NAME'))
        notices.push(
          'The pkg is not signed: CSC_INSTALLER_LINK (a certificate “Developer ID Installer”) is not set.',
        );
      return { env, args: notarises ? [] : ['-c.mac.notarize=false'], notices };
    }
    default:
      return { env, args: [], notices: [] };
  }
};
