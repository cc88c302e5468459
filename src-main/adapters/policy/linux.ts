// Linux: /etc/outtray/policy.json, when only root can have written it.
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { givenText } from '../../contract/text/given-text.ts';
import { noPolicy, policyIn, type Policy } from './given.ts';
import { readTrustedFile, unusable } from './trusted-file.ts';

/**
 * Lies beside a policy that must be there: without it a policy that is lost by accident would lift every lock. Only root
 * can make or remove it, and only its name counts.
 */
const requiredMark = 'policy.required';

/** Throws `bad-setting` when the file cannot be trusted or read, or is required and not there. */
export const readLinuxPolicy = ({ file = '/etc/outtray/policy.json', ownerUid = 0 } = {}): Policy => {
  const content = readTrustedFile(file, ownerUid);
  if (content === null) {
    const mark = join(dirname(file), requiredMark);
    // A broken link has its name as well.
    if (lstatSync(mark, { throwIfNoEntry: false }) === undefined) return noPolicy;
    throw unusable(
      file,
      `is not there, and ${mark} demands one`,
      `Put the policy back, or remove ${mark} as root to go without one.`,
    );
  }
  const policy = policyIn(file, givenText(content));
  // Editors find the schema by this name; it is no setting.
  const { $schema: _schema, ...values } = policy.values;
  return { ...policy, values };
};
