// The cases of one endpoint: every byte at which an answer can be cut, every field with every wrong value, and beyond
// that random bodies, framings, headers and endings.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import type { Dice } from '../simulation/dice.ts';
import {
  badLinks,
  changed,
  doubled,
  extraFields,
  honest,
  pathsOf,
  raw,
  textOf,
  worst,
  wrongValues,
  type Asked,
  type Endpoint,
  type Legit,
  type Node,
  type Path,
} from './answers.ts';
import {
  byChunks,
  byLength,
  byStartLine,
  byStatus,
  framed,
  framings,
  onlyInterim,
  twoAnswers,
  withInterim,
  type Ending,
  type Raw,
  type Said,
} from './framing.ts';
import { byEncoding } from './encodings.ts';
import { byHeaders } from './headers.ts';
import { believable } from './oracle.ts';

export type Case = {
  label: string;
  pieces: readonly Buffer[];
  ending: Ending;
  /** Sent while the tail is still withheld: no success can be about this file then. */
  early: boolean;
  legit: Legit;
  said: Said;
};

export type Maker = {
  asked: Asked;
  /** Ids of other files: some are our own, others were in the account before this upload. */
  others: readonly FileId[];
  /** Whether an upload was believed to have this id before. */
  isTaken: (fileId: FileId) => boolean;
  /** Whether an earlier answer to an upload had this name: then another upload may have it. */
  isNamed: (filename: string) => boolean;
  key: string;
  dice: Dice;
};

const simple = (pieces: Buffer, rest: Partial<Case> & Pick<Case, 'label' | 'legit' | 'said'>): Case => ({
  pieces: [pieces],
  ending: 'close',
  early: false,
  ...rest,
});

const grade = (endpoint: Endpoint, text: string, { asked, others, isTaken, isNamed }: Maker): Legit =>
  believable(endpoint, text, asked, {
    id: (fileId) => others.includes(fileId) || isTaken(fileId),
    name: isNamed,
  });

// ---------------------------------------------------------------- enumerated

/** Bytes at which the correct answer can be cut, over all framings. */
export const cutsOf = (
  endpoint: Endpoint,
  maker: Maker,
): { framing: (typeof framings)[number]; at: number }[] =>
  framings.flatMap((framing) => {
    const whole = framed(Buffer.from(textOf(honest(endpoint, maker.asked))), framing);
    return Array.from({ length: whole.length }, (_, at) => ({ framing, at }));
  });

const truncated = (endpoint: Endpoint, index: number, maker: Maker): Case => {
  const cuts = cutsOf(endpoint, maker);
  const { framing, at } = cuts[index % cuts.length] ?? { framing: 'length' as const, at: 0 };
  const whole = framed(Buffer.from(textOf(honest(endpoint, maker.asked))), framing);
  const ending = maker.dice.pick<Ending>(['close', 'close', 'reset']);
  return simple(whole.subarray(0, at), {
    ending,
    label: `${framing} cut at ${at}`,
    // A status line is no answer until the head is complete; a cut body is none at all.
    legit: 'never',
    said: 'nothing',
  });
};

const wrongField = (endpoint: Endpoint, index: number, maker: Maker): Case => {
  const body = honest(endpoint, maker.asked);
  const paths = pathsOf(body);
  const path = paths[index % paths.length] ?? [];
  const values = [null, ...wrongValues];
  const value = values[Math.floor(index / paths.length) % values.length] ?? null;
  const text = textOf(changed(body, path, value === null ? null : { kind: 'raw', text: value }));
  return simple(framed(Buffer.from(text), maker.dice.pick(framings)), {
    label: `${path.join('.') || 'all'} is ${value === null ? 'missing' : value.slice(0, 40)}`,
    legit: grade(endpoint, text, maker),
    said: 'success',
  });
};

// ---------------------------------------------------------------- by chance

