// A network that loses answers and breaks uploads, another device that uses the same names, and an account on Pro:
// the whole engine in virtual time. With real processes: `npm run soak -- --lossy`.
import { expect, test } from 'vitest';
import { createWorld } from '../support/fake-world.ts';
import { models } from '../support/limiter-models.ts';
import { createDice } from '../support/simulation/dice.ts';

const minuteMs = 60_000;
/** Many files of one size: neither names nor sizes distinguish them. */
const sizeOf = (at: number): number => 100 + (at % 3) * 50;
const nameOf = (at: number): string => `file ${at}.txt`;

type Case = { order: 'newest' | 'oldest' | 'shuffled'; pageSize: number; files: number; tails: number };

const cases: Case[] = [
  { order: 'newest', pageSize: 20, files: 200, tails: 0 },
  // The program cannot learn this order: every pass reads the whole list.
  { order: 'shuffled', pageSize: 20, files: 60, tails: 0 },
  // The program sees the same, but the service stored nothing.
  { order: 'newest', pageSize: 20, files: 200, tails: 0.05 },
];

test.each(cases)(
  '30 % of the answers lost, $tails of the tails, 20 % broken within the body, another device beside ($order, $files files): every file once, its own link, no 429, at most five requests of looking and probing for each lost answer',
  async ({ order, pageSize, files, tails }) => {
    const dice = createDice(7);
    const world = createWorld({ settings: { requestsPerMinute: 50, burstFiles: 1000 } });
    const { service, clock, disk } = world;
    const accepts = models.slidingLogRejects(50);
    const seen = { lost: 0, broken: 0, refused: 0, downloads: 0 };
    service.order = order;
    service.pageSize = pageSize;
    service.latencyMs = () => dice.spread(5, 1000);
    service.accepts = (atMs) => {
      const isWithin = accepts(atMs);
      if (!isWithin) seen.refused += 1;
      return isWithin;
    };
    const { digestOfLink, upload } = service.api;
    service.api.digestOfLink = (link, sizeBytes, signal) => {
      seen.downloads += 1;
      return digestOfLink(link, sizeBytes, signal);
    };
    service.api.upload = (request) => {
      if (dice.happens(0.2)) {
        seen.broken += 1;
        service.faults.push('cut-before-tail');
      } else if (dice.happens(0.3)) {
        seen.lost += 1;
        service.faults.push('answer-lost');
      } else if (tails > 0 && dice.happens(tails)) {
        seen.lost += 1;
        service.faults.push('tail-lost');
      }
      return upload(request);
    };

    const run = await world.start();
    const ours = new Set<string>();
    for (let at = 0; at < files; at += 1) {
      const content = `content of ${at} `.padEnd(sizeOf(at), '.');
      ours.add(content);
      disk.write(`/tray/${nameOf(at)}`, content);
    }
    let others = 0;
    const otherDevice = (): void => {
      const at = dice.whole(0, files - 1);
      others += 1;
      service.addForeign(nameOf(at), `other ${others} `.padEnd(sizeOf(at), '!'));
      if (others < files / 4) clock.after(dice.spread(1000, 20_000), otherDevice);
    };
    clock.after(1000, otherDevice);
    await clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === files, 60 * minuteMs);
    await clock.advance(20 * minuteMs);

    const { counts } = await run.call('app.status', {});
    expect(counts).toEqual({ uploaded: files, waiting: 0, held: 0, skipped: 0, failed: 0 });
    const mine = service.stored.filter((file) => ours.has(file.bytes.toString()));
    expect(mine).toHaveLength(files);
    expect(service.stored).toHaveLength(files + others);
    const rows = new Map(world.rows().map((row) => [row.name, row]));
    for (const file of mine) {
      expect(rows.get(file.name)).toMatchObject({ publicLink: file.link, sha256: file.sha256 });
      expect(file.bytes.toString()).toBe(disk.text(`/tray/${file.name}`));
    }
    expect(seen.refused).toBe(0);
    // As many as were meant to be there.
    expect(seen.lost).toBeGreaterThan(files / 7);
    expect(seen.broken).toBeGreaterThan(files / 9);
    // A file that was never stored is compared with everything else of its size, through public links.
    const downloads = tails === 0 ? seen.downloads : 0;
    const looking = service.count('list') + service.count('stats') + service.count('info') + downloads;
    expect(looking / seen.lost).toBeLessThanOrEqual(5);
  },
);
