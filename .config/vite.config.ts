// One `vite build --app` makes everything that ships: window, main process, preload, headless command. It bundles
// everything except Electron and the keyring, whose native binary must stay a separate file. It leaves out an entry
// whose source does not exist, so that each builds without the others.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const out = (...parts: string[]): string => path.join(root, 'out', ...parts);
const external = ['electron', /^electron\//, '@napi-rs/keyring', /^node:/];

/** A bundle that runs outside the window. Not minified: stack traces stay readable, and size does not matter. */
const outside = (
  name: string,
  source: string,
  format: 'es' | 'cjs',
  codeSplitting = true,
): EnvironmentOptions => ({
  consumer: 'server',
  // A CommonJS package (write-file-atomic) still uses these.
  ...(format === 'es'
    ? { define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } }
    : {}),
  resolve: { noExternal: true, external: ['electron', '@napi-rs/keyring'], conditions: ['node'] },
  build: {
    outDir: out(name),
    target: 'node24',
    minify: false,
    sourcemap: true,
    emptyOutDir: true,
    rolldownOptions: {
      input: { [name]: path.join(root, source) },
      external,
      output: {
        format,
        // One character outside Latin-1, even in a comment, makes V8 store the whole file with two bytes a character.
        charset: 'ascii',
        comments: { jsdoc: false },
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs',
        chunkFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs',
        codeSplitting,
        // `import()` of a module is a `require` of its chunk: the program of the packages loads no other way.
        dynamicImportInCjs: false,
      },
    },
  },
});

const entries: Record<string, EnvironmentOptions> = {};
if (existsSync(path.join(root, 'src-main/main.ts')))
  entries['main'] = outside('main', 'src-main/main.ts', 'es');
if (existsSync(path.join(root, 'src-main/preload.ts')))
  // A sandboxed preload cannot require files, so it has to be a single one.
  entries['preload'] = outside('preload', 'src-main/preload.ts', 'cjs', false);
// CommonJS starts sooner, and V8 takes its compiled code from the program (resources/build/program/loader.cjs).
if (existsSync(path.join(root, 'src-main/cli.ts'))) entries['cli'] = outside('cli', 'src-main/cli.ts', 'cjs');

/**
 * `new URL('./child.ts', import.meta.url)` names a program that runs in a process or thread of its own. In the
 * bundle it becomes a file beside the program that starts it (`keychain/child.ts` → `keychain-child.mjs`), and the
 * expression points there.
 */
function separatePrograms(): Plugin {
  const programUrl = /new URL\(\s*['"](\.{1,2}\/[\w./-]+)\.ts['"]\s*,\s*import\.meta\.url\s*,?\s*\)/g;
  return {
    name: 'outtray:separate-programs',
    apply: 'build',
    applyToEnvironment: (environment) => environment.config.consumer === 'server',
    transform: {
      order: 'pre',
      filter: { code: programUrl },
      handler(code, id) {
        const pointed = code.replace(programUrl, (_whole, relative: string) => {
          const source = path.resolve(path.dirname(id), `${relative}.ts`);
          const name = `${path.basename(path.dirname(source))}-${path.basename(source, '.ts')}`;
          const reference = this.emitFile({ type: 'chunk', id: source, name });
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference}, import.meta.url)`;
        });
        // The line numbers do not change, so the source map of the preceding step stays valid.
        return { code: pointed, map: null };
      },
    },
  };
}

/**
 * Modules that only serve what Outtray does not use. HTTP/2 takes 10 ms, and no connection of ours offers it
 * (adapters/api/connect.ts). undici's second parser is a third of its bundle. pino sends no line through a
 * thread, and to look up its caller V8 counts the lines of the bundle (1 ms).
 */
const unused = {
  'undici/lib/dispatcher/client-h2.js': 'module.exports = null;',
  'undici/lib/dispatcher/parser-h1.js': 'exports.getMiloEnabled = () => false;',
  'pino/lib/caller.js': 'module.exports = () => [];',
  'pino/lib/transport.js': 'module.exports = null;',
};

function withoutUnused(): Plugin {
  return {
    name: 'outtray:without-unused',
    apply: 'build',
    load: {
      filter: { id: /\/node_modules\/(undici|pino)\/lib\// },
      handler: (id) => Object.entries(unused).find(([file]) => id.endsWith(`/${file}`))?.[1] ?? null,
    },
  };
}

const hasWindow = existsSync(path.join(root, 'src-renderer/index.html'));

export default defineConfig({
  root: path.join(root, 'src-renderer'),
  base: './',
  publicDir: false,
  plugins: [svelte({ configFile: false, preprocess: vitePreprocess() }), separatePrograms(), withoutUnused()],
  environments: {
    client: {
      build: {
        outDir: out('window'),
        target: 'chrome156',
        emptyOutDir: true,
        // The content security policy allows no scripts or styles from data: URLs. Fonts and pictures stay files, too.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: {
            index: path.join(root, 'src-renderer/index.html'),
            popover: path.join(root, 'src-renderer/popover/index.html'),
          },
        },
      },
    },
    ...entries,
  },
  builder: {
    async buildApp(builder) {
      const wanted = Object.values(builder.environments).filter(
        (environment) => environment.name in entries || (environment.name === 'client' && hasWindow),
      );
      await Promise.all(wanted.map((environment) => builder.build(environment)));
    },
  },
});
