// What the service received in a walk, held against the oracle: each content by its mark, and each member of a zip.
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { createWorld } from '../fake-world.ts';
import { agentRoots, watched } from './draws.ts';
import { contradictions, type World } from './oracle.ts';
import type { createTree } from './tree.ts';

/** The state when a zip was packed: where its files were, and the settings in force. */
export type PackedThen = { holders: Map<string, string[]>; settings: Settings; agentRoots: string[] };

export type Walk = { seed: number; problems: string[]; received: number; trail: string[] };

export const markOf = (text: string | null): string | null => /#\d+#/.exec(text ?? '')?.[0] ?? null;
export const marksIn = (text: string | null): string[] => [...new Set((text ?? '').match(/#\d+#/g) ?? [])];

/** From now on each file is judged at the moment at which it is received. */
export const judgeReceived = (of: {
  world: Pick<ReturnType<typeof createWorld>, 'service' | 'spool'>;
  tree: ReturnType<typeof createTree>;
  walk: Walk;
  said: World['said'];
  zips: ReadonlyMap<string, PackedThen>;
  /** The settings before the last change. */
  before: () => Settings;
  person: () => Settings;
}): void => {
  const { world, tree, walk, said, zips } = of;
  const { service } = world;
  const rootsOf = (roots: readonly string[]): string[] => roots.map(tree.real);
  const asked = (current: Settings, packed: PackedThen | undefined): World => ({
    settings: current,
    said,
    watched,
    agentRoots: packed?.agentRoots ?? rootsOf(agentRoots),
    allowed: rootsOf(current.allowedRoots),
    forbidden: rootsOf(current.forbiddenRoots),
    isThere: tree.isThere,
  });
  const judgeOne = (sentName: string, bytes: string, packed: PackedThen | undefined): void => {
    const mark = markOf(bytes);
    if (mark === null) return;
    const real = { mark, paths: packed?.holders.get(mark) ?? tree.holders(mark), bytes };
    // The rule for locations was applied to a zip when it was packed.
    const questions = packed === undefined ? {} : { photoLocation: packed.settings.photoLocation };
    const found = (rules: Settings): string[] =>
      contradictions(sentName, bytes, real, asked({ ...rules, ...questions }, packed));
    const then = found(of.before());
    const both = found(of.person()).filter((one) => then.includes(one));
    walk.problems.push(...both.map((one) => `${one} (${mark})`));
  };
  const judge = (name: string, bytes: Buffer): void => {
    const packed = zips.get(name);
    const members = packed === undefined ? undefined : world.spool.packed.get(pathOfZip(name));
    const whole = members
      ?.map((one) => `${Buffer.from(one.name).toString('latin1')}: ${one.bytes.toString('latin1')}`)
      .join('\n');
    if (whole !== undefined && whole !== bytes.toString('latin1'))
      walk.problems.push(`another content than the zip that was packed: ${name}`);
    for (const one of members ?? [{ name, bytes }])
      judgeOne(one.name.slice(one.name.lastIndexOf('/') + 1), one.bytes.toString('latin1'), packed);
  };
  const pathOfZip = (name: string): string =>
    [...world.spool.packed.keys()].findLast((path) => path.endsWith(`/${name}`)) ?? '';
  const push = service.stored.push.bind(service.stored);
  service.stored.push = (...files) => {
    for (const { name, bytes } of files) {
      walk.received += 1;
      walk.trail.push(`received ${name}`);
      judge(name, bytes);
    }
    return push(...files);
  };
};
