// Linux: /etc/outtray/policy.json and the files of /etc/outtray/policy.d, when only root can have written them.
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { givenText } from '../../contract/text/given-text.ts';
import { mergedOf, noPolicy, policyIn, type Policy } from './given.ts';
import { listTrustedFolder, readTrustedFile, badPolicy } from './trusted-file.ts';

/**
 * A file with this name beside the policy makes the policy mandatory: otherwise losing the policy by accident would
 * lift every lock. Only root can make or remove it, and only its name counts.
 */
const requiredMark = 'policy.required';

/** The policy, and the folder of its parts: tools that configure machines each write a file of their own. */
const placesOf = (file = '/etc/outtray/policy.json') => ({
  file,
  parts: join(dirname(file), 'policy.d'),
  mark: join(dirname(file), requiredMark),
});

/** Throws `bad-setting` when a file cannot be trusted or read, or one is required and none is there. */
export const readLinuxPolicy = ({ file = '/etc/outtray/policy.json', ownerUid = 0 } = {}): Policy => {
  const { parts, mark } = placesOf(file);
  const first = read(file, ownerUid);
  const others = partsIn(listTrustedFolder(parts, ownerUid)).map((name) => read(join(parts, name), ownerUid));
  const found = [first, ...others].filter((policy) => policy !== null);
  if (found.length > 0) return mergedOf(found);
  // Not statSync: a broken link counts as well, because only the name does.
  if (lstatSync(mark, { throwIfNoEntry: false }) === undefined) return noPolicy;
  throw badPolicy(
    file,
    `is not there, and ${mark} requires one`,
    `Put the policy back, or remove ${mark} as root to go without one.`,
  );
};

/** Everything that a policy depends on. */
export const linuxFiles = (policy?: string): string[] => {
  const { file, parts, mark } = placesOf(policy);
  return [dirname(file), file, mark, parts, ...partsIn(namesIn(parts)).map((name) => join(parts, name))];
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // The mark of the folder itself shows the reason.
    return [];
  }
};

/** Sorted by name as in the C locale. Editors keep their own files under names that begin with a dot. */
const partsIn = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();

const read = (file: string, ownerUid: number): Policy | null => {
  const content = readTrustedFile(file, ownerUid);
  if (content === null) return null;
  const policy = policyIn(file, givenText(content));
  // Editors find the schema by this name; it is no setting.
  const { $schema: _schema, ...values } = policy.values;
  return { ...policy, values };
};
