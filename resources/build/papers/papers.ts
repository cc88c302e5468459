// Every paper that is generated from the program itself. The committed ones are read here and on the web; the built
// ones ship with the packages. `npm run papers` writes both.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { adml, admx } from './admx.ts';
import { dolphinMenu, nemoAction, thunarSendTo } from '../../../src-main/adapters/integrate/linux.ts';
import { completions } from '../../../src-main/cli/completion/scripts.ts';
import { manPage } from './man.ts';
import { statesPage } from './states.ts';
import { mobileconfig } from './mobileconfig.ts';
import { policyLanguages } from './policy-words.ts';
import { policySchema, samplePolicy, settingsPage } from './policy-schema.ts';
import { programTable } from '../../../src-main/cli/completion/command-table.ts';

export const resources = path.resolve(import.meta.dirname, '../..');

/** What the packages install; the entries of the file managers start it. */
const installedCommand = ['/usr/bin/outtray', 'upload', '--copy', '--'];
/** Differs from the mark of a user's own entry: `outtray integrate --remove` leaves the entries of a package. */
const packageMark = 'from the package outtray';

/** By their paths below `resources/`. A test compares the files with these texts. */
export const committedPapers = async (): Promise<Record<string, string>> => ({
  'docs/design/states.md': await pretty('markdown', statesPage()),
  'docs/settings.md': await pretty('markdown', settingsPage()),
});

/** By their paths below `builtFolder`: manual page, completions, entries of the file managers, policy templates. */
export const builtPapers = async (): Promise<Record<string, string>> => {
  return {
    'outtray.1': manPage(programTable),
    'completions/outtray.bash': completions.bash,
    'completions/_outtray': completions.zsh,
    'completions/outtray.fish': completions.fish,
    'completions/outtray.ps1': completions.powershell,
    'linux/outtray.nemo_action': nemoAction(installedCommand, null, packageMark),
    'linux/service-menu.desktop': dolphinMenu(installedCommand, null, packageMark),
    'linux/thunar-send-to.desktop': thunarSendTo(installedCommand, packageMark),
    'policy/policy.schema.json': await pretty('json', JSON.stringify(policySchema())),
    'policy/policy.sample.json': await pretty('json', JSON.stringify(samplePolicy)),
    // The editor of Group Policy expects Windows line ends.
    'policy/Outtray.admx': windowsLines(admx()),
    ...Object.fromEntries(
      Object.entries(policyLanguages).map(([language, words]) => [
        `policy/${language}/Outtray.adml`,
        windowsLines(adml(words)),
      ]),
    ),
    'policy/outtray.mobileconfig': mobileconfig(),
  };
};

export const builtFolder = path.resolve(resources, '../out/papers');

/** Writes texts below a folder, with their folders. */
export const writePapers = async (folder: string, papers: Record<string, string>): Promise<void> => {
  for (const [name, text] of Object.entries(papers)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
};

/** In the style of this repository's formatter. */
export const pretty = async (parser: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(import.meta.filename)), parser });
const windowsLines = (text: string): string => text.replaceAll('\n', '\r\n');
