// The service as a process of its own: prints one line of JSON with its addresses, then serves until it is stopped. It
// binds the loopback address only. As a limit "none" is no limit.
import { parseArgs } from 'node:util';
import { startService } from './service.ts';
import type { PlanName, ServiceOptions, StoreMode } from './options.ts';

const flag = { type: 'string' } as const;
const { values: given } = parseArgs({
  options: {
    ...{ port: flag, plan: flag, key: flag, dir: flag, store: flag, seed: flag },
    ...{ 'requests-per-minute': flag, 'requests-per-day': flag, 'daily-uploads': flag },
  },
});
const limit = (name: keyof ServiceOptions, text: string | undefined): ServiceOptions =>
  text === undefined ? {} : { [name]: text === 'none' ? null : Number(text) };

const service = await startService({
  plan: (given.plan ?? 'Pro') as PlanName,
  store: (given.store ?? 'disk') as StoreMode,
  ...(given.key === undefined ? {} : { key: given.key }),
  ...(given.dir === undefined ? {} : { dir: given.dir }),
  ...limit('port', given.port),
  ...limit('seed', given.seed),
  ...limit('requestsPerMinute', given['requests-per-minute']),
  ...limit('requestsPerDay', given['requests-per-day']),
  ...limit('dailyUploads', given['daily-uploads']),
});
const line = { base_url: service.baseUrl, key: service.key, dir: service.dir, control: service.controlUrl };
process.stdout.write(`${JSON.stringify(line)}\n`);

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  void service.close().then(() => process.exit(0));
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
