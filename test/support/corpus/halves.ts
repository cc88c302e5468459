// The corpus in parts: rules were written with the seen one and judged by the unseen one; the blind one is by an author
// who had not read the rules.
import { headBytes, kindOf } from '../../../src-main/engine/inspect/content.ts';
import type { Inspect } from '../../../src-main/engine/ports/files.ts';
import { blindHarmless, blindSecrets } from './blind/blind.ts';
import { formatHarmless } from './formats/harmless.ts';
import { formatSecrets } from './formats/secrets.ts';
import { formatTokens } from './formats/tokens.ts';
import { madeFrom, type Kind, type Sample } from './made.ts';
import { seenHarmless } from './seen-harmless.ts';
import { seenKindsOfPeople } from './seen-people.ts';
import { seenKindsOfPrograms } from './seen-programs.ts';
import { seenKindsOfServices } from './seen-services.ts';
import { unseenHarmless } from './unseen-harmless.ts';
import { unseenKindsOfPeople } from './unseen-people.ts';
import { unseenKindsOfPrograms } from './unseen-programs.ts';
import { unseenKindsOfServices } from './unseen-services.ts';

const secrets = {
  seen: [...seenKindsOfPeople, ...seenKindsOfServices, ...seenKindsOfPrograms],
  unseen: [...unseenKindsOfPeople, ...unseenKindsOfServices, ...unseenKindsOfPrograms],
  blind: blindSecrets,
  formats: [...formatSecrets, ...formatTokens],
};
const harmless = {
  seen: seenHarmless,
  unseen: unseenHarmless,
  blind: blindHarmless,
  formats: formatHarmless,
};
export type Half = keyof typeof secrets;

/** Samples of each kind: a single one could be lucky with its random values. */
const samplesOfKind = 5;
const samplesOfHarmless = 7;

/** Shares of all samples. `missed`, `mistaken`: the kinds, with how many of their samples. */
export type HalfMeasure = {
  kinds: number;
  harmlessKinds: number;
  found: number;
  alarms: number;
  missed: string[];
  mistaken: string[];
};

/** By content only, not by name. */
export const measureHalf = async (inspect: Pick<Inspect, 'findIn'>, half: Half): Promise<HalfMeasure> => {
  const isFound = async ({ bytes }: Sample): Promise<boolean> =>
    kindOf(bytes.subarray(0, headBytes)) === 'text' &&
    (await inspect.findIn({ kind: 'text', bytes })).length > 0;
  const countOf = async ({ make }: Kind, samples: number): Promise<number> => {
    let count = 0;
    for (let seed = 1; seed <= samples; seed += 1) if (await isFound(make(madeFrom(seed)))) count += 1;
    return count;
  };
  const total = { found: 0, alarms: 0 };
  const missed: string[] = [];
  const mistaken: string[] = [];
  for (const one of secrets[half]) {
    const count = await countOf(one, samplesOfKind);
    total.found += count;
    if (count < samplesOfKind) missed.push(`${one.name} ${samplesOfKind - count}`);
  }
  for (const one of harmless[half]) {
    const count = await countOf(one, samplesOfHarmless);
    total.alarms += count;
    if (count > 0) mistaken.push(`${one.name} ${count}`);
  }
  return {
    kinds: secrets[half].length,
    harmlessKinds: harmless[half].length,
    found: total.found / (secrets[half].length * samplesOfKind),
    alarms: total.alarms / (harmless[half].length * samplesOfHarmless),
    missed,
    mistaken,
  };
};
