// `folders`: the watched folders, each with rules of its own. Makes no request to the service.
import { isStaying } from '../../adapters/system/lock.ts';
import { parseSettingText } from '../../adapters/settings/setting-text.ts';
import type { FolderView } from '../../contract/answers.ts';
import { folderPresets } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import type { FolderRule } from '../../contract/settings.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { within, type Session } from '../session.ts';
import { folderText, pathFrom } from '../output/words.ts';

const guest = { kind: 'guest' } as const;

export const listFolders = (session: Session): Promise<ExitCode> =>
  within(session, guest, async ({ client }) => tell(session, await client.call('folders.list', {})));

export const add = (
  session: Session,
  given: readonly string[],
  { existing }: { existing: 'skip' | 'upload' },
): Promise<ExitCode> =>
  within(session, guest, async ({ client, holder }) => {
    let views: FolderView[] = [];
    for (const one of given) {
      const preset = folderPresets.find((name) => name === one);
      const folder = preset === undefined ? { path: pathFrom(one, session) } : { preset };
      views = await client.call('folders.add', { folder, existing });
    }
    const code = tell(session, views);
    const what = given.length === 1 ? 'It is' : 'They are';
    if (!isStaying(holder)) session.output.note(`${what} watched when Outtray runs: \`outtray watch\`.`);
    return code;
  });

export const set = (session: Session, dir: string, name: FolderRule, text: string): Promise<ExitCode> =>
  within(session, guest, async ({ client }) => {
    const value = name === 'paused' ? pausedFrom(text) : parseSettingText(name, text, session.cwd);
    return tell(session, await client.call('folders.set', { folder: pathFrom(dir, session), name, value }));
  });

export const removeFolder = (session: Session, dir: string): Promise<ExitCode> =>
  within(session, guest, async ({ client }) =>
    tell(session, await client.call('folders.remove', { folder: pathFrom(dir, session) })),
  );

/** Parsed like a boolean setting, but no setting has its name. */
const pausedFrom = (text: string): unknown => {
  try {
    return parseSettingText('recursive', text);
  } catch {
    throw new AppError('bad-setting', 'paused must be true or false.', 'For example: true');
  }
};

const tell = ({ output }: Session, views: readonly FolderView[]): ExitCode => {
  for (const view of views) output.object(view);
  const rows = views.flatMap((view) => {
    const { available, counts, rules, own } = view;
    const numbers = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    const state = !available ? 'missing' : rules.paused ? 'paused' : 'watched';
    return [
      [folderText(view), state, ...numbers],
      ...own.filter((name) => name !== 'paused').map((name) => ['', name, JSON.stringify(rules[name])]),
    ];
  });
  output.table(rows);
  if (views.length === 0) output.note('No folder is watched. Add one: `outtray folders add DIR`.');
  return exitCodes.done;
};
