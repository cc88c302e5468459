// The service as a process of its own, as benchmarks, the demo and tests with a killed client run it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect } from 'vitest';
import { posixTest } from '../../support/posix.ts';

const program = path.resolve(import.meta.dirname, '../main.ts');

type Announcement = { base_url: string; key: string; dir: string; control: string };

describe('the service as a process', () => {
  posixTest('it has no signals')(
    'announces itself in one line, serves, and leaves no temp folder when it is told to stop',
    async () => {
      const flags = ['--port', '0', '--plan', 'Business', '--key', 'k', '--max-file-size', 'none'];
      const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      try {
        const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
        const { base_url, key, dir, control } = JSON.parse(line) as Announcement;
        const form = new FormData();
        form.set('file', new Blob(['hello']), 'a.txt');
        const headers = { authorization: `Bearer ${key}` };
        await fetch(`${base_url}/files/upload`, { method: 'POST', body: form, headers });
        expect(await (await fetch(`${base_url}/stats`, { headers })).json()).toMatchObject({
          plan: 'Business',
        });
        expect(await (await fetch(`${control}/files`)).json()).toMatchObject([
          { filename: 'a.txt', sizeBytes: 5 },
        ]);
        child.kill('SIGTERM');
        expect(await exited).toEqual([0, null]);
        expect(existsSync(dir)).toBe(false);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );
});
