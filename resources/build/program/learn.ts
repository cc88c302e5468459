// Runs the new program once, so that V8 compiles what an upload and an agent's session need: `node learn.ts PROGRAM`.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const [program = ''] = process.argv.slice(2);
const content = 'Put a file in the tray, get its link.\n';
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'outtray-learn-'));
const file = path.join(place, 'hello.txt');
fs.writeFileSync(file, content);

const service = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        success: true,
        ...{ plan: 'Pro', stats: { total_files: 0, total_size: 0 } },
        limits: { max_file_size: 1_000_000, daily_uploads: 10 },
        ...{ file_id: 1, filename: 'hello.txt', size: content.length, public_link: `${origin}/download/a` },
        ...{ files: [], pagination: { page: 1, limit: 10, total: 0, pages: 0 } },
      }),
    );
  });
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

const env = {
  PATH: process.env['PATH'],
  HOME: place,
  TMPDIR: place,
  OUTTRAY_HOME: path.join(place, 'home'),
  OUTTRAY_BASE_URL: `${origin}/api/v1`,
  OUTTRAY_API_KEY: 'any',
};
try {
  // The code of the last run is the one that stays.
  for (const words of [['mcp'], ['upload', file]]) {
    const running = promisify(execFile)(program, words, { env, timeout: 60_000 });
    running.child.stdin?.end();
    const { stdout } = await running;
    if (words[0] === 'upload' && stdout !== `${origin}/download/a\n`)
      throw new Error(`The program prints ${JSON.stringify(stdout)} for an upload.`);
  }
} finally {
  service.closeAllConnections();
  service.close();
  fs.rmSync(place, { recursive: true, force: true });
}