/** Another body: changed in up to three places. `strict`: whether every reader takes it for the same. */
const bent = (endpoint: Endpoint, maker: Maker): { text: string; legit: Legit; label: string } => {
  const { dice, asked, others } = maker;
  let body = honest(endpoint, asked);
  const done: string[] = [];
  let legit: Legit = 'must';
  const anywhere = (): Path => {
    const places = pathsOf(body).filter((path) => path.length > 0);
    return places.length === 0 ? [] : dice.pick(places);
  };
  const value = (): Node => ({ kind: 'raw', text: dice.pick(wrongValues) });
  for (let turns = dice.whole(0, 3); turns > 0; turns -= 1) {
    switch (dice.whole(0, 6)) {
      case 0:
        body = changed(body, anywhere(), dice.happens(0.3) ? null : value());
        done.push('a field');
        break;
      case 1: {
        const path = anywhere();
        if (typeof path.at(-1) !== 'string') break;
        body = doubled(body, path, value(), dice.happens(0.5));
        // Which of two values counts is not defined (RFC 8259 §4), so neither proves an upload.
        legit = endpoint === 'upload' ? 'never' : worst(legit, 'may');
        done.push(`${path.join('.')} twice`);
        break;
      }
      case 2: {
        const links = pathsOf(body).filter((path) => path.at(-1) === 'public_link');
        if (links.length > 0) body = changed(body, dice.pick(links), raw(dice.pick(badLinks(asked))));
        done.push('a link');
        break;
      }
      case 3: {
        const ids = pathsOf(body).filter((path) => path.at(-1) === 'file_id');
        if (ids.length > 0 && others.length > 0) body = changed(body, dice.pick(ids), raw(dice.pick(others)));
        done.push('a foreign id');
        break;
      }
      case 4:
        if (body.kind === 'object') body = { ...body, pairs: [...body.pairs, extraFields(dice)] };
        done.push('an extra field');
        break;
      case 5: {
        const names = pathsOf(body).filter((path) =>
          ['filename', 'message', 'plan'].includes(String(path.at(-1))),
        );
        if (names.length > 0) body = changed(body, dice.pick(names), raw(`says ${maker.key} aloud`));
        // An answer with the key in it may be thrown away whole.
        legit = worst(legit, 'may');
        done.push('the key');
        break;
      }
      case 6:
        body = dice.pick<Node>([
          { kind: 'array', items: [body] },
          { kind: 'object', pairs: [['data', body]] },
          raw(textOf(body)),
          raw(null),
          { kind: 'raw', text: '' },
        ]);
        done.push('wrapped');
        break;
    }
  }
  let text = textOf(body);
  if (dice.happens(0.03)) {
    const size = dice.pick([30_000, 70_000, 700_000, 3_000_000]);
    text = text.replace(/^\{/, `{"pad":"${'p'.repeat(size)}",`);
    legit = worst(legit, size > 50_000 ? 'may' : 'must');
    done.push(`${size} bytes more`);
  }
  return {
    text,
    legit: worst(legit, grade(endpoint, text, maker)),
    label: done.join(', ') || 'honest',
  };
};

const delivered = (bytes: Buffer, dice: Dice): Buffer[] => {
  if (bytes.length < 2 || dice.happens(0.6)) return [bytes];
  const cuts = Array.from({ length: dice.whole(1, 6) }, () => dice.whole(0, bytes.length)).toSorted(
    (a, b) => a - b,
  );
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
};

const byChance = (endpoint: Endpoint, maker: Maker): Case => {
  const { dice } = maker;
  const body = bent(endpoint, maker);
  const bytes = Buffer.from(body.text);
  const makers: (() => Raw)[] = [
    () => ({
      bytes: framed(bytes, dice.pick(framings)),
      legit: 'must',
      said: 'success',
      label: 'framed well',
    }),
    () => byStatus(bytes, dice, 'must'),
    () => byStartLine(bytes, dice),
    () => withInterim(bytes, dice),
    () => onlyInterim(bytes, dice),
    () => twoAnswers(bytes, dice),
    () => byLength(bytes, dice),
    () => byChunks(bytes, dice),
    () => byEncoding(bytes, dice),
    () => byHeaders(bytes, dice, maker.key),
    () => ({
      bytes: Buffer.from(Array.from({ length: dice.whole(0, 3000) }, () => dice.whole(0, 255))),
      legit: 'never',
      said: 'unclear',
      label: 'noise',
    }),
  ];
  const made = dice.happens(0.25) ? (makers[0]?.() ?? dice.pick(makers)()) : dice.pick(makers)();
  let { bytes: sent } = made;
  // An empty text makes lengths and encodings mean something else.
  let legit = worst(made.legit, body.legit);
  let { said } = made;
  let label = `${made.label}; ${body.label}`;
  let ending: Ending = dice.pick(['close', 'close', 'close', 'hold', 'reset']);
  if (ending === 'reset') legit = worst(legit, 'may');
  if (dice.happens(0.15) && sent.length > 1) {
    // A byte that flips may hit a blank; it may also make a refusal of a success.
    sent = Buffer.from(sent);
    const at = dice.whole(0, sent.length - 1);
    sent[at] = (sent[at] ?? 0) ^ (1 << dice.whole(0, 7));
    legit = 'may';
    said = 'unclear';
    label += `; byte ${at} flipped`;
  }
  if (dice.happens(0.01)) {
    ending = 'endless';
    legit = worst(legit, 'may');
    label += '; without an end';
  }
  // The server does not close the connection: an answer that ends with the close never ends.
  if (ending === 'hold') legit = worst(legit, 'may');
  const early = endpoint === 'upload' && dice.happens(0.08);
  return {
    label: `${label}; then ${ending}${early ? '; early' : ''}`,
    pieces: delivered(sent, dice),
    ending,
    early,
    legit: early ? 'never' : legit,
    said,
  };
};

/** A third of them cut, a third with a wrong field, a third by chance. */
export const caseOf = (endpoint: Endpoint, index: number, of: number, maker: Maker): Case => {
  const turn = Math.floor(index / 3);
  if (index % 3 === 0) {
    // With fewer cases than bytes, it cuts at every n-th byte; the first one depends on the seed.
    const cuts = cutsOf(endpoint, maker).length;
    const stride = Math.max(1, Math.floor(cuts / Math.max(1, of / 3)));
    return truncated(endpoint, turn * stride + maker.dice.whole(0, stride - 1), maker);
  }
  if (index % 3 === 1) {
    const fields = pathsOf(honest(endpoint, maker.asked)).length * (wrongValues.length + 1);
    const stride = Math.max(1, Math.floor(fields / Math.max(1, of / 3)));
    return wrongField(endpoint, turn * stride + maker.dice.whole(0, stride - 1), maker);
  }
  return byChance(endpoint, maker);
};
