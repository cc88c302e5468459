// How many things a factory takes. `Core` and `Service` of the engine count as one each: what every stage works with,
// and the way to the service.
import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { SourceTree } from './source-tree.ts';

/** Factories (`create…`) that take more than `most` parameters and members of their options, with their number. */
export const wideFactories = (tree: SourceTree, most: number): string[] =>
  [...tree].flatMap(([file, code]) => {
    if (!file.endsWith('.ts')) return [];
    const source = parsed(file, code);
    const found: string[] = [];
    for (const statement of source.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isArrowFunction(initializer)) continue;
        const taken = initializer.parameters.reduce((sum, { type }) => sum + membersOf(type, source), 0);
        if (/^create[A-Z]/.test(name.getText()) && taken > most)
          found.push(`${file}: ${name.getText()} takes ${taken} things, over ${most}`);
      }
    }
    return found;
  });

/** The members of a literal type, or of one that this file names; else one. */
const membersOf = (type: ts.TypeNode | undefined, source: ts.SourceFile): number => {
  if (type === undefined) return 1;
  if (ts.isTypeLiteralNode(type)) return type.members.length;
  if (!ts.isTypeReferenceNode(type)) return 1;
  const named = source.statements.find(
    (one) => ts.isTypeAliasDeclaration(one) && one.name.text === type.typeName.getText(),
  );
  return named !== undefined && ts.isTypeAliasDeclaration(named) && ts.isTypeLiteralNode(named.type)
    ? named.type.members.length
    : 1;
};
