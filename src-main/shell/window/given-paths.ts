// Paths that a person gave to a page: by a drop, by paste, or in a dialog. The page has a token for each, and no path,
// so it cannot name a file that was not given to it.
import { randomUUID } from 'node:crypto';

/** As many as one call takes (files.upload). */
const mostTokens = 100_000;

/** `load`: one load of a page. What it was given ends with it. */
export type GivenPaths = {
  /** Tokens in the order of the paths; '' for what is no path. The same path has the same token. */
  give(load: object, paths: unknown): string[];
  /** Null: this load was not given that. */
  pathOf(load: object, token: string): string | null;
};

type Given = { paths: Map<string, string>; tokens: Map<string, string> };

export const createGivenPaths = (most = mostTokens): GivenPaths => {
  const loads = new WeakMap<object, Given>();
  return {
    give(load, given) {
      const known: Given = loads.get(load) ?? { paths: new Map(), tokens: new Map() };
      loads.set(load, known);
      const { paths, tokens } = known;
      const all: unknown[] = Array.isArray(given) ? given.slice(0, most) : [];
      const made = all.map((path) => {
        if (typeof path !== 'string' || path === '') return '';
        const token = tokens.get(path) ?? randomUUID();
        // The newest is last, so the oldest is dropped first.
        tokens.delete(path);
        tokens.set(path, token);
        paths.set(token, path);
        return token;
      });
      for (const [path, token] of tokens) {
        if (tokens.size <= most) break;
        tokens.delete(path);
        paths.delete(token);
      }
      return made;
    },
    pathOf: (load, token) => loads.get(load)?.paths.get(token) ?? null,
  };
};

/** Lines of drops: more than the cards of a day have. */
const mostOffers = 1_000;

/** What drops offer to every page: one token for the paths of a line. */
export const createOffers = () => {
  const offers = new Map<string, { token: string; paths: readonly string[] }>();
  return {
    give(key: string, paths: readonly string[]): string {
      const token = offers.get(key)?.token ?? randomUUID();
      offers.delete(key);
      offers.set(key, { token, paths });
      const [oldest] = offers.keys();
      if (offers.size > mostOffers && oldest !== undefined) offers.delete(oldest);
      return token;
    },
    pathsOf: (wanted: string): readonly string[] | null =>
      [...offers.values()].find(({ token }) => token === wanted)?.paths ?? null,
  };
};
