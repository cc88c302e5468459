// Runs a number of hostile answers of each endpoint against the real adapter and reports what went wrong.
import { createDice } from '../simulation/dice.ts';
import { endpoints, type Asked, type Endpoint } from './answers.ts';
import { caseOf, cutsOf } from './cases.ts';
import { contentBytes, openBench, type Finding } from './judge.ts';
import { key, openLane, type Lane } from './lane.ts';

const lanesAtOnce = 12;
const mostFindings = 25;
/** A case takes a few ms, those that hang on a silent line 80. */
const mostWaitMs = 20_000;

export type Report = {
  seed: number;
  each: number;
  cases: Record<Endpoint, number>;
  /** Bytes at which an honest upload answer can be cut, and how many of them were. */
  cuts: number;
  /** Cases that had to be believed. */
  had: number;
  resolved: number;
  rejected: number;
  uncertain: number;
  findings: Finding[];
  /** Heap in use after a collection, at the end less after the first tenth. */
  heapGrowthBytes: number;
  tookMs: number;
};

/** `collect` is `gc` of a process with `--expose-gc`. */
export const runHostile = async (options: {
  each: number;
  seed: number;
  only?: { endpoint: Endpoint; index: number };
  collect: () => void;
  /** Called with the progress. */
  told?: (text: string) => void;
}): Promise<Report> => {
  const { each, seed } = options;
  const startedMs = performance.now();
  const bench = openBench();
  const lanes: Lane[] = await Promise.all(Array.from({ length: lanesAtOnce }, openLane));
  const findings: Finding[] = [];
  const answeredNames = new Set<string>();
  let had = 0;
  let ran = 0;
  const note = (label: string, problem: string): void => {
    options.told?.(`${label} => ${problem}`);
    if (findings.length < mostFindings) findings.push({ label, problem });
  };
  const strays = (kind: string) => (error: unknown) =>
    note(kind, error instanceof Error ? (error.stack ?? '') : String(error));
  const watched = ['unhandledRejection', 'uncaughtException', 'warning'] as const;
  const hear = watched.map((kind) => [kind, strays(kind)] as const);
  for (const [kind, act] of hear) process.on(kind, act);

  // Files that the account had before: an upload that is answered with one of their ids is another file's answer.
  const before = Array.from({ length: 20 }, (_, index) => 900_000_000 + index);
  bench.ledger.remote.saw(
    1,
    before.map((fileId) => ({ file_id: fileId, filename: `before ${fileId}` })),
    Date.now() - 86_400_000,
  );

  const all = endpoints.flatMap((endpoint) =>
    Array.from({ length: each }, (_, index) => ({ endpoint, index })),
  );
  // Endpoints alternate, so that a leak of any of them shows from the beginning.
  const order =
    options.only === undefined
      ? all.toSorted((a, b) => a.index - b.index)
      : all.filter(
          ({ endpoint, index }) => endpoint === options.only?.endpoint && index === options.only.index,
        );

  const runOne = async (lane: Lane, endpoint: Endpoint, index: number): Promise<void> => {
    const dice = createDice(seed * 7919 + index).stream(endpoint);
    const asked: Asked = {
      fileId: 10_000_000 + index * 10 + endpoints.indexOf(endpoint),
      name: `file ${index}.bin`,
      sizeBytes: contentBytes,
      link: lane.link,
    };
    const others = [...before, ...bench.taken.slice(-20)];
    const one = caseOf(endpoint, index, each, {
      asked,
      others,
      isTaken: (fileId) => bench.ledger.uploads.byFileId(fileId) !== null,
      isNamed(filename) {
        const isKnown = answeredNames.has(filename);
        answeredNames.add(filename);
        return isKnown;
      },
      key,
      dice,
    });
    const label = `${endpoint} ${index}: ${one.label}`;
    if (one.legit === 'must') had += 1;
    lane.serve(one);
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve('does not end'), mostWaitMs);
    const problem = await Promise.race([
      bench
        .judge(endpoint, one, asked, lane)
        .catch((error: unknown) => `broke: ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
      late.promise,
    ]);
    clearTimeout(timer);
    // A request that was given up may still be on its way to the server: it is not the next case's.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
    if (problem !== null) note(label, problem);
    if (lane.requests() > 1) note(label, `asked ${lane.requests()} times`);
    if (Reflect.get({}, 'polluted') !== undefined || Object.keys(Object.prototype).length > 0)
      note(label, 'polluted the prototype of all objects');
  };

  const runPart = async (part: typeof order): Promise<void> => {
    const left = part[Symbol.iterator]();
    await Promise.all(
      lanes.map(async (lane) => {
        for (const { endpoint, index } of left) {
          await runOne(lane, endpoint, index);
          ran += 1;
          if (ran % 1000 === 0)
            options.told?.(`${ran} of ${order.length} cases, ${findings.length} findings`);
        }
      }),
    );
  };

  const heapBytes = (): number => {
    options.collect();
    return process.memoryUsage().heapUsed;
  };
  const warm = Math.ceil(order.length / 10);
  await runPart(order.slice(0, warm));
  const warmBytes = heapBytes();
  await runPart(order.slice(warm));
  const heapGrowthBytes = heapBytes() - warmBytes;
  const mostTaken = Math.max(...lanes.map((lane) => lane.mostTakenBytes()));
  if (mostTaken > 8 * 1024 * 1024) note('endless', `took ${mostTaken} bytes of one answer`);

  await Promise.all(lanes.map((lane) => lane.close()));
  bench.close();
  for (const [kind, act] of hear) process.off(kind, act);
  const asked: Asked = {
    fileId: 1,
    name: 'x',
    sizeBytes: contentBytes,
    link: 'http://127.0.0.1:1/download/abc',
  };
  return {
    seed,
    each,
    cases: Object.fromEntries(endpoints.map((endpoint) => [endpoint, each])) as Record<Endpoint, number>,
    cuts: cutsOf('upload', {
      asked,
      others: [],
      isTaken: () => false,
      isNamed: () => false,
      key,
      dice: createDice(1),
    }).length,
    had,
    ...bench.counts,
    findings,
    heapGrowthBytes,
    tookMs: Math.round(performance.now() - startedMs),
  };
};
