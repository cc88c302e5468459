// How well look inside tells secrets from harmless texts (test/support/corpus), and what a look costs.
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { measureCorpus } from '../support/corpus/measure.ts';
import { judge, type Bench } from './frame.ts';
import { quantile, rounded, say } from './show.ts';

const goals = { foundPercent: 95, alarmsPercent: 0.5, p50Ms: 50 };

export const bench: Bench = {
  name: 'look-inside',
  goal: `found ≥ ${goals.foundPercent} % of made-up secrets, false alarms ≤ ${goals.alarmsPercent} % of harmless files, p50 ≤ ${goals.p50Ms} ms a file`,
  async run() {
    const inspect = createInspect();
    try {
      const { secrets, kinds, harmless, found, alarms, missed, mistaken, tookMs } =
        await measureCorpus(inspect);
      say(
        `${secrets} secrets of ${kinds} kinds: ${rounded(found * 100)} % found; missed: ${missed.join(', ')}`,
      );
      say(`${harmless} harmless files: ${rounded(alarms * 100)} % false alarms: ${mistaken.join(', ')}`);
      const p50 = quantile(tookMs, 0.5);
      return {
        ...judge([
          { what: 'secrets not found, %', value: 100 - found * 100, atMost: 100 - goals.foundPercent },
          { what: 'false alarms, %', value: alarms * 100, atMost: goals.alarmsPercent },
          { what: 'a file p50, ms', value: p50, atMost: goals.p50Ms },
        ]),
        found: rounded(found * 100),
        alarms: rounded(alarms * 100),
        ms: { p50: rounded(p50), p95: rounded(quantile(tookMs, 0.95)), most: rounded(tookMs.at(-1) ?? 0) },
      };
    } finally {
      await inspect.close();
    }
  },
};
