// `node pipes.mjs PROGRAM TASK`, run by the Node of Windows: starts the program with pipes, gives it the input of the
// task, and prints what came as JSON. `requests`: of an agent, one after another.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';

const [program, given] = process.argv.slice(2);
const { args, input = '', bytes = 0, cwd = '', requests = [] } = JSON.parse(given);
const env = { ...process.env, NODE_OPTIONS: '' };
const child = spawn(program, args, { stdio: 'pipe', env, cwd: path.join(homedir(), cwd) });
const said = { code: null, out: '', err: '', answers: [] };
let hear = () => undefined;
child.stdin.on('error', () => undefined);
child.stdout.on('data', (piece) => {
  said.out += piece;
  hear();
});
child.stderr.on('data', (piece) => (said.err += piece));
const ended = new Promise((resolve) => child.once('close', resolve));

const answerTo = (id) =>
  new Promise((resolve) => {
    hear = () => {
      const lines = said.out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const found = lines.find((line) => line.id === id);
      if (found !== undefined) resolve(found);
    };
    hear();
  });
for (const [at, [method, params]] of requests.entries()) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: at + 1, method, params })}\n`);
  said.answers.push(await answerTo(at + 1));
}
child.stdin.end(bytes > 0 ? Buffer.alloc(bytes, 'abc') : input);
said.code = await ended;
process.stdout.write(JSON.stringify(said));
