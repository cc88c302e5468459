// Which address a given key belongs to: the one that stood beside it. It is sent nowhere else. Pure, but for the record.
import { createHmac } from 'node:crypto';
import type { SettingOrigin } from '../../contract/settings.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';

/** Keys that the keychain does not store: they come with the environment, or from the setting keyCommand. */
export type GivenSource = 'environment' | 'command';

/** Where a key was first used: `mark` tells it apart from another key. */
export type KeyOrigins = { readonly [Source in GivenSource]?: { mark: string; origin: string } };

/** A value of the setting from each place that has one. */
export type Layers = Readonly<Partial<Record<SettingOrigin, unknown>>>;

/** What stands in a file comes before what is given for one run. */
const lasting = ['policy', 'user', 'recommended'] as const;

/**
 * The address that stands beside a key. `together`: key and address come from one place that is changed as a whole, so
 * the address counts even where the key was used elsewhere before. `in`: the places that name the command.
 */
const besideIt = (
  source: GivenSource,
  addresses: Layers,
  commandIn: Layers,
): { address: unknown; together: boolean } => {
  const pair =
    source === 'environment' ? 'environment' : Object.hasOwn(commandIn, 'policy') ? 'policy' : null;
  if (pair !== null && typeof addresses[pair] === 'string')
    return { address: addresses[pair], together: true };
  const place = [...lasting, 'command-line' as const, 'environment' as const].find(
    (one) => typeof addresses[one] === 'string',
  );
  return { address: place === undefined ? null : addresses[place], together: false };
};

/** Tells keys apart, and is too short to confirm a guessed one. `salt`: of this data folder. */
export const originMarkOf = (salt: string, text: string): string =>
  createHmac('sha256', salt).update(text).digest('hex').slice(0, 8);

/** The origin that this key may be sent to; `isNew`: to be recorded. Null: there is no address at all. */
export const originOf = (
  source: GivenSource,
  mark: string,
  { addresses, commandIn, known }: { addresses: Layers; commandIn: Layers; known: KeyOrigins },
): { origin: string; isNew: boolean } | null => {
  const { address, together } = besideIt(source, addresses, commandIn);
  const beside = typeof address === 'string' ? new URL(address).origin : null;
  const before = known[source];
  const kept = before?.mark === mark && !together ? before.origin : null;
  const origin = kept ?? beside;
  return origin === null ? null : { origin, isNew: before?.mark !== mark || before.origin !== origin };
};

export type KeyRecords = {
  get(): KeyOrigins;
  set(origins: KeyOrigins): void;
  salt(): string;
  /** How often a key was stored or removed, or a person wanted a refused one to be read again. */
  changes(): number;
  changed(): void;
};

/** The record, which a ledger opened only for reading does not keep. */
export const keyOriginsIn = (
  { facts, accounts, unwritable }: { facts: FactTable; accounts: { salt(): string }; unwritable: unknown },
  { wallMs }: { wallMs(): number },
): KeyRecords => ({
  salt: accounts.salt,
  get: () => facts.get('key-origins')?.value ?? {},
  set(origins) {
    if (unwritable === null) facts.set('key-origins', origins, wallMs());
  },
  changes: () => facts.get('key-changes')?.value ?? 0,
  changed() {
    if (unwritable === null) facts.set('key-changes', (facts.get('key-changes')?.value ?? 0) + 1, wallMs());
  },
});
