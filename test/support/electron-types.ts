// What Electron's own types declare: modules, members, events. Read with TypeScript from electron.d.ts.
import path from 'node:path';
import ts from 'typescript';

export type ElectronTypes = {
  /** Names that `electron/main` exports as values. */
  mainModules: string[];
  /** Members of an instance of a class or of an object, by the name of its type or export. */
  members(name: string): Set<string>;
  statics(name: string): Set<string>;
  events(name: string): Set<string>;
};

export function readElectronTypes(): ElectronTypes {
  const file = path.resolve(import.meta.dirname, '../../node_modules/electron/electron.d.ts');
  const program = ts.createProgram([file], { skipLibCheck: true, types: ['node'], noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (!source) throw new Error('electron.d.ts could not be read');
  const namespace = checker
    .getSymbolsInScope(source, ts.SymbolFlags.Namespace)
    .find((symbol) => symbol.name === 'Electron');
  if (!namespace) throw new Error('electron.d.ts has no namespace Electron');
  const all = checker.getExportsOfModule(namespace);
  const main = all.find((symbol) => symbol.name === 'Main');
  const modules = (main ? checker.getExportsOfModule(main) : []).filter(
    (symbol) => resolve(symbol).flags & ts.SymbolFlags.Value,
  );

  function resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }
  function instanceType(name: string): ts.Type {
    const module = modules.find((symbol) => symbol.name === name);
    const declared = all.find((symbol) => symbol.name === name);
    const found = module ?? declared;
    if (!found) throw new Error(`electron.d.ts has no ${name}`);
    const resolved = resolve(found);
    const isValueOnly = /^[a-z]/.test(name);
    if (!isValueOnly && resolved.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))
      return checker.getDeclaredTypeOfSymbol(resolved);
    const type = checker.getTypeOfSymbol(resolved);
    // `session` is the value whose type is the static side of Session; `Tray` is a class to make instances of.
    if (isValueOnly) return type;
    const [constructor] = type.getConstructSignatures();
    return constructor ? constructor.getReturnType() : type;
  }
  const names = (type: ts.Type): Set<string> =>
    new Set(checker.getPropertiesOfType(type).map(({ name }) => name));

  return {
    mainModules: modules.map(({ name }) => name),
    members: (name) => names(instanceType(name)),
    statics(name) {
      const module = modules.find((symbol) => symbol.name === name);
      return module ? names(checker.getTypeOfSymbol(resolve(module))) : new Set();
    },
    events(name) {
      const on = checker.getPropertyOfType(instanceType(name), 'on');
      const texts = (on?.declarations ?? []).map((declaration) => declaration.getText());
      return new Set(texts.flatMap((text) => /event: '([^']+)'/.exec(text)?.[1] ?? []));
    },
  };
}
