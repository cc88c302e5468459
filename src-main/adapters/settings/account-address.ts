// Which account this process has: whether it may have another one, and the address that others compare with theirs.
import { requireRight } from '../../contract/rights.ts';
import type { Clock, Log } from '../../engine/ports/ports.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';
import type { SettingsStore } from './settings.ts';

/** Another profile is another account. Throws `not-allowed` where a policy forbids a change of the account. */
export const requireProfile = (profile: string | null, settings: SettingsStore): void => {
  if (profile !== null && settings.isLocked('allowAccountChange'))
    requireRight(settings, 'allowAccountChange');
};

/** For the process with the engine: notes its address, also after each change, and then calls `changed`. Returns the undo. */
export const followAddress = (
  {
    settings,
    facts,
    clock,
    log,
  }: { settings: SettingsStore; facts: FactTable; clock: Pick<Clock, 'wallMs'>; log: Pick<Log, 'warn'> },
  changed: () => void,
): (() => void) => {
  const note = (): void => {
    const { baseUrl } = settings.current();
    if (baseUrl === null || baseUrl === facts.get('engine-address')?.value) return;
    try {
      facts.set('engine-address', baseUrl, clock.wallMs());
    } catch (error) {
      // What cannot be noted now is noted with the next change, or at the next start.
      log.warn('address not noted', { error });
    }
  };
  note();
  return settings.onChange(() => {
    note();
    changed();
  });
};
