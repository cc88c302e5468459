// Debian's own store of certificates, filled by Debian's own program, in a mount namespace that ends with the test.
import { mkdir, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { authorityPem } from '../adapters/api-tls.ts';
import { startTlsFront } from '../support/flow/tls-front.ts';
import { within } from '../support/flow/within.ts';
import { lacks } from './support/parts.ts';

const cli = path.resolve(import.meta.dirname, '../../src-main/cli.ts');

/** $1: a folder for the private store, $2: node, $3: the command. The store is a copy; the machine's stays as it is. */
const script = `set -e
cp -a /etc/ssl/certs "$1/certs"
mount --bind "$1/certs" /etc/ssl/certs
mount --bind "$1/added" /usr/local/share/ca-certificates
[ "$4" = before ] || update-ca-certificates >/dev/null 2>&1
exec env -i HOME="$HOME" OUTTRAY_HOME="$OUTTRAY_HOME" OUTTRAY_API_KEY="$OUTTRAY_API_KEY" \\
  OUTTRAY_BASE_URL="$OUTTRAY_BASE_URL" "$2" "$3" --json stats`;

describe.skipIf(lacks('root', 'unshare', 'update-ca-certificates'))('Debian’s system store', () => {
  test('an authority that update-ca-certificates added is trusted with an empty environment', async () => {
    await within({}, async (service, place) => {
      const front = await startTlsFront(service.baseUrl);
      const stats = async (when: 'before' | 'after'): Promise<number | null> => {
        const store = path.join(place.root, when);
        await mkdir(path.join(store, 'added'), { recursive: true });
        await writeFile(path.join(store, 'added', 'outtray-test.crt'), authorityPem);
        const child = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', store, process.execPath, cli, when], {
          env: { PATH: `${process.env['PATH']}:/usr/sbin`, ...place.env, OUTTRAY_BASE_URL: front.baseUrl },
          stdio: 'ignore',
        });
        return await new Promise((ended) => child.on('close', ended));
      };
      try {
        expect(await stats('before')).toBe(7);
        expect(await stats('after')).toBe(0);
      } finally {
        await front.close();
      }
    });
  });
});
