// One-line guard before scripts that need Node 24: with `npm ci --ignore-scripts` the `node` package has no
// binary and npm scripts silently fall back to the system's Node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Outtray needs Node 24, this is ${process.versions.node}. Run \`npm ci\` (without --ignore-scripts): it brings Node 24 into node_modules.`,
  );
  process.exit(2);
}
