// Outtray's own secrets, the key and the password of the proxy, are compared by value: no rule knows the shape of a key.
import type { Inspect } from '../../engine/ports/files.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';
import { decode } from './decode.ts';

type Own = {
  /** The place of the first known secret in a text, in any form; −1: there is none. */
  find: (text: string) => number;
  /** Reads the key, if it was not read yet. False: it cannot be read now. */
  learn: () => Promise<boolean>;
  facts: FactTable;
  clock: { wallMs(): number };
  /** Only the engine's looks decide what is uploaded. */
  isEngine: boolean;
};

/** The same, with a finding `own-secret` for a text that has one of them. */
export const withOwnSecrets = (inspect: Inspect, { find, learn, facts, clock, isEngine }: Own): Inspect => ({
  ...inspect,
  async findIn(content) {
    if (!(await learn()) && isEngine) facts.set('looked-without-key', true, clock.wallMs());
    const text = decode(content.bytes);
    const at = find(text);
    if (at < 0) return await inspect.findIn(content);
    return [{ kind: 'secret', rule: 'own-secret', line: text.slice(0, at).split('\n').length }];
  },
});

/** Each login may bring another key. */
const mostMarks = 20;

/**
 * To be called when a secret becomes known; `mark` tells it apart. What was looked into without it is looked into again:
 * a person may have kept a new key in a file before logging in with it. A guest causes that once, and the engine once
 * more when it knows the secret itself.
 */
export const lookAgain = (
  { facts, clock, isEngine }: Pick<Own, 'facts' | 'clock' | 'isEngine'>,
  mark: string,
): boolean => {
  const marks = facts.get('looked-with')?.value ?? [];
  const own = isEngine ? mark : `guest:${mark}`;
  const isNew = ![mark, own].some((one) => marks.includes(one));
  if (!isNew && facts.get('looked-without-key') === null) return false;
  // First, so that a failure leaves the rest to the next call. No setting has this value.
  facts.set('looks-inside', '', clock.wallMs());
  if (isNew) facts.set('looked-with', [...marks, own].slice(-mostMarks), clock.wallMs());
  facts.remove('looked-without-key');
  return true;
};

/** Notes each secret that becomes known; one that the ledger cannot take just now, with the next call. */
export const notingSecrets = (note: (secret: string) => boolean) => {
  const left = new Set<string>();
  return (secret: string | null): boolean => {
    if (secret !== null) left.add(secret);
    let isNews = false;
    for (const one of left) {
      isNews = note(one) || isNews;
      left.delete(one);
    }
    return isNews;
  };
};
