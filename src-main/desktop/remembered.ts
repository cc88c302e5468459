// What the app remembers from one start to the next.
import type { Clock, Log } from '../engine/ports/ports.ts';
import type { FactTable } from '../engine/ports/ledger.ts';
import type { AppContext } from '../shell/app-context.ts';

type Remembered = Pick<AppContext, 'windowBounds' | 'quietUpdate' | 'toldOfTray' | 'loginItem' | 'rows'>;

export const createRemembered = (facts: FactTable, clock: Clock, log: Log): Remembered => {
  /** A failing disk loses this, but the window works all the same. */
  const remember = <Name extends Parameters<FactTable['set']>[0]>(
    ...[name, value]: [Name, Parameters<typeof facts.set<Name>>[1]]
  ): void => {
    try {
      facts.set(name, value, clock.wallMs());
    } catch (error) {
      log.warn('not remembered', { name, error });
    }
  };
  return {
    windowBounds: {
      read: () => facts.get('window')?.value ?? null,
      write: (bounds) => remember('window', bounds),
    },
    quietUpdate: {
      begin: (tried) => facts.set('quietUpdate', { tried, isFresh: true }, clock.wallMs()),
      tried: () => facts.get('quietUpdate')?.value.tried ?? null,
      takeStart() {
        const update = facts.get('quietUpdate')?.value;
        if (update?.isFresh !== true) return false;
        remember('quietUpdate', { ...update, isFresh: false });
        return true;
      },
    },
    toldOfTray: {
      read: () => facts.get('toldOfTray') !== null,
      write: () => remember('toldOfTray', true),
    },
    loginItem: {
      read: () => facts.get('launchAtLogin')?.value ?? false,
      write: (wanted) => remember('launchAtLogin', wanted),
    },
    rows: {
      areCompact: () => facts.get('compactRows')?.value ?? false,
      setCompact: (on) => remember('compactRows', on),
    },
  };
};
