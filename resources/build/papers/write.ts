// `npm run papers`: writes the papers that are committed (the pages of settings and states) and those
// that ship with the packages (manual page, completions, policy templates), the latter to out/papers.
import path from 'node:path';
import { builtFolder, builtPapers, committedPapers, resources, writePapers } from './papers.ts';

for (const [folder, papers] of [
  [resources, await committedPapers()],
  [builtFolder, await builtPapers()],
] as const) {
  await writePapers(folder, papers);
  for (const name of Object.keys(papers)) console.log(path.relative(process.cwd(), path.join(folder, name)));
}
