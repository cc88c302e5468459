// What may never become public, defined a second time as simply as possible: from the real path and the real bytes of a
// file, without a line of the product's guards.
import { ownFolder } from '../fake-ports.ts';
import { tellsPlace } from './places.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';

/** A file as it really is: every real path that has its bytes. */
export type Real = { mark: string; paths: readonly string[]; bytes: string };

/** The decisions of people until then. */
export type Said = {
  /** Contents that were released, whatever was found in them. */
  approved: ReadonlySet<string>;
  /** Contents that a person gave by path, and contents that anybody gave by path. */
  given: ReadonlySet<string>;
  named: ReadonlySet<string>;
  /** Contents that a person refused, and how. */
  refused: ReadonlyMap<string, string>;
  /** Contents on another disk than the one that was chosen. */
  foreign: ReadonlySet<string>;
};

export type World = {
  settings: Settings;
  said: Said;
  watched: string;
  /** Real folders of agents. */
  agentRoots: readonly string[];
  allowed: readonly string[];
  forbidden: readonly string[];
  isThere(path: string): boolean;
};

const below = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path.startsWith(`${root}/`));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** As a person reads the name, as Windows opens it, and as a service may store it. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b\u200e\u202e\u2060\u00ad\ufeff]/g, '')
    .replace(/[ ._*]+$/, '')
    .toLowerCase();
const endings = (name: string): string[] => plain(name).split('.').slice(1);
const isSecretName = (name: string): boolean => /^(id_rsa|\.env)$|\.(pem|kdbx)$/.test(plain(name));
const isHalf = (path: string, { isThere }: World): boolean =>
  /\.(part|crdownload|filepart|aria2)(\/|$)/i.test(path) || isThere(`${path}.aria2`);

/** By a pattern of the person, or hidden. */
const isKeptOut = (path: string, { ignore, includeHidden }: Settings): boolean =>
  (!includeHidden && path.includes('/.')) ||
  ignore.some((pattern) =>
    pattern.startsWith('*')
      ? path.toLowerCase().endsWith(pattern.slice(1))
      : nameOf(path).toLowerCase() === pattern,
  );

/** Only texts are searched for secrets. */
const isText = (bytes: string): boolean =>
  !/^[^]{0,20}[\0-\x06]/.test(bytes) || bytes.includes('a long comment');

/** Why this content should not have been received under this name, each as one line. */
export const contradictions = (sentName: string, sentBytes: string, real: Real, world: World): string[] => {
  const { settings, said } = world;
  const { mark, paths } = real;
  const found: string[] = [];
  const say = (is: boolean, what: string): void => {
    if (is)
      found.push(
        `${what}: ${JSON.stringify(sentName)} of ${paths.map((path) => JSON.stringify(path)).join(', ')}`,
      );
  };
  const all = (is: (path: string) => boolean): boolean => paths.length > 0 && paths.every(is);
  const isForbiddenType = (name: string): boolean =>
    endings(name).some((ending) => settings.forbiddenTypes.includes(ending));

  say(
    all((path) => below(path, world.forbidden)),
    'in a forbidden folder',
  );
  say(
    all((path) => below(path, [ownFolder])),
    'of our own data',
  );
  say(world.allowed.length > 0 && all((path) => !below(path, world.allowed)), 'in no allowed folder');
  say(isForbiddenType(sentName) || all((path) => isForbiddenType(nameOf(path))), 'a forbidden type');
  say(
    settings.allowedTypes.length > 0 && !settings.allowedTypes.includes(endings(sentName).at(-1) ?? ''),
    'no allowed type',
  );
  say(settings.maxFileBytes !== null && sentBytes.length > settings.maxFileBytes, 'too large');

  const isApproved = said.approved.has(mark);
  const hasSecretName = isSecretName(sentName) || all((path) => isSecretName(nameOf(path)));
  say(settings.holdSecrets && hasSecretName && !isApproved, 'a secret name');
  say(settings.lookInside && isText(sentBytes) && /SECRET/.test(sentBytes) && !isApproved, 'a secret inside');
  const isGuardedPhoto = settings.lookInside && settings.photoLocation !== 'keep';
  say(isGuardedPhoto && tellsPlace(sentBytes) && !isApproved, 'a photo with its place');

  const isAskedFor = isApproved || said.given.has(mark);
  const no = said.refused.get(mark);
  say(no !== undefined, `a person said no (${no ?? ''})`);
  say(said.foreign.has(mark) && !isAskedFor, 'on another disk');
  const isFound = !said.named.has(mark) && !isApproved;
  say(isFound && all((path) => isHalf(path, world)), 'a half download');
  say(!isAskedFor && all((path) => isKeptOut(path, settings)), 'kept out by a rule of the person');
  const isAgents = !isAskedFor && all((path) => !below(path, [world.watched]));
  say(isAgents && all((path) => !below(path, world.agentRoots)), 'outside the folders of agents');
  return found;
};
