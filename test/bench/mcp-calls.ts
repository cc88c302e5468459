// Memory of `outtray mcp` over the calls of one session. The client writes raw lines, 50 calls at once; every tenth
// call is `get_status`, which waits for the disk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench } from './frame.ts';
import { builtCommand } from './measure.ts';
import { makePlace } from './outtray.ts';
import { say } from './show.ts';

const mostMiB = 200;
const atOnce = 50;
/** The variable is for a short run. */
const calls = Number(process.env['OUTTRAY_MCP_CALLS'] ?? 100_000);

/** The most that a process ever held, in MiB. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

export const bench: Bench = {
  name: 'mcp-calls',
  extra: true,
  goal: `peak memory of the server after ${calls} calls ≤ ${mostMiB} MiB (Linux)`,
  async run() {
    const built = await builtCommand();
    const place = makePlace();
    const child = spawn(process.execPath, [built, 'mcp'], {
      env: {
        ...process.env,
        OUTTRAY_HOME: path.join(place.folder, 'home'),
        OUTTRAY_BASE_URL: 'http://127.0.0.1:9/api/v1',
        OUTTRAY_API_KEY: 'any',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const pid = child.pid ?? 0;
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const startMs = performance.now();
    let sent = 0;
    let answered = 0;
    let early = 0;
    const call = (): void => {
      sent += 1;
      const name = sent % 10 === 0 ? 'get_status' : 'find_links';
      send({ id: sent, method: 'tools/call', params: { name, arguments: {} } });
    };
    const done = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer = JSON.parse(line) as { id?: number; result?: { isError?: boolean } };
        if (answer.id === undefined) return;
        if (answer.result === undefined || answer.result.isError === true)
          reject(new Error(line.slice(0, 300)));
        if (answer.id === 0) {
          send({ method: 'notifications/initialized' });
          for (let n = 0; n < atOnce; n += 1) call();
          return;
        }
        answered += 1;
        if (answered === Math.floor(calls / 10)) early = peakOf(pid);
        if (answered % Math.ceil(calls / 10) === 0) say(`${answered} calls: ${Math.round(peakOf(pid))} MiB`);
        if (sent < calls) call();
        else if (answered === sent) resolve();
      });
    });
    send({
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    });
    try {
      await done;
      const peakMiB = peakOf(pid);
      return {
        ok: peakMiB <= mostMiB,
        calls: answered,
        peakMiB: Math.round(peakMiB),
        peakAfterATenthMiB: Math.round(early),
        callsPerSecond: Math.round((answered / (performance.now() - startMs)) * 1000),
      };
    } finally {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      place.remove();
    }
  },
};
