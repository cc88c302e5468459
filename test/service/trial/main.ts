// `npm run service:try -- ADDRESS [--yes] [--json]`: tries whether a service does what Outtray relies on, with the key
// in OUTTRAY_API_KEY. It uploads files, so it asks first.
import { createInterface } from 'node:readline/promises';
import { tryService } from './try.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

process.exitCode = await tryService(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  async ask(question) {
    if (!process.stdin.isTTY) return null;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(`${question} [y/N] `, { signal: stop.signal }).catch(() => '');
    lines.close();
    return /^y(es)?$/i.test(answer.trim());
  },
  signal: stop.signal,
});
