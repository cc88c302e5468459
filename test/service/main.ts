// The service as a process of its own: prints one line of JSON with its addresses, then serves until it is stopped. It
// binds the loopback address only.
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startService } from './service.ts';
import { windowModels, type WindowModel } from './windows.ts';
import type { Knobs, PlanName, ServiceOptions, StoreMode } from './options.ts';

/** Commander has no way to carry `null`, so the word stays a word until the options are made. */
type Limit = number | 'none';

type Flags = {
  port: number;
  controlPort: number;
  tlsKey?: string;
  tlsCert?: string;
  plan: PlanName;
  key?: string;
  dir?: string;
  store: StoreMode;
  window: WindowModel;
  dayWindow: WindowModel;
  order: Knobs['order'];
  maxFileSize?: Limit;
  dailyUploads?: Limit;
  requestsPerMinute?: Limit;
  requestsPerDay?: Limit;
  linkHost?: string;
  listLag: number;
  sizeUnit: Knobs['sizeUnit'];
  uploadDateOffset: number;
  filenames: Knobs['filenames'];
  errorShape: Knobs['errorShape'];
  refusal: Knobs['refusal'];
  retryAfter: 'none' | 'seconds' | 'date';
  counted: Knobs['counted'];
  seed?: number;
};

const choice = (flags: string, text: string, choices: readonly string[], preset: string) =>
  new Option(flags, text).choices(choices).default(preset);

const program = new Command('service')
  .description('A file-sharing service on this machine, for tests, the demo and benchmarks.')
  .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber, 0)
  .option('--control-port <number>', 'port of the control endpoint', wholeNumber, 0)
  .option('--tls-key <file>', 'PEM file; with --tls-cert the service speaks HTTPS')
  .option('--tls-cert <file>', 'PEM file')
  .addOption(choice('--plan <plan>', 'plan of the account', ['Pro', 'Business', 'Free'], 'Pro'))
  .option('--key <key>', 'API key of the account (default: a random one)')
  .option('--dir <folder>', 'keeps the files here (default: a temp folder, removed at the end)')
  .addOption(choice('--store <mode>', 'what is kept of the bytes', ['disk', 'hash-only', 'discard'], 'disk'))
  .addOption(choice('--window <model>', 'how requests per minute are counted', windowModels, 'sliding'))
  .addOption(choice('--day-window <model>', 'how requests per day are counted', windowModels, 'fixed'))
  .addOption(choice('--counted <what>', 'requests that count', ['all', 'uploads', 'accepted'], 'all'))
  .option('--requests-per-minute <number>', 'instead of the plan’s; "none" for no limit', limit)
  .option('--requests-per-day <number>', 'instead of the plan’s; "none" for no limit', limit)
  .option('--max-file-size <bytes>', 'largest file; "none" for no limit', limit)
  .option('--daily-uploads <number>', 'uploads a day; "none" for no limit', limit)
  .addOption(
    choice(
      '--order <order>',
      'of the list',
      ['newest', 'oldest', 'name', 'id-desc', 'random-stable'],
      'newest',
    ),
  )
  .option('--list-lag <ms>', 'files show up in the list this much later', wholeNumber, 0)
  .addOption(choice('--size-unit <unit>', 'of sizes in answers', ['B', 'kB', 'KiB', 'MB', 'MiB'], 'B'))
  .option('--upload-date-offset <minutes>', 'zone of upload_date, east of UTC', wholeNumber, 0)
  .option('--link-host <origin>', 'origin of the public links (default: this service)')
  .addOption(
    choice(
      '--filenames <rule>',
      'how stored names are made',
      ['as-is', 'prefix', 'unique', 'lowercase', 'nfc', 'nfd', 'ascii', 'underscores'],
      'as-is',
    ),
  )
  .addOption(
    choice(
      '--error-shape <shape>',
      'of error bodies',
      ['message', 'nested', 'text', 'html', 'empty'],
      'message',
    ),
  )
  .addOption(
    choice(
      '--refusal <when>',
      'when refusals are sent',
      ['late', 'early', 'early-close', 'early-cut'],
      'late',
    ),
  )
  .addOption(choice('--retry-after <form>', 'sent with 429', ['none', 'seconds', 'date'], 'none'))
  .option('--seed <number>', 'decides links and random orders', wholeNumber);

const flags = program.parse().opts<Flags>();
const service = await startService(optionsOf(flags));
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

function optionsOf(given: Flags): ServiceOptions {
  const { maxFileSize, dailyUploads, requestsPerMinute, requestsPerDay, ...others } = given;
  const { listLag, uploadDateOffset, tlsKey, tlsCert, ...same } = others;
  const tls = tlsKey !== undefined && tlsCert !== undefined;
  return {
    ...same,
    listLagMs: listLag,
    uploadDateOffsetMinutes: uploadDateOffset,
    ...limitOf('maxFileSizeBytes', maxFileSize),
    ...limitOf('dailyUploads', dailyUploads),
    ...limitOf('requestsPerMinute', requestsPerMinute),
    ...limitOf('requestsPerDay', requestsPerDay),
    ...(tls ? { tls: { key: readFileSync(tlsKey, 'utf8'), cert: readFileSync(tlsCert, 'utf8') } } : {}),
  };
}

function limitOf(name: keyof ServiceOptions, given: Limit | undefined): ServiceOptions {
  return given === undefined ? {} : { [name]: given === 'none' ? null : given };
}

function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('A whole number is wanted.');
  return Number(text);
}

function limit(text: string): Limit {
  return text === 'none' ? text : wholeNumber(text);
}
