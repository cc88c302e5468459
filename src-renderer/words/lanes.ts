// The three lanes of a budget, named and counted.
import type { LaneUse } from '../../src-main/contract/model.ts';
import { say } from './say.svelte.ts';
import * as show from './show.ts';

type Shown = 'upload' | 'user' | 'background';
export type NamedLane = { name: Shown; label: string; count: number; text: string };

const order: readonly Shown[] = ['upload', 'user', 'background'];

export const lanes = (use: LaneUse): NamedLane[] =>
  order.map((name) => {
    // Agents upload, and take a few links back.
    const count = name === 'upload' ? use.upload + use.agent : use[name];
    return { name, label: say(`stats.lane.${name}`), count, text: show.count(count) };
  });
