// Presses of a user in a page, as the main process sees them: events that a script of the page dispatches do not count.

/** How long a press counts. */
const pressMs = 5_000;

/** `modifiers` includes `isautorepeat` for a key that is held down. */
export type PageInput = { type: string; modifiers?: readonly string[] };

/** `load`: one load of a page. Its presses end with it. */
export type Presses = {
  note(load: object, input: PageInput): void;
  /** True once for the newest press, for 5 s. */
  take(load: object): boolean;
};

/** A click comes after its `mouseUp`, a tap of a finger is a `gestureTap`. */
const pressTypes: ReadonlySet<string> = new Set(['mouseUp', 'rawKeyDown', 'keyDown', 'gestureTap']);

/** `nowMs`: monotonic. */
export const createPresses = (nowMs: () => number = () => performance.now()): Presses => {
  const pressed = new WeakMap<object, number>();
  return {
    note(load, { type, modifiers = [] }) {
      if (pressTypes.has(type) && !modifiers.includes('isautorepeat')) pressed.set(load, nowMs());
    },
    take(load) {
      const atMs = pressed.get(load) ?? -Infinity;
      pressed.delete(load);
      return nowMs() - atMs <= pressMs;
    },
  };
};
