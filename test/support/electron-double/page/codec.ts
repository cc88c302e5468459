// Structured clones as text, for messages between Node and the page's worlds. The function's source is put into pages,
// so it refers to nothing outside itself.

/** How a codec handles values that have no text: functions get a number, files are sent beside the text. */
export type Beside = {
  ofFunction?: (given: (...given: unknown[]) => unknown) => number;
  ofFile?: (file: unknown) => number;
};
export type Back = { toFunction?: (id: number) => unknown; toFile?: (index: number) => unknown };

/** `encode` throws Electron's own message for values that cannot be cloned. `decode(encode(x))` is a deep copy of x. */
export type Codec = {
  encode(value: unknown, beside?: Beside): string;
  decode(text: string, back?: Back): unknown;
};

type Node = [kind: string, ...rest: unknown[]];

export function createCodec(): Codec {
  const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
  const viewKinds = ['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64', 'BigInt64', 'BigUint64'].map((kind) => `${kind}Array`); // prettier-ignore

  function toBase64(bytes: Uint8Array): string {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  }
  const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  /** Whether JSON alone preserves this value, as for most messages. A page of a long list takes a third of the time. */
  function isJson(value: unknown, seen: Set<object>): boolean {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    // An object that occurs twice must stay one object.
    if (typeof value !== 'object' || seen.has(value)) return false;
    seen.add(value);
    const isArray = Array.isArray(value);
    if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const key in value)
      if (key === 'toJSON' || !isJson((value as Record<string, unknown>)[key], seen)) return false;
    // JSON keeps neither gaps in an array nor named properties beside its entries.
    return !isArray || Object.keys(value).length === value.length;
  }

  /**
   * `=` and JSON; or a pair in JSON in which primitives represent themselves, and everything else is an array:
   * `['@', index of the node]` or a rare number.
   */
  function encode(value: unknown, beside: Beside = {}): string {
    if (isJson(value, new Set())) return `=${JSON.stringify(value)}`;
    const nodes: Node[] = [];
    const known = new Map<unknown, number>();

    function put(item: unknown): unknown {
      if (item === null || typeof item === 'boolean' || typeof item === 'string') return item;
      if (item === undefined) return ['undefined'];
      if (typeof item === 'bigint') return ['bigint', String(item)];
      if (typeof item === 'number') {
        if (Number.isFinite(item) && !Object.is(item, -0)) return item;
        return ['number', Object.is(item, -0) ? '-0' : String(item)];
      }
      const before = known.get(item);
      if (before !== undefined) return ['@', before];
      const index = nodes.push(['open']) - 1;
      known.set(item, index);
      nodes[index] = node(item);
      return ['@', index];
    }

    function node(item: object): Node {
      if (typeof item === 'function' && beside.ofFunction)
        return ['function', beside.ofFunction(item as (...given: unknown[]) => unknown)];
      const kind = kindOf(item);
      if ((kind === 'File' || kind === 'Blob') && beside.ofFile) return ['file', beside.ofFile(item)];
      if (kind === 'Date') return ['date', (item as Date).getTime()];
      if (kind === 'RegExp') return ['regexp', (item as RegExp).source, (item as RegExp).flags];
      if (kind === 'Map')
        return ['map', [...(item as Map<unknown, unknown>)].map(([k, v]) => [put(k), put(v)])];
      if (kind === 'Set') return ['set', [...(item as Set<unknown>)].map(put)];
      if (kind === 'ArrayBuffer') return ['buffer', toBase64(new Uint8Array(item as ArrayBuffer))];
      if (ArrayBuffer.isView(item)) {
        const bytes = new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
        return ['view', viewKinds.includes(kind) ? kind : 'Uint8Array', toBase64(bytes)];
      }
      if (kind === 'Error' || item instanceof Error) {
        const { name, message, stack } = item as Error;
        return ['error', name, message, stack ?? ''];
      }
      if (Array.isArray(item)) return ['array', Array.from(item, put)];
      if (typeof item !== 'object' || !['Object', 'Arguments'].includes(kind))
        throw new Error('An object could not be cloned.');
      return ['object', Object.entries(item).map(([key, entry]) => [key, put(entry)])];
    }

    return JSON.stringify([put(value), nodes]);
  }

  function decode(text: string, back: Back = {}): unknown {
    if (text.startsWith('=')) return JSON.parse(text.slice(1));
    const [root, nodes] = JSON.parse(text) as [unknown, Node[]];
    const made: unknown[] = [];

    function get(item: unknown): unknown {
      if (!Array.isArray(item)) return item;
      const [kind, value] = item as [string, never];
      if (kind === 'undefined') return undefined;
      if (kind === 'bigint') return BigInt(value);
      if (kind === 'number') return Number(value);
      if (!(value in made)) make(value);
      return made[value];
    }

    function make(index: number): void {
      const [kind, ...rest] = nodes[index] as [string, ...never[]];
      const [first, second, third] = rest as [never, never, never];
      const pairs = first as [unknown, unknown][];
      switch (kind) {
        case 'object': {
          const object: Record<string, unknown> = {};
          made[index] = object;
          for (const [key, entry] of pairs) {
            const value = get(entry);
            // Setting `__proto__` would call its setter. Defining every field would take ten times as long.
            if (key !== '__proto__') object[key as string] = value;
            else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true }); // prettier-ignore
          }
          return;
        }
        case 'array': {
          const array: unknown[] = [];
          made[index] = array;
          for (const entry of first as unknown[]) array.push(get(entry));
          return;
        }
        case 'map': {
          const map = new Map();
          made[index] = map;
          for (const [key, entry] of pairs) map.set(get(key), get(entry));
          return;
        }
        case 'set': {
          const set = new Set();
          made[index] = set;
          for (const entry of first as unknown[]) set.add(get(entry));
          return;
        }
        case 'error': {
          const types: Record<string, ErrorConstructor> = {
            TypeError,
            RangeError,
            SyntaxError,
            ReferenceError,
          };
          const error = new (types[first] ?? Error)(second);
          error.stack = third;
          made[index] = error;
          return;
        }
        case 'view': {
          const view = globalThis[first as 'Uint8Array'];
          made[index] = new view(fromBase64(second).buffer);
          return;
        }
        default:
          made[index] =
            kind === 'date' ? new Date(first)
            : kind === 'regexp' ? new RegExp(first, second)
            : kind === 'buffer' ? fromBase64(first).buffer
            : kind === 'function' ? back.toFunction?.(first)
            : kind === 'file' ? back.toFile?.(first)
            : undefined; // prettier-ignore
      }
    }

    return get(root);
  }

  return { encode, decode };
}
