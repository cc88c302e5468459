// How many secrets of a part of the corpus are found, and how many of its harmless files are taken for secrets.
import { headBytes, kindOf } from '../../../src-main/engine/inspect/content.ts';
import type { Inspect } from '../../../src-main/engine/ports/files.ts';
import { madeFrom } from './made.ts';
import { kindsOf, type Kind } from './samples.ts';

export type Part = 'seen' | 'unseen' | 'blind' | 'formats';

/** Samples of each kind: a single one could be lucky with its random values. */
const samplesOfKind = 5;
const samplesOfHarmless = 7;

/** Shares of all samples. `missed`, `mistaken`: the kinds, with how many of their samples. */
export type PartMeasure = {
  kinds: number;
  harmlessKinds: number;
  found: number;
  alarms: number;
  missed: string[];
  mistaken: string[];
};

/** By content only, not by name. */
export const measurePart = async (inspect: Pick<Inspect, 'findIn'>, part: Part): Promise<PartMeasure> => {
  const isFound = async (bytes: Buffer): Promise<boolean> =>
    kindOf(bytes.subarray(0, headBytes)) === 'text' &&
    (await inspect.findIn({ kind: 'text', bytes })).length > 0;
  const countOf = async ({ make }: Kind, samples: number): Promise<number> => {
    let count = 0;
    for (let seed = 1; seed <= samples; seed += 1) if (await isFound(make(madeFrom(seed)))) count += 1;
    return count;
  };
  const secrets = kindsOf(`${part}-secrets`);
  const harmless = kindsOf(`${part}-harmless`);
  const total = { found: 0, alarms: 0 };
  const missed: string[] = [];
  const mistaken: string[] = [];
  for (const one of secrets) {
    const count = await countOf(one, samplesOfKind);
    total.found += count;
    if (count < samplesOfKind) missed.push(`${one.name} ${samplesOfKind - count}`);
  }
  for (const one of harmless) {
    const count = await countOf(one, samplesOfHarmless);
    total.alarms += count;
    if (count > 0) mistaken.push(`${one.name} ${count}`);
  }
  return {
    kinds: secrets.length,
    harmlessKinds: harmless.length,
    found: total.found / (secrets.length * samplesOfKind),
    alarms: total.alarms / (harmless.length * samplesOfHarmless),
    missed,
    mistaken,
  };
};
