// Every path that comes from outside gets its one spelling here, before a handler sees it. Rows of earlier versions
// keep the path that they were written with.
import { eachHandler, type Handlers } from '../../contract/commands.ts';
import type { Ports } from '../ports/ports.ts';
import type { Spells } from '../../contract/catalogue/calls.ts';
import type { Named } from '../../contract/text/named-file.ts';
import { foldedPath, splitPath } from '../shared/paths.ts';

/** `how`: as in the row of the call (contract/catalogue/calls.ts). */
export type Spelling = (paths: readonly string[], how?: Spells) => Promise<string[]>;

/** In the order of the paths. */
export const createEngineSpelling =
  ({ files, ledger: { uploads } }: Pick<Ports, 'files' | 'ledger'>): Spelling =>
  async (given, how = 'asKnown') => {
    const spelled = await files.spell(given);
    return spelled.map(({ path, isGuess }, at) => {
      const written = given[at] ?? path;
      if ((path === written || how === 'real') && !isGuess) return path;
      return uploads.knownAs([splitPath(path), splitPath(written)], isGuess ? foldedPath : null) ?? path;
    });
  };

/** How inputs of commands name files. */
type Naming = {
  path?: string;
  paths?: readonly string[];
  files?: readonly Named[];
  /** Its paths are real ones already: what has become a link since then is not followed. */
  agent?: unknown;
};

const inSpelling = async <Input extends object>(
  input: Input,
  spell: Spelling,
  how: Spells,
): Promise<Input> => {
  const { path, paths, files, agent }: Naming = input;
  if (agent !== undefined) return input;
  const named = [
    ...(path === undefined ? [] : [path]),
    ...(paths ?? []),
    ...(files ?? []).flatMap((file) => ('path' in file ? file.path : [])),
  ];
  const spelled = (await spell(named, how)).values();
  const next = (written: string): string => spelled.next().value ?? written;
  return {
    ...input,
    ...(path === undefined ? {} : { path: next(path) }),
    ...(paths === undefined ? {} : { paths: paths.map(next) }),
    ...(files === undefined
      ? {}
      : { files: files.map((file) => ('path' in file ? { ...file, path: next(file.path) } : file)) }),
  };
};

/** The same handlers, for paths in any spelling. A folder to watch gets its spelling where it is accepted. */
export const withSpelling = (handlers: Handlers, spell: Spelling): Handlers =>
  eachHandler(handlers, ({ spells }, handle) =>
    spells === undefined
      ? handle
      : async (input, signal) => await handle(await inSpelling(input, spell, spells), signal),
  );
