// Guards judge a candidate, or a part of it that has a type of its own. A path or a name alone is no such part: it may
// be the one on the disk, the one that is sent, or neither.
import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { SourceTree } from './source-tree.ts';

/** Where files are judged. */
const places =
  /^src-main\/engine\/(candidate|inspect|shared\/names)\/|^src-main\/engine\/discover\/(consent|decide|intake-rules)\.ts$/;

/**
 * Exports of these places that take a bare text: functions, and members of types. The text of a SHA-256 is allowed,
 * because it identifies a content. `makers`: functions that judge nothing.
 */
export const bareGuards = (tree: SourceTree, makers: Record<string, string>): string[] =>
  [...tree].flatMap(([file, code]) => {
    if (!places.test(file)) return [];
    const source = parsed(file, code);
    return source.statements
      .filter((one) => ts.canHaveModifiers(one) && ts.getModifiers(one)?.some(isExport) === true)
      .flatMap(functionsIn)
      .filter(({ name }) => makers[name] === undefined)
      .flatMap(({ name, takes }) =>
        takes.flatMap(bareTexts).map((taken) => `${file}: ${name} takes ${taken}`),
      );
  });

type Takes = { name: string; takes: readonly ts.ParameterDeclaration[] };

const isExport = ({ kind }: ts.Modifier): boolean => kind === ts.SyntaxKind.ExportKeyword;

const functionsIn = (statement: ts.Statement): Takes[] => {
  if (ts.isFunctionDeclaration(statement))
    return [{ name: statement.name?.text ?? '', takes: [...statement.parameters] }];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name, initializer, type }) => [
      ...(initializer !== undefined &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
        ? [{ name: name.getText(), takes: [...initializer.parameters] }]
        : []),
      ...(type !== undefined && ts.isFunctionTypeNode(type)
        ? [{ name: name.getText(), takes: [...type.parameters] }]
        : []),
    ]);
  if (ts.isInterfaceDeclaration(statement)) return statement.members.flatMap(methodOf);
  if (!ts.isTypeAliasDeclaration(statement)) return [];
  const { name, type } = statement;
  if (ts.isFunctionTypeNode(type)) return [{ name: name.text, takes: [...type.parameters] }];
  return ts.isTypeLiteralNode(type) ? type.members.flatMap(methodOf) : [];
};

const methodOf = (member: ts.TypeElement): Takes[] => {
  const name = member.name?.getText() ?? '';
  if (ts.isMethodSignature(member)) return [{ name, takes: [...member.parameters] }];
  const type = ts.isPropertySignature(member) ? member.type : undefined;
  return type !== undefined && ts.isFunctionTypeNode(type) ? [{ name, takes: [...type.parameters] }] : [];
};

/** A parameter, or a member of the object that it is. */
const bareTexts = ({ name, type }: ts.ParameterDeclaration): string[] => {
  if (type === undefined) return [];
  if (!ts.isTypeLiteralNode(type)) return isBare(name.getText(), type) ? [name.getText()] : [];
  return type.members.flatMap((member) => {
    const of = member.name?.getText() ?? '';
    return ts.isPropertySignature(member) && member.type !== undefined && isBare(of, member.type) ? [of] : [];
  });
};

const isBare = (name: string, type: ts.TypeNode): boolean =>
  !/sha256$/i.test(name) && /(^|[^\w'])string\b/.test(type.getText().replaceAll(/\bRecord<[^>]*>/g, ''));
