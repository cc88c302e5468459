// What an administrator decided for this machine. A policy that cannot be trusted or read throws instead: running
// without it would silently lift its locks.
import { parseObject, badPolicy } from './trusted-file.ts';

export type Policy = {
  /** Locked values, as written: the settings check them like every other layer. */
  values: Record<string, unknown>;
  /** Defaults that the user may change, as written. */
  recommended: Record<string, unknown>;
  /** Where the policy is stored; empty when there is none. */
  source: string;
  /** For a policy in several files: the file that sets each locked value. */
  sources?: Readonly<Record<string, string>>;
};

export const noPolicy: Policy = { values: {}, recommended: {}, source: '' };

/** The object in a policy file, with its object `recommended` apart. Throws `bad-setting`. */
export const policyIn = (source: string, text: string): Policy => {
  const { recommended = {}, ...values } = parseObject(source, text);
  if (typeof recommended !== 'object' || recommended === null || Array.isArray(recommended))
    throw badPolicy(source, 'has a part “recommended” that is not an object');
  return { values, recommended: { ...recommended }, source };
};

/** The policies of the machine and of the user as one. The machine's values win. */
export const bothOf = (machine: Policy, own: Policy): Policy => ({
  values: { ...own.values, ...machine.values },
  recommended: { ...own.recommended, ...machine.recommended },
  source: [machine.source, own.source].filter((source) => source !== '').join(' and '),
});

/** The files of one policy, in order: for each name the last one counts, and a value that one locks stays locked. */
export const mergedOf = (files: readonly Policy[]): Policy =>
  files.length === 0
    ? noPolicy
    : files.reduce((before, file) => ({
        values: { ...before.values, ...file.values },
        recommended: { ...before.recommended, ...file.recommended },
        source: `${before.source}, ${file.source}`,
        sources: {
          ...(before.sources ?? sourcesOf(before)),
          ...sourcesOf(file),
        },
      }));

const sourcesOf = ({ values, source }: Policy): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, source]));
