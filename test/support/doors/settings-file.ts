// The settings of a walk as a real file, which other programs empty, cut and replace.
import { chmodSync, chownSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSettings, type SettingsStore } from '../../../src-main/adapters/settings/settings.ts';
import { openHome } from '../../../src-main/adapters/system/home.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { Dice } from '../simulation/dice.ts';

const isRoot = process.getuid?.() === 0;

/** What other programs and a power cut make of the file; null: it belongs to another user. */
const spoilt: readonly ((text: string, dice: Dice) => string | null)[] = [
  () => '',
  () => ' \n\t',
  () => '\ufeff',
  (text) => '\0'.repeat(text.length),
  (text, dice) => text.slice(0, dice.whole(1, text.trimEnd().length - 1)),
  (text, dice) => text.slice(dice.whole(1, 9)),
  () => '[]',
  () => 'null',
  (text) => JSON.stringify(text),
  // Others cannot give a file away. A walk is the same for every user.
  () => (isRoot ? null : ''),
];

/**
 * Stores these settings, spoils their file, and opens it as a new process and as a running one. `inForce`: other settings
 * that one of them obeys. `isBack`: the good copy in its place brings the settings back.
 */
export const spoilSettings = async (
  given: Partial<Settings>,
  dice: Dice,
): Promise<{ inForce: Settings | null; isBack: boolean }> => {
  const folder = mkdtempSync(join(tmpdir(), 'outtray-walk-'));
  try {
    const { settings: file, settingsCopy } = openHome(folder, {});
    const open = (): SettingsStore => {
      openHome(folder, {});
      return openSettings({ version: '0.1.0', file, policy: { values: {}, source: '' } });
    };
    writeFileSync(file, JSON.stringify(given));
    const running = open();
    const text = dice.pick(spoilt)(readFileSync(file, 'utf8'), dice);
    writeFileSync(file, text ?? '{}');
    if (text === null) {
      chownSync(file, 1234, 1234);
      chmodSync(folder, 0o777);
    } else refused(() => running.reload());
    const fresh = refused(open);
    renameSync(settingsCopy, file);
    const isSame = (now: Settings): boolean =>
      Object.entries(given).every(
        ([name, value]) => JSON.stringify(now[name as keyof Settings]) === JSON.stringify(value),
      );
    const inForce = [running, fresh].map((one) => one?.current()).find((now) => now && !isSame(now)) ?? null;
    chmodSync(folder, 0o700);
    return { inForce, isBack: isSame(open().current()) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Null: it is refused, so nothing is decided by it. */
const refused = <T>(act: () => T): T | null => {
  try {
    return act();
  } catch {
    return null;
  }
};
