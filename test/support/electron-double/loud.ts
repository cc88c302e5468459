// The stand-in never pretends: reading an unknown property throws, and so does listening to an event that is not on
// its list. A test that passes here has used only what exists.
import { EventEmitter } from 'node:events';

/** The language and tools (promises, JSON, inspectors) read these, never an app that looks for an API. */
const readByMachinery = new Set(['then', 'toJSON', 'domain', 'constructor', 'asymmetricMatch', '$$typeof']);

function guard(prototype: object, ownerOf: (receiver: unknown) => string): object {
  return new Proxy(prototype, {
    get(target, key, receiver): unknown {
      if (typeof key === 'symbol' || key in target || readByMachinery.has(key))
        return Reflect.get(target, key, receiver);
      throw new Error(
        `The stand-in for Electron does not have ${ownerOf(receiver)}.${key}: build it into test/support/electron-double, or do without.`,
      );
    },
  });
}

/** Makes a plain object throw on every property it does not have. */
export function loud<T extends object>(name: string, object: T): T {
  const prototype = (Object.getPrototypeOf(object) ?? Object.prototype) as object;
  Object.setPrototypeOf(
    object,
    guard(prototype, () => name),
  );
  return object;
}

/** The same for the static side of a class. */
export function loudStatics<T extends { name: string }>(made: T): T {
  return loud(made.name, made);
}

const nodesOwn = new Set(['newListener', 'removeListener', 'error']);

/** Base of everything that has events. `emits` is the list of events a listener may be added for. */
export class LoudEmitter extends EventEmitter {
  /** Events of Electron that occur here, or that a test can trigger with `emit`. Null: any name. */
  static emits: readonly string[] | null = [];

  override on(event: string | symbol, listener: (...given: never[]) => void): this {
    this.#check(event);
    return super.on(event, listener as (...given: unknown[]) => void);
  }
  override addListener(event: string | symbol, listener: (...given: never[]) => void): this {
    return this.on(event, listener);
  }
  override prependListener(event: string | symbol, listener: (...given: never[]) => void): this {
    this.#check(event);
    return super.prependListener(event, listener as (...given: unknown[]) => void);
  }

  #check(event: string | symbol): void {
    const { emits, name } = this.constructor as typeof LoudEmitter;
    if (emits === null || typeof event === 'symbol' || emits.includes(event) || nodesOwn.has(event)) return;
    throw new Error(`The stand-in for Electron does not know the event '${event}' of ${name}.`);
  }
}
Object.setPrototypeOf(
  LoudEmitter.prototype,
  guard(EventEmitter.prototype, (receiver) => (receiver as object).constructor.name),
);

/** Emits with a preventable event in front; true when a listener prevented it. */
export function emitPreventable(
  emitter: EventEmitter,
  name: string,
  fields: object = {},
  ...more: unknown[]
): boolean {
  let prevented = false;
  const event = {
    ...fields,
    preventDefault() {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  emitter.emit(name, event, ...more);
  return prevented;
}
