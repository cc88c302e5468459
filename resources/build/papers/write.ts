// `npm run papers`: writes the manual page, the completions, the policy templates and the guide's table again.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { papers, resources } from './papers.ts';

for (const [name, text] of Object.entries(await papers())) {
  const file = path.join(resources, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(path.relative(process.cwd(), file));
}
