// The test files that the fast ring (`npm test`) leaves to the deep one (`npm run test:deep`, which runs every file):
// they compute for long, need many processes, or open the whole app for one more state of the window. Single slow tests
// and seeds check `isDeep` (test/support/deep.ts).

/** Patterns of files, by project. */
export const deepOnly: Record<'unit' | 'adapters' | 'flow' | 'app', readonly string[]> = {
  unit: [],
  adapters: ['ledger-reports', 'photo-tools', 'look-inside-halves'].map(
    (name) => `test/adapters/${name}.test.ts`,
  ),
  flow: [
    'simulation/days',
    'crashes',
    'after-upload',
    'canary',
    'mcp-conformance',
    'mcp-killed',
    'ledger-faults',
    'hostile-folder',
    'runs',
    'beside',
    'lossy',
    'certificates',
    'completion',
    'folder',
    'screen',
    'terminal',
    'addresses',
    'mcp',
    'keyring',
    'guides',
    'surroundings',
    'service-try',
  ].map((name) => `test/flow/${name}.test.ts`),
  // The fast ring opens the app, tests the main use and takes a link back.
  app: ['test/app/!(starts|recall).test.ts'],
};

/** The files that take minutes. They start first, so that none of them runs alone at the end. */
export const longest: readonly string[] = [
  'test/flow/surroundings.test.ts',
  'test/flow/uncertain.test.ts',
  'test/flow/mcp.test.ts',
  'test/flow/folder.test.ts',
  'test/flow/simulation/days.test.ts',
  'test/app/window.test.ts',
  'test/unit/engine/plan/engine-plan.test.ts',
  'test/app/tray.test.ts',
  'test/adapters/spool-zip.test.ts',
  'test/app/desktop.test.ts',
  'test/flow/crashes.test.ts',
  'test/app/uploads.test.ts',
];
