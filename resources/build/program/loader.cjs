// Loads the modules that are inside the program, with the code that V8 compiled from them when the program was built.
// Nothing but the keyring's native module is read from the folder beside it, and no cache of compiled code.
// Runs in the main thread and, as text, in each other one.
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, parse } = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

// A thread would look for its first lines there.
delete process.env.NODE_COMPILE_CACHE;

const folder = join(dirname(process.execPath), 'lib');
const requireOutside = createRequire(join(folder, 'loader.cjs'));
const inside = new Set(getAssetKeys());
const modules = new Map();
const scripts = new Map();

const load = (name) => {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = join(folder, name);
  const code = `${name}.code`;
  const cachedData = inside.has(code) ? new Uint8Array(getRawAsset(code)) : undefined;
  // The build wraps it: joining or decoding text here would copy it again.
  const text = Buffer.from(getRawAsset(name)).latin1Slice();
  const script = new Script(text, { filename, cachedData });
  scripts.set(name, script);
  script.runInThisContext().call(module.exports, module.exports, requireInside, module, filename, folder);
  return module.exports;
};

const loadedLate = (specifier) => {
  const module = new Proxy({}, { get: (_, name) => requireOutside(specifier)[name] });
  // The bundle's `__toESM` copies a module's own properties, and keeps its prototype.
  return [specifier, Object.create(module)];
};
/** Node loads them in 1.5 ms, which most commands do not need. */
const late = new Map(['node:child_process', 'node:zlib'].map(loadedLate));

const requireInside = (specifier) => {
  // The package would look for its native module in other places, and where a variable of the environment points.
  if (specifier === '@napi-rs/keyring') return requireOutside('./keyring.node');
  if (specifier.startsWith('./')) return load(specifier.slice(2));
  if (isBuiltin(specifier)) return late.get(specifier) ?? requireOutside(specifier);
  throw new Error(`${specifier} is not inside this program.`);
};

/** A thread's file, or the one that the program begins with. */
// eslint-disable-next-line no-unused-vars -- what follows in the same text begins with it
const start = (file) => load(`${parse(file).name}.cjs`);
