// macOS: forced managed preferences, as the system writes them for a configuration profile: of the machine, then of the
// user. The machine's win, as on Windows. What `defaults write` stores lies elsewhere and is not read: users can do that.
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { noPolicy, type Policy } from './given.ts';
import { parseObject, readTrustedFile, unusable } from './trusted-file.ts';

const domain = 'app.outtray.desktop';

/** A property list of any format as JSON. Throws when it is none. */
export type ToJson = (plist: Buffer) => string;

/** Throws `bad-setting` when preferences are there but cannot be read. */
export const readMacPolicy = ({
  folder = '/Library/Managed Preferences',
  user = userInfo().username,
  ownerUid = 0,
  toJson = convert,
}: { folder?: string; user?: string; ownerUid?: number; toJson?: ToJson } = {}): Policy => {
  const read = (file: string): Policy => {
    const found = readTrustedFile(file, ownerUid);
    if (found.kind === 'absent') return noPolicy;
    if (found.kind === 'ignored') return { ...noPolicy, warnings: [found.warning] };
    return { values: settingsIn(file, found.content, toJson), source: file, warnings: [] };
  };
  const machine = read(join(folder, `${domain}.plist`));
  const own = read(join(folder, user, `${domain}.plist`));
  return {
    values: { ...own.values, ...machine.values },
    source: [machine.source, own.source].filter((source) => source !== '').join(' and '),
    warnings: [...machine.warnings, ...own.warnings],
  };
};

const settingsIn = (file: string, content: Buffer, toJson: ToJson): Record<string, unknown> => {
  let text: string;
  try {
    text = toJson(content);
  } catch (error) {
    throw unusable(file, 'is not a property list of texts, numbers, flags and lists', error);
  }
  // The profile's own description of itself comes along.
  return Object.fromEntries(
    Object.entries(parseObject(file, text)).filter(([name]) => !name.startsWith('Payload')),
  );
};

/** The system's own program, by its path: PATH belongs to the user. */
const convert: ToJson = (plist) =>
  execFileSync('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', '-'], {
    input: plist,
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
