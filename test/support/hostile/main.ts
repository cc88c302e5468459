// `node --expose-gc test/support/hostile/main.ts --each 5000`: hostile answers of all five endpoints, one JSON line.
// `--seed N` for other ones; `--endpoint upload --index 7` for one of them alone.
import { parseArgs } from 'node:util';
import { endpoints } from './answers.ts';
import { runHostile } from './run.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    endpoint: { type: 'string' },
    index: { type: 'string' },
  },
});
const endpoint = endpoints.find((one) => one === values.endpoint);
const report = await runHostile({
  each: Number(values.each),
  seed: Number(values.seed),
  told: (text) => console.error(text),
  collect: () => {
    void globalThis.gc?.();
  },
  ...(endpoint === undefined || values.index === undefined
    ? {}
    : { only: { endpoint, index: Number(values.index) } }),
});
console.log(JSON.stringify(report));
if (report.findings.length > 0) process.exitCode = 1;
