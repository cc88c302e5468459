// A child process of the program is the program with a switch: it runs no file (src-main/adapters/system/own-program.ts).
const children = {
  '--keychain-child': './keychain-child.cjs',
  '--drive-child': './src-main-drive-child.cjs',
};
require(Object.hasOwn(children, process.argv[2]) ? children[process.argv[2]] : './cli.cjs');
