// The house rules that a linter can check. Prettier checks the format, the architecture test the imports.
// A rule is here if breaking it once led to a fault; rules of taste are off.
import path from 'node:path';
import js from '@eslint/js';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

const root = path.resolve(import.meta.dirname, '..');
const typescriptFiles = ['**/*.ts', '**/*.svelte', '**/*.svelte.ts'];

/** Globals that pure code must not use: it gets them through its ports (architecture.test.ts has the exact list). */
const worldly = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'process', 'performance', 'Buffer'];

export default ts.config(
  { ignores: ['node_modules/', 'out/', 'dist/', 'coverage/', 'screenshots/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.node },
    rules: {
      eqeqeq: 'error',
      'no-console': 'off',
      'no-control-regex': 'off', // control characters are what names and terminals are cleaned of
      'no-irregular-whitespace': ['error', { skipStrings: true, skipTemplates: true, skipRegExps: true }],
      'object-shorthand': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
    },
  },

  // TypeScript, with types
  ...ts.configs.strictTypeChecked.map((config) => ({ ...config, files: typescriptFiles })),
  {
    files: typescriptFiles,
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: root, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // Functions create objects here, so methods need no `this` and may be passed around.
      '@typescript-eslint/unbound-method': 'off',
      // `unknown | null` documents that null is possible.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      // A port is asynchronous if one of its implementations is.
      '@typescript-eslint/require-await': 'off',
      // `void` in a union means "nothing or a promise of nothing" on purpose.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // `return void act()` returns early and documents that there is no result.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/unified-signatures': 'off',
    },
  },

  // Pure rooms
  {
    files: ['src-main/contract/**/*.ts', 'src-main/engine/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...worldly.map((name) => ({ name, message: 'Time, chance and the world come in through ports.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Ask the clock port.' },
        { object: 'Math', property: 'random', message: 'Ask the chance port.' },
      ],
    },
  },

  // The window
  ...svelte.configs.recommended,
  {
    files: ['src-renderer/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts', '**/*.svelte.js'],
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'svelte/no-at-html-tags': 'error',
      'svelte/block-lang': ['error', { script: 'ts' }],
      'svelte/button-has-type': 'error',
      'svelte/no-target-blank': 'error',
      // Svelte's own `$state`, `$props` and snippets look like these to TypeScript's rules.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { excludedRunes: ['$props', '$state', '$derived'] }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
    },
  },

  // Tests
  {
    files: ['test/**/*.{ts,js,mjs}'],
    languageOptions: { globals: globals.browser }, // functions handed to page.evaluate
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-empty-function': 'off' } },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: globals.node } },
);
