// One pass over a text that tells what it cannot contain, so that most rules need no search of their own.

export type Sieve = {
  /** False: the text does not contain this one. True: it may. */
  mayHave: (needle: string) => boolean;
  /** Words of at least 20 letters, digits, underscores and hyphens, in their order. */
  longWords: readonly { from: number; to: number }[];
};

/** Shorter words are everywhere. */
const longWord = 20;
const isWordCode = new Uint8Array(0x10000);
for (let code = 0; code < 128; code += 1) isWordCode[code] = /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0;

/**
 * The number of places for the sequences of three letters in a text. Two sequences may share a place. So an empty place
 * proves that a sequence is absent, and a full one proves nothing.
 */
const places = 0x8000;
const nextPlace = (place: number, code: number): number => ((place << 5) ^ code) & (places - 1);

export const sieveOf = (text: string): Sieve => {
  const isThere = new Uint8Array(places);
  const longWords: { from: number; to: number }[] = [];
  let place = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    place = nextPlace(place, code);
    isThere[place] = 1;
    if (isWordCode[code] === 1) continue;
    if (at - from >= longWord) longWords.push({ from, to: at });
    from = at + 1;
  }
  return {
    longWords,
    mayHave(needle) {
      let of = nextPlace(nextPlace(0, needle.charCodeAt(0)), needle.charCodeAt(1));
      for (let at = 2; at < needle.length; at += 1) {
        of = nextPlace(of, needle.charCodeAt(at));
        if (isThere[of] === 0) return false;
      }
      return true;
    },
  };
};
