// `completion SHELL`: the script that completes the command. With `--line` it prints what may follow on that line.
import type { FileId } from '../../contract/text/file-id.ts';
import { existsSync } from 'node:fs';
import { dataPlace, withProfile } from '../../adapters/system/home.ts';
import { statesWith, type StateKind } from '../../contract/model.ts';
import { completions } from './scripts.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { within, type Session, type Composed } from '../session.ts';
import type { NamedFor } from '../../contract/catalogue/choices.ts';
import { programRows } from '../../contract/catalogue/program.ts';
import type { ProgramRow } from '../../contract/catalogue/program-kinds.ts';
import { complete, type Offer, type Offered, type Shell } from './complete.ts';
import { programTable } from './command-table.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { nameText } from '../output/words.ts';

export const completion = async (
  session: Session,
  shell: Shell,
  line: string | undefined,
): Promise<ExitCode> => {
  const { output } = session;
  if (line === undefined) {
    const script = completions[shell];
    output.object({ shell, script });
    output.styled(script.trimEnd());
    return exitCodes.done;
  }
  const { words, idsFor, files, before, typed, ...named } = complete(line, shell, programTable);
  // A list of bash has no room for the texts of commands and options.
  const isNamed = shell !== 'bash';
  const offers = words.map(({ value, text }) => ({ value, text: isNamed ? text : '' }));
  if (idsFor !== null)
    offers.push(...(await idsOf(session, idsFor, named)).filter(({ value }) => value.startsWith(typed)));
  for (const { value, text } of offers) output.styled(`${before}${value}${text === '' ? '' : `\t${text}`}`);
  if (files !== null) output.styled(`\t${files}\t${before}`);
  return exitCodes.done;
};

const maxIds = 100;

/** Which uploads are offered. */
const states: Partial<Record<NamedFor, readonly StateKind[]>> = {
  confirm: ['held'],
  retry: statesWith({ mayRetry: true }),
  cancel: statesWith({ mayCancel: true }),
  resolve: ['uncertain', 'held'],
};

/** Reads only the ledger: pressing Tab makes no request to the service. */
const idsOf = async (
  session: Session,
  command: string,
  named: Pick<Offered, 'home' | 'profile'>,
): Promise<Offer[]> => {
  const home = named.home?.replace(/^~(?=\/|$)/, session.env['HOME'] ?? '~') ?? session.options.home;
  const env = withProfile(session.env, named.profile ?? undefined);
  // A missing data folder has no ids, and Tab must not create it.
  if (!existsSync(dataPlace(home, env, session.cwd).folder)) return [];
  const options = home === undefined ? session.options : { ...session.options, home };
  return await within({ ...session, env, options }, { kind: 'guest' }, ({ ledger }) =>
    Promise.resolve(
      idsIn(ledger, command).map(({ id, name }) => ({ value: String(id), text: nameText(name) })),
    ),
  );
};

const idsIn = (ledger: Composed['ledger'], command: string): { id: FileId; name: string }[] => {
  const use =
    Object.entries<ProgramRow>(programRows).find(([name]) => name === command)?.[1].names ?? 'service';
  const kinds = states[use];
  if (kinds !== undefined) {
    const rows = kinds
      .flatMap((kind) => ledger.uploads.inState(kind, maxIds))
      .filter(({ state }) => use !== 'resolve' || state.kind !== 'held' || state.reason === 'uncertain');
    return rows.map(({ id, name }) => ({ id: queueIdText(id), name }));
  }
  // Only links of this machine can be taken back, expire, or be verified.
  const place = use === 'link' ? 'ours' : 'all';
  const query = { search: '', place, sort: 'uploaded', descending: true, after: null } as const;
  return ledger.views
    .page({ ...query, limit: maxIds })
    .rows.flatMap(({ fileId, name, place }) =>
      fileId === null || place === 'gone-from-service' ? [] : [{ id: fileId, name }],
    );
};
