// Several small transactions as one: a durable commit costs a flush of the disk whoever shares it. Each act still is
// all or nothing by itself, and nobody goes on before what he recorded is durable.
import type { Clock, Ledger } from './ports.ts';

/** More at once would keep everything else waiting. */
const mostAtOnce = 50;

export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'failed'; error: unknown };

type Inside = Pick<Ledger, 'atomically'>;

/**
 * All acts in one transaction; when one of them throws, or the commit does, nothing of it stays and each is done in a
 * transaction of its own. So an act may run twice, the first time without effect on the ledger.
 */
export const inOneTransaction = <T>(ledger: Inside, acts: readonly (() => T)[]): Outcome<T>[] => {
  if (acts.length > 1) {
    try {
      return ledger.atomically(() => acts.map((act) => ({ kind: 'done' as const, value: act() })));
    } catch {
      // Whose fault it was shows when each is alone.
    }
  }
  return acts.map((act) => {
    try {
      return { kind: 'done', value: ledger.atomically(act) };
    } catch (error) {
      return { kind: 'failed', error };
    }
  });
};

/** Runs `act` in a transaction; resolves when it is durable, rejects with what the act or the commit threw. */
export type Together = <T>(act: () => T) => Promise<T>;

/**
 * `isAlone`: nobody else could join, so nothing is waited for. Otherwise all who ask until the machine has dealt with
 * what has already arrived (answers on several connections, say) share one flush.
 */
export const createTogether = (options: {
  ledger: Inside;
  clock: Pick<Clock, 'after'>;
  isAlone: () => boolean;
}): Together => {
  const { ledger, clock, isAlone } = options;
  type Waiting = { act: () => void; resolve: () => void; reject: (error: unknown) => void };
  const waiting: Waiting[] = [];

  const commit = (): void => {
    const now = waiting.splice(0, mostAtOnce);
    if (waiting.length > 0) clock.after(0, commit);
    const outcomes = inOneTransaction(
      ledger,
      now.map(({ act }) => act),
    );
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.kind === 'done') now[at]?.resolve();
      else now[at]?.reject(outcome.error);
    }
  };

  return <T>(act: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0 && isAlone()) {
        resolve(ledger.atomically(act));
        return;
      }
      let value: { is: T } | null = null;
      waiting.push({
        act: () => {
          value = { is: act() };
        },
        resolve: () => {
          if (value !== null) resolve(value.is);
        },
        reject,
      });
      if (waiting.length === 1) clock.after(0, commit);
    });
};
