// The syntax of a source file. Several rules ask for it, and each file is parsed once.
import ts from 'typescript';
import type { SourceFile } from './source-tree.ts';

const known = new WeakMap<SourceFile, ts.SourceFile>();

export const parsed = (file: string, code: SourceFile): ts.SourceFile => {
  const syntax = known.get(code) ?? ts.createSourceFile(file, code.text, ts.ScriptTarget.Latest, true);
  known.set(code, syntax);
  return syntax;
};
