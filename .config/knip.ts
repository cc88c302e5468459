// Dead code: every file, export and package has to be reachable from a door, a script or a test.
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    'src-main/cli.ts!',
    'src-main/main.ts!',
    'src-main/preload.ts!',
    // programs of their own, started by `new URL('./….ts', import.meta.url)`
    'src-main/adapters/**/{child,worker,*-child,*-worker}.ts!',
    'src-renderer/main.ts!',
    'test/**/*.test.ts',
    'test/support/**/*.{ts,cjs,mjs}',
    'test/service/main.ts',
    'test/bench/**/*.ts',
    'resources/**/*.{ts,mjs}',
    '.config/*.{ts,js}',
  ],
  project: [
    'src-main/**/*.ts',
    'src-renderer/**/*.{ts,svelte}',
    'test/**/*.{ts,cjs,mjs}',
    '.config/*.{ts,js}',
  ],
  // Brings Node 24 onto machines with an older one; nobody imports it.
  ignoreDependencies: ['node'],
  ignoreExportsUsedInFile: true,
  // A type that names the shape of an exported function is documentation, also when nobody imports it.
  exclude: ['types'],
};

export default config;
