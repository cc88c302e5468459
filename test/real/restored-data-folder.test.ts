// The whole data folder is restored from a copy, ledger and witness together. The truth is read from the service.
import { cp, rm, utimes, readdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { expect, test } from 'vitest';
import { watchOnce, within } from '../support/flow/within.ts';

const hourMs = 3_600_000;

/** The ledger's requests are an hour older than they are. */
const age = async (home: string): Promise<void> => {
  for (const name of await readdir(home)) {
    if (!name.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(path.join(home, name));
    database.exec(
      `UPDATE permits SET spent_at_ms = spent_at_ms - ${hourMs}, answered_at_ms = answered_at_ms - ${hourMs}`,
    );
    database.close();
  }
  await utimes(home, new Date(), new Date());
};

test('later uploads keep their links, and nothing is sent twice', async () => {
  await within({}, async (service, place) => {
    const names = (count: number, start: string): string[] =>
      Array.from({ length: count }, (_, at) => `${start}-${at}.txt`);
    const put = async (all: readonly string[]): Promise<void> => {
      for (const name of all) await place.put(name, `content of ${name}`);
    };
    await put(names(5, 'before'));
    expect((await watchOnce(place)).code).toBe(0);
    const copy = path.join(place.root, 'copy');
    await cp(place.home, copy, { recursive: true, preserveTimestamps: true });

    await put(names(10, 'since'));
    expect((await watchOnce(place)).code).toBe(0);
    expect(service.files()).toHaveLength(15);
    await rm(place.home, { recursive: true });
    await cp(copy, place.home, { recursive: true, preserveTimestamps: true });
    await age(place.home);

    await put(names(3, 'new'));
    expect((await watchOnce(place)).code).toBe(0);
    expect(service.files()).toHaveLength(18);
    expect(await place.counts()).toMatchObject({ uploaded: 18, held: 0, failed: 0, waiting: 0 });
  });
});
