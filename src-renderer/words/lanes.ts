// The three lanes of a budget, named and counted.
import type { Lane, LaneUse } from '../../src-main/contract/model.ts';
import { say } from './say.svelte.ts';
import * as show from './show.ts';

export type NamedLane = { name: Lane; label: string; count: number; text: string };

const order: readonly Lane[] = ['upload', 'user', 'background'];

export const lanes = (use: LaneUse): NamedLane[] =>
  order.map((name) => ({
    name,
    label: say(`stats.lane.${name}`),
    count: use[name],
    text: show.count(use[name]),
  }));
