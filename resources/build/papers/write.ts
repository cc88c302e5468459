// `npm run papers`: writes the papers that are committed (the pages of settings and states, and the budget, which no
// test compares: each commit changes its figures) and those that ship with the packages (manual page, completions,
// policy templates), the latter to out/papers.
import path from 'node:path';
import { budgetPage } from './budget.ts';
import { builtFolder, builtPapers, committedPapers, pretty, resources, writePapers } from './papers.ts';

const budget = await pretty('markdown', budgetPage());
for (const [folder, papers] of [
  [resources, { ...(await committedPapers()), 'docs/design/budget.md': budget }],
  [builtFolder, await builtPapers()],
] as const) {
  await writePapers(folder, papers);
  for (const name of Object.keys(papers)) console.log(path.relative(process.cwd(), path.join(folder, name)));
}
console.log(`\n${budget}`);
