// Our own watch of a folder and nothing else of the program, to compare with a watcher alone.
import { createWatch } from '../../src-main/adapters/watch/watch.ts';

const signal = new AbortController().signal;
await createWatch().start({
  root: process.argv[2] ?? '.',
  recursive: true,
  sighted: () => undefined,
  health: () => undefined,
  signal,
});
process.stdout.write('{"event":"ready"}\n');
