// The length of functions. Nested functions are counted separately: a factory that contains the functions of its part
// is read like a file.
import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { SourceTree } from './source-tree.ts';

/** Functions of more than `limit` lines of their own, by `file name`; and names in `allowed` that are not long now. */
export const longFunctions = (
  tree: SourceTree,
  allowed: Readonly<Record<string, string>>,
  limit: number,
): string[] => {
  const long = new Map(
    functionsOf(tree)
      .filter(({ lines, inside }) => lines - inside > limit)
      .map(({ name, lines, inside }) => [name, lines - inside]),
  );
  return [
    ...[...long]
      .filter(([name]) => !(name in allowed))
      .map(([name, lines]) => `${name} has ${lines} lines of its own, over ${limit}`),
    ...Object.keys(allowed)
      .filter((name) => !long.has(name))
      .map((name) => `${name} needs no exception`),
  ];
};

/** Functions of more than `limit` lines, those inside them counted, the longest first. */
export const largeFunctions = (tree: SourceTree, limit: number): string[] =>
  functionsOf(tree)
    .filter(({ lines }) => lines > limit)
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ name, lines }) => `${name} has ${lines} lines`);

/** `inside`: lines of the functions in it. */
const functionsOf = (tree: SourceTree): { name: string; lines: number; inside: number }[] => {
  const found: { name: string; lines: number; inside: number }[] = [];
  for (const [file, code] of tree) {
    if (!file.endsWith('.ts')) continue;
    const source = parsed(file, code);
    const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
    const visit = (node: ts.Node): number => {
      let inside = 0;
      ts.forEachChild(node, (child) => {
        inside += visit(child);
      });
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return inside;
      const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
      found.push({ name: `${file} ${nameOf(node)}`, lines, inside });
      return lines > 1 ? lines : inside;
    };
    visit(source);
  }
  return found;
};

const nameOf = (node: ts.SignatureDeclaration): string => {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'without a name';
};
