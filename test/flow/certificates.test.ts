// Whose certificates the command trusts. Its environment holds nothing but what is named here (as with `env -i`).
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { authorityPem } from '../adapters/api-tls.ts';
import { startTlsFront } from '../support/flow/tls-front.ts';
import { within } from '../support/flow/within.ts';

test.skipIf(process.platform !== 'linux')(
  'an authority in the system’s store is trusted; one that is nowhere is not, and the message names caFile',
  async () => {
    await within({}, async (service, place) => {
      const front = await startTlsFront(service.baseUrl);
      try {
        const pem = path.join(place.root, 'authority.pem');
        await writeFile(pem, authorityPem);
        const env = { OUTTRAY_BASE_URL: front.baseUrl };
        const unknown = await place.json(['stats'], { env });
        expect(unknown.code).toBe(7);
        expect(unknown.lines[0]?.error?.remedy).toContain('caFile');
        const known = await place.json(['stats'], { env: { ...env, SSL_CERT_FILE: pem } });
        expect(known).toMatchObject({ code: 0, lines: [{ plan: 'Pro' }] });
        const doctor = await place.json(['doctor'], { env: { ...env, SSL_CERT_FILE: pem } });
        expect(doctor.lines.find(({ name }) => name === 'certificates')).toMatchObject({ ok: true });
        const named = await place.json(['settings', 'set', 'caFile', pem]);
        expect(named.code).toBe(0);
        expect((await place.json(['stats'], { env })).code).toBe(0);
      } finally {
        await front.close();
      }
    });
  },
);
