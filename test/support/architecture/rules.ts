// The house rules about files, as pure functions over a tree: each returns one sentence per breach.
import { roomOf, type Room } from './rooms.ts';
import { withoutComments, type SourceTree } from './source-tree.ts';

/** Who may import whom, and which packages. */
export function importBreaches(tree: SourceTree): string[] {
  const breaches: string[] = [];
  for (const [file, { imports }] of tree) {
    const room = roomOf(file);
    if (room === null) {
      breaches.push(`${file} is in no room of the house`);
      continue;
    }
    for (const { target, own, typeOnly } of imports) {
      if (own && !mayImportOurs(room, file, target, typeOnly))
        breaches.push(`${file} may not import ${target} (${room.name})`);
      if (!own && !mayImportPackage(room, target, typeOnly))
        breaches.push(`${file} may not import the package ${target} (${room.name})`);
    }
  }
  return breaches;
}

function mayImportOurs(room: Room, file: string, target: string, typeOnly: boolean): boolean {
  if (target.startsWith('test/') && room.name !== 'test' && room.name !== 'config') return false;
  if (room.own(target, file)) return true;
  return typeOnly && (room.ownTypes?.(target) ?? false);
}

function mayImportPackage(room: Room, name: string, typeOnly: boolean): boolean {
  const bare = name.startsWith('node:') ? 'node:' : packageName(name);
  if (room.packages === 'any') return true;
  return room.packages.includes(bare) || (typeOnly && (room.packageTypes ?? []).includes(bare));
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

/** `process.` only before a name: "held by another process." is a sentence. */
const worldlyWords = [/\bDate\.now/, /\bMath\.random/, /\bsetTimeout/, /\bprocess\.(?=\w)/, /\bfetch\(/];

/** Time, chance and the world come into pure rooms through ports, never by name. */
export function forbiddenWords(tree: SourceTree): string[] {
  const breaches: string[] = [];
  for (const [file, { text }] of tree) {
    if (!file.startsWith('src-main/engine/') && !file.startsWith('src-main/contract/')) continue;
    const code = withoutComments(text);
    for (const word of worldlyWords) {
      const found = word.exec(code);
      if (found !== null) breaches.push(`${file} contains the word ${found[0]}`);
    }
  }
  return breaches;
}

/** The command reads and writes what it is given (`Io`); only its entry touches the process. */
export function processInCommand(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, { text }]) =>
    file.startsWith('src-main/cli/') && file !== 'src-main/cli/own-process.ts'
      ? [...withoutComments(text).matchAll(/\bprocess\.\w+|\bhomedir\(/g)].map(
          ([found]) => `${file} uses ${found}`,
        )
      : [],
  );
}

/** Test files share processes: a hook at the top of a module counts only for the file that loads it first. */
export function sharedHooks(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, { text }]) =>
    file.startsWith('test/') && !file.endsWith('.test.ts') && /^(before|after)(Each|All)\(/m.test(text)
      ? [file]
      : [],
  );
}

/** A command's call or option in a sentence must be a value (contract/text/wording.ts): each door prints its own. */
export function writtenCommands(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, { text }]) =>
    /^src-main\/(engine|adapters|contract)\//.test(file) && !file.endsWith('/catalogue/program.ts')
      ? [...withoutComments(text).matchAll(/\bouttray [a-z]+|(?<![\w-])[a-z]+,? --[a-z]+/g)].map(
          ([found]) => `${file} writes ${found}`,
        )
      : [],
  );
}

const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'];

/**
 * A bare name would be searched for in the current folder: each start of a program names it as `wholePath(…)`, by a
 * call that needs no shell.
 */
