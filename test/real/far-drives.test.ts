// Drives of four kinds that a server serves: an overlay and a bind mount of one, FUSE over FUSE, and WebDAV.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { lacksFarDrives, mountFarDrives } from './support/far-drives.ts';

/** Far less than a hung call takes. Without a hang it is about one second. */
const mostMs = 8000;
const hungMs = 12_000;

test.skipIf(lacksFarDrives())(
  'a file that another machine writes is found by the scans; a server that hangs blocks nothing, and work resumes by itself',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const far = await mountFarDrives(place);
      const { drives } = far;
      const all = async (text: (kind: string) => string, longestMs: number): Promise<void> => {
        for (const { kind } of drives) {
          await eventually(`${kind}: uploaded`, () => storedAs(service, text(kind))[0], longestMs);
          expect(storedAs(service, text(kind))).toHaveLength(1);
        }
      };
      try {
        for (const folder of [place.folder, ...drives.map(({ tray }) => tray)])
          expect(await place.run(['folders', 'add', folder])).toMatchObject({ code: 0 });
        const watching = place.start(['--json', 'watch']);
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        const { lines } = await place.json(['status']);
        const told = lines[0]?.['folders'] as { folder: string; scanMinutes?: number }[];
        for (const { tray } of drives)
          expect(told.find(({ folder }) => folder === tray)).toMatchObject({
            scanMinutes: expect.any(Number) as unknown,
          });
        const doctor = await place.run(['doctor']);
        for (const { tray } of drives) expect(doctor.stdout).toContain(`${tray} is on a network drive`);

        for (const { kind, write } of drives) write('new.txt', `from elsewhere ${kind}`);
        await all((kind) => `from elsewhere ${kind}`, 180_000);

        far.hang();
        for (const { kind, write } of drives) write('hung.txt', `while it hung ${kind}`);
        const startMs = performance.now();
        for (let at = 0; performance.now() < startMs + hungMs; at += 1) {
          const putMs = performance.now();
          writeFileSync(path.join(place.folder, `${at}.txt`), `local ${at}`);
          await eventually('the local file is uploaded', () => storedAs(service, `local ${at}`)[0]);
          expect(performance.now() - putMs).toBeLessThan(mostMs);
          expect((await place.run(['status'])).tookMs).toBeLessThan(mostMs);
          await new Promise((next) => setTimeout(next, 2000));
        }
        far.goOn();
        await all((kind) => `while it hung ${kind}`, 150_000);
        expect((await watching.stop()).code).toBe(130);
      } finally {
        await far.remove();
      }
    });
  },
);
