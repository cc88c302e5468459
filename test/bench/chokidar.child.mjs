// chokidar as people use it: `node chokidar.child.mjs FOLDER [await]` prints { event, path, atMs } per line, and
// { event: "ready" } once. With `await` it waits for the end of writing with its own defaults.
import { watch } from 'chokidar';

const [folder, waits] = process.argv.slice(2);
const say = (event, path) => process.stdout.write(`${JSON.stringify({ event, path, atMs: Date.now() })}\n`);
const watcher = watch(folder, { ignoreInitial: true, awaitWriteFinish: waits === 'await' });
watcher.on('add', (path) => say('add', path));
watcher.on('ready', () => say('ready', null));