export function bareStarts(tree: SourceTree): string[] {
  const module = /(import\s[^;]*?|import\(|require\()\s*['"](?:node:)?child_process['"]/g;
  return [...tree].flatMap(([file, { text }]) => {
    const code = withoutComments(text);
    if (!file.startsWith('src-main/') || !/child_process/.test(code)) return [];
    const rest = code.replaceAll(module, '');
    const imported = [...code.matchAll(module)].map(([, names = '']) => names).join(' ');
    if (!/^import\s+\{[^}]*\}\s+from\s*$/.test(imported) || / as /.test(imported))
      return [`${file} imports child_process in another way than by the names of its calls`];
    const names = starters.filter((name) => new RegExp(`\\b${name}\\b`).test(imported));
    return [
      ...names.flatMap((name) =>
        ['exec', 'execSync', 'fork'].includes(name)
          ? [`${file} uses ${name}, which runs a shell or a module`]
          : [],
      ),
      ...names.flatMap((name) =>
        [...rest.matchAll(new RegExp(`(?<![.\\w'"])${name}\\b(?!\\(\\s*wholePath\\()`, 'g'))].map(
          () => `${file} calls ${name} without wholePath`,
        ),
      ),
      ...(/\bshell:/.test(rest) ? [`${file} starts a program by a shell`] : []),
    ];
  });
}

/** Asking for a real or whole path. `doors`: files that may, with the reason; all others have it from these. */
export function ownSpellings(tree: SourceTree, doors: Record<string, string>): string[] {
  const asks =
    /\brealpath(?:Sync)?\b|\bresolve\b(?=[^;{}]*\}\s*from\s+'node:path')|\bpath\.(?:win32\.|posix\.)?resolve\(/;
  return [...tree].flatMap(([file, { text }]) => {
    const [found] = asks.exec(withoutComments(text)) ?? [];
    return file.startsWith('src-main/') && found !== undefined && !Object.hasOwn(doors, file)
      ? [`${file} spells paths by itself: ${found}`]
      : [];
  });
}

/**
 * Files that call the file system by themselves, and doors that no longer need an exception. A call on a path of the
 * user goes through the ports `Files` and `RealPaths`, which abandon a drive that hangs. `doors`: files and folders,
 * with what they read or write.
 */
export function ownFileCalls(tree: SourceTree, doors: Record<string, string>): string[] {
  const calls = /\b(?:from|import|require)\b\s*\(?\s*['"](?:node:)?fs(?:\/promises)?['"]/;
  const names = Object.keys(doors);
  const isBehind = (file: string, door: string): boolean => file === door || file.startsWith(`${door}/`);
  const callers = [...tree].flatMap(([file, { text }]) =>
    file.startsWith('src-main/') && calls.test(withoutComments(text)) ? [file] : [],
  );
  return [
    ...callers
      .filter((file) => !names.some((door) => isBehind(file, door)))
      .map((file) => `${file} calls the file system by itself`),
    ...names
      .filter((door) => !callers.some((file) => isBehind(file, door)))
      .map((door) => `${door} calls no file system and needs no exception`),
  ];
}

/** Words that are hard for readers whose first language is not English. One of them is also a user of Unix. */
const wordsToAvoid =
  /\b(whoever|somebody|nobody(?! user)|anew|of before|of ours|came to|comes to|so many|so long|perhaps|as a rule|once and for good)\b/i;

/** Comment lines with a word to avoid: path and line. */
export function hardComments(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, { text }]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(\/\/|\/?\*|<!--)/.test(line) && wordsToAvoid.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
}

/** No file reaches itself through imports, also of types. Each circle is named once. */
export function circles(tree: SourceTree): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const found: string[] = [];
  function visit(file: string): void {
    state.set(file, 'open');
    trail.push(file);
    for (const { target, own } of tree.get(file)?.imports ?? []) {
      if (!own || !tree.has(target)) continue;
      if (state.get(target) === 'open')
        found.push([...trail.slice(trail.indexOf(target)), target].join(' → '));
      else if (!state.has(target)) visit(target);
    }
    trail.pop();
    state.set(file, 'done');
  }
  for (const file of tree.keys()) if (!state.has(file)) visit(file);
  return found;
}

/** A barrel re-exports what lives elsewhere; a reader should land where the thing is. */
export function barrels(tree: SourceTree): string[] {
  const reExport = /^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s*from\s/m;
  return [...tree]
    .filter(([file, { text }]) => /(^|\/)index\.(ts|js)$/.test(file) || reExport.test(withoutComments(text)))
    .map(([file]) => `${file} is a barrel`);
}

/** Long files are listed with their reason; a listed file that is no longer long must be removed from the list. */
export function longFiles(
  tree: SourceTree,
  allowed: Readonly<Record<string, string>>,
  limit: number,
): string[] {
  const breaches: string[] = [];
  for (const [file, { lines }] of tree) {
    if (lines > limit && !(file in allowed)) breaches.push(`${file} has ${lines} lines, over ${limit}`);
  }
  for (const file of Object.keys(allowed)) {
    const lines = tree.get(file)?.lines ?? 0;
    if (lines <= limit) breaches.push(`${file} has only ${lines} lines and needs no exception`);
  }
  return breaches;
}

/** A reader of the engine sees a whole room at a glance; other folders may hold a little more. */
const maxEntries = (folder: string): number => (folder.startsWith('src-main/engine/') ? 12 : 20);
/** Beside its rooms the engine has `engine.ts`. */
const maxEngineFiles = 3;

export function crowdedFolders(tree: SourceTree): string[] {
  const entries = new Map<string, Set<string>>();
  for (const file of tree.keys()) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      const names = entries.get(folder) ?? new Set();
      entries.set(folder, names.add(parts[depth] ?? ''));
    }
  }
  const engineFiles = [...tree.keys()].filter((file) => /^src-main\/engine\/[^/]+$/.test(file)).length;
  return [
    ...[...entries]
      .filter(([folder, names]) => names.size > maxEntries(folder))
      .map(([folder, { size }]) => `${folder} has ${size} entries, over ${maxEntries(folder)}`),
    ...(engineFiles > maxEngineFiles
      ? [`src-main/engine has ${engineFiles} files, over ${maxEngineFiles}`]
      : []),
  ];
}

/** The top level of the project; everything else is a dotfile or below one of these. */
export const topLevel: readonly string[] = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'electron-builder.yml',
  'src-main',
  'src-renderer',
  'resources',
  'test',
  'README.md',
  'LICENSE',
];

/** `names`: what git knows at the top level. */
export function strayAtTop(names: readonly string[]): string[] {
  return names
    .filter((name) => !name.startsWith('.') && !topLevel.includes(name))
    .map((name) => `${name} does not belong to the top level`);
}

/** Exported names that stand for two things. */
export const sharedNames = (tree: SourceTree): string[] => {
  const files = new Map<string, Set<string>>();
  for (const [file, { text }] of tree) {
    if (!file.startsWith('src-main/')) continue;
    for (const [, name] of text.matchAll(
      /^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm,
    )) {
      if (name === undefined) continue;
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return [...files].filter(([, of]) => of.size > 1).map(([name, of]) => `${name}: ${[...of].join(', ')}`);
};
