// Checks everything that the window sends: who asks, how much, in what form. Refusals are answers, never exceptions:
// whatever a page sends, the main process stays alive (security.md, IPC). Pure; ipc.ts joins it to Electron.
import { AppError, toWire } from '../../contract/errors.ts';
import type { Reply } from '../../contract/client.ts';
import { callFacts } from '../../contract/commands.ts';

/** The frame that sent a message, as Electron reports it; null when it is already gone. */
export type SenderFrame = { readonly origin: string; readonly parent: unknown } | null;

/** `load`: stands for one load of the page; another one after each navigation. */
export type PageSender = { contents: unknown; frame: SenderFrame; load: object };
/** Whether a message comes from the top frame of one of our pages, at our origin. */
export type IsOurs = (sender: PageSender) => boolean;

export type SenderCheck = (sender: PageSender, name: unknown, input: unknown) => Promise<Reply>;

/** The longest input: 5,000 ids fit. */
export const maxInputBytes = 64 * 1024;
/** Lists of paths that the user chose are longer (`takesPaths`). */
const maxPathBytes = 1024 * 1024;
/** Up to here the refusal reports that the list is too long; a longer list does not come from a person. */
const mostToldBytes = 16 * maxPathBytes;
/** More calls than this at once come from a faulty page, not from a person. */
const maxAtOnce = 500;
/** Deeper than anything in the table of calls. */
const maxDepth = 8;

/** A page of the app. `contents`: null until the page exists. `isPopover`: it may call only what the popover needs. */
export type OwnPage = { contents: () => object | null; isPopover?: boolean };

export const createIsOurs =
  (origin: string, pages: readonly OwnPage[]): IsOurs =>
  ({ contents, frame }) =>
    frame !== null &&
    frame.parent === null &&
    frame.origin === origin &&
    pages.some((one) => one.contents() !== null && one.contents() === contents);

/**
 * `origin`: the only one that may ask. `answer` answers every call, to this load of the page. `redact` removes secrets
 * from text: the last of the measures that keep the key from leaving.
 */
export const createSenderCheck = (options: {
  origin: string;
  pages: readonly OwnPage[];
  answer: (name: string, input: unknown, load: object) => Promise<Reply>;
  redact: (text: string) => string;
  /** The program ends: a countdown in a page, as before a secret becomes public, must not trigger its action. */
  isLeaving: () => boolean;
}): SenderCheck => {
  let underWay = 0;
  const isOurs = createIsOurs(options.origin, options.pages);
  return async (sender, name, input) => {
    const page = options.pages.find((one) => one.contents() === sender.contents);
    if (page === undefined) return refused('This sender is not the window.');
    if (!isOurs(sender)) return refused('This frame may not ask.');
    if (typeof name !== 'string' || name.length > 100) return refused('There is no such command.');
    if (page.isPopover === true && callFacts(name)?.popover !== true)
      return refused('This page may not ask for that.');
    const takesPaths = callFacts(name)?.takesPaths === true;
    if (!isSmallPlain(input, takesPaths ? maxPathBytes : maxInputBytes)) {
      if (takesPaths && isSmallPlain(input, mostToldBytes)) return refused(...tooManyPaths);
      return refused('The input is too large, or not plain data.');
    }
    if (options.isLeaving()) return refused('Outtray is closing.');
    if (underWay >= maxAtOnce) return refused('Too much is asked at once.');
    underWay += 1;
    try {
      return withoutSecrets(await options.answer(name, input, sender.load), options.redact);
    } catch (error) {
      return { ok: false, error: toWire(error) };
    } finally {
      underWay -= 1;
    }
  };
};

/** A person gave them, so the refusal explains itself: none was taken. */
const tooManyPaths = [
  'Those are too many files for one time. None was taken.',
  'Give fewer at once, or the folder they lie in.',
] as const;

const refused = (why: string, remedy?: string): Reply => ({
  ok: false,
  error: toWire(new AppError('bad-use', why, remedy)),
});

/** The same value, or a copy with secrets taken out when there were any. Throws when that cannot be done. */
export const withoutSecrets = <Value>(value: Value, redact: (text: string) => string): Value => {
  const text = JSON.stringify(value);
  const clean = redact(text);
  // Plain data from our own tables: parsing its JSON gives the same type.
  return clean === text ? value : (JSON.parse(clean) as Value);
};

/** Null, booleans, finite numbers, strings, and arrays and plain objects of them, small enough in all. */
export const isSmallPlain = (value: unknown, maxBytes = maxInputBytes): boolean => {
  let left = maxBytes;
  const fits = (part: unknown, depth: number): boolean => {
    left -= 2;
    if (left < 0 || depth > maxDepth) return false;
    switch (typeof part) {
      case 'undefined':
      case 'boolean':
        return true;
      case 'number':
        left -= 8;
        return Number.isFinite(part);
      case 'string':
        left -= Buffer.byteLength(part);
        return left >= 0;
      case 'object':
        if (part === null) return true;
        // The length first: an array of holes is small to send and endless to walk.
        if (Array.isArray(part)) return part.length * 2 <= left && part.every((one) => fits(one, depth + 1));
        if (!isPlainObject(part)) return false;
        return Object.entries(part).every(([name, one]) => fits(name, depth) && fits(one, depth + 1));
      default:
        return false;
    }
  };
  return fits(value, 0);
};

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  // What comes through a structured clone has this realm's prototype, or none.
  return prototype === Object.prototype || prototype === null;
};
