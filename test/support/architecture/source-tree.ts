// The project's own files as the architecture rules see them: path → text and imports. Rules never read the disk.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Import = {
  /** Path from the project's root for our own files, otherwise the specifier as written. */
  target: string;
  own: boolean;
  /** `import type`: gone when the program runs. */
  typeOnly: boolean;
};

export type SourceFile = { text: string; lines: number; imports: Import[] };

/** Path from the project's root, with `/`, → file. */
export type SourceTree = ReadonlyMap<string, SourceFile>;

const sourceNames = /\.(ts|js|mjs|cjs|svelte)$/;

/** Builds a tree from texts: for the rules' own tests, and for the real one. */
export function treeOf(texts: Record<string, string>): SourceTree {
  const tree = new Map<string, SourceFile>();
  for (const [file, text] of Object.entries(texts)) {
    const lines = text.endsWith('\n') ? text.split('\n').length - 1 : text.split('\n').length;
    tree.set(file, { text, lines, imports: importsOf(file, text) });
  }
  return tree;
}

/** Reads all source files below the given folders of the project's root. */
export function readTree(root: string, folders: readonly string[]): SourceTree {
  const texts: Record<string, string> = {};
  for (const folder of folders) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !sourceNames.test(entry.name)) continue;
      const absolute = path.join(entry.parentPath, entry.name);
      texts[path.relative(root, absolute).split(path.sep).join('/')] = readFileSync(absolute, 'utf8');
    }
  }
  return treeOf(texts);
}

const statement = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]*?\bfrom\s*)?(['"])([^'"\n]+)\2/gm;
const dynamic = /\b(?:import|require)\(\s*(['"])([^'"\n]+)\1\s*[,)]/g;
const program = /new URL\(\s*(['"])(\.{1,2}\/[^'"\n]+)\1\s*,\s*import\.meta\.url/g;

function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text);
  const found: Import[] = [];
  for (const match of code.matchAll(statement)) add(match[3] ?? '', match[1] !== undefined);
  for (const match of code.matchAll(dynamic)) add(match[2] ?? '', false);
  for (const match of code.matchAll(program)) add(match[2] ?? '', false);
  return found;

  function add(specifier: string, typeOnly: boolean): void {
    const own = specifier.startsWith('.');
    const target = own
      ? path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''))
      : specifier;
    found.push({ target, own, typeOnly });
  }
}

/** The code without comments. Strings stay; a `//` inside one (an address) is not taken for a comment. */
export function withoutComments(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(^|[^:'"`\\])\/\/.*$/gm,
    (_comment, before: string | undefined) => before ?? '',
  );
}
