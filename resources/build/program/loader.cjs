// Loads the modules that are inside the program. Everything else takes them for files of the folder `lib` beside it,
// which has only the keyring's native module. Runs in the main thread and, as text, in each other one.
// eslint-disable-next-line no-unused-vars -- main.cjs, which follows in the same text, uses it
const { createRequire, registerHooks } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { getAsset, getAssetKeys } = require('node:sea');

const root = pathToFileURL(join(dirname(process.execPath), 'lib', '/')).href;
const inside = new Set(getAssetKeys());
const assetOf = (url) =>
  inside.has(url.slice(root.length)) && url.startsWith(root) ? url.slice(root.length) : null;
const formatOf = (name) => (name.endsWith('.cjs') ? 'commonjs' : 'module');

registerHooks({
  resolve(specifier, context, next) {
    // The package would look for its native module in other places, and where a variable of the environment points.
    if (specifier === '@napi-rs/keyring') specifier = `${root}keyring.cjs`;
    const isOurs =
      specifier.startsWith(root) || (specifier.startsWith('./') && context.parentURL?.startsWith(root));
    const url = isOurs ? new URL(specifier, context.parentURL ?? root).href : '';
    const name = assetOf(url);
    return name === null ? next(specifier, context) : { url, format: formatOf(name), shortCircuit: true };
  },
  load(url, context, next) {
    const name = assetOf(url);
    if (name === null) return next(url, context);
    return { format: formatOf(name), source: getAsset(name, 'utf8'), shortCircuit: true };
  },
});
