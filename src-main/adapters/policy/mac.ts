// macOS: forced managed preferences, as the system writes them for a configuration profile: of the machine, then of the
// user. The machine's win, as on Windows. `defaults write` stores its values elsewhere; they are not read, because any
// user can set them.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { prints } from '../programs/prints.ts';
import { bothOf, noPolicy, policyIn, type Policy } from './given.ts';
import { readTrustedFile, badPolicy } from './trusted-file.ts';

const domain = 'app.outtray.desktop';

/** A property list of any format as JSON. Throws when it is none. */
export type ToJson = (plist: Buffer) => string;

const managed = '/Library/Managed Preferences';

/** What the system writes for a profile, of the machine and of this user. */
export const macFiles = (folder = managed, user = userInfo().username): [machine: string, own: string] => [
  join(folder, `${domain}.plist`),
  join(folder, user, `${domain}.plist`),
];

/** Throws `bad-setting` when preferences are there but cannot be trusted or read. */
export const readMacPolicy = ({
  folder = managed,
  user = userInfo().username,
  ownerUid = 0,
  toJson = convert,
}: { folder?: string; user?: string; ownerUid?: number; toJson?: ToJson } = {}): Policy => {
  const read = (file: string): Policy => {
    const content = readTrustedFile(file, ownerUid);
    return content === null ? noPolicy : settingsIn(file, content, toJson);
  };
  const [machine, own] = macFiles(folder, user);
  return bothOf(read(machine), read(own));
};

const settingsIn = (file: string, content: Buffer, toJson: ToJson): Policy => {
  let text: string;
  try {
    text = toJson(content);
  } catch (error) {
    throw badPolicy(file, 'is not a property list of texts, numbers, flags and lists', undefined, error);
  }
  const policy = policyIn(file, text);
  // The file also holds the profile's description of itself.
  const values = Object.entries(policy.values).filter(([name]) => !name.startsWith('Payload'));
  return { ...policy, values: Object.fromEntries(values) };
};

/** The system's own program, by its path: PATH belongs to the user. */
const convert: ToJson = (plist) =>
  prints('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', '-'], { input: plist });
