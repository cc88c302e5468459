// Whether this process is the program `outtray` of the packages: Node with all our code inside it (a "single executable
// application", nodejs.org/api/single-executable-applications.html). It runs no file, so it is started with switches.

type Sea = { isSea(): boolean; getAsset(name: string, encoding: 'utf8'): string };

/** Asked of the process and not imported: Electron has no `node:sea`. */
const sea = (): Sea | undefined => process.getBuiltinModule('node:sea');

export const isOneProgram = (): boolean => sea()?.isSea() === true;

/** A text inside the program. Throws where there is none. */
export const insideText = (name: string): string => {
  const text = sea()?.getAsset(name, 'utf8');
  if (text === undefined) throw new Error(`${name} is not inside this program.`);
  return text;
};
