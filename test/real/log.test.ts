// A log in a watched folder that gets a line a second, in real time. The truth is read from the service.
import { appendFile, open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs } from '../support/flow/wire.ts';

const lines = 90;
const mostLinks = 5;

type Writing = { write(line: string): Promise<void>; close(): Promise<void> };

const writers: { name: string; begin: (file: string) => Promise<Writing> }[] = [
  {
    name: 'opens it for each line',
    begin: (file) =>
      Promise.resolve({ write: (line) => appendFile(file, line), close: () => Promise.resolve() }),
  },
  {
    name: 'has it open all the while',
    begin: async (file) => {
      const handle = await open(file, 'a');
      return { write: async (line) => void (await handle.write(line)), close: () => handle.close() };
    },
  },
];

describe('a log that gets a line a second for a minute and a half', () => {
  test.concurrent.for(writers)(
    'from a program that $name becomes five links at most, and all of it is stored once in the end',
    async ({ begin }) => {
      await within({}, async (service, place) => {
        const watcher = await startWatcher(place, service);
        const log = await begin(path.join(place.folder, 'program.log'));
        let whole = '';
        for (let at = 1; at <= lines; at += 1) {
          const line = `line ${at}\n`;
          await log.write(line);
          whole += line;
          await delay(1000);
        }
        await log.close();
        await eventually('all of it is stored', () => storedAs(service, whole)[0], 100_000);
        expect(storedAs(service, whole)).toHaveLength(1);
        expect(service.files().length).toBeLessThanOrEqual(mostLinks);
        await watcher.stop();
      });
    },
  );
});
