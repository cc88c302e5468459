// `completion SHELL`: the script that completes the command, and the ids that it asks for.
import type { FileId } from '../../contract/text/file-id.ts';
import { existsSync } from 'node:fs';
import { statesWith, type StateKind } from '../../contract/model.ts';
import { completions } from './scripts.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { within, type Session, type Composed } from '../session.ts';
import type { NamedFor } from '../../contract/catalogue/choices.ts';
import { programRows } from '../../contract/catalogue/program.ts';
import type { ProgramRow } from '../../contract/catalogue/program-kinds.ts';
import { table } from './command-table.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { nameText } from '../output/words.ts';

export const completion = async (
  session: Session,
  shell: keyof typeof completions,
  idsFor: string | undefined,
): Promise<ExitCode> => {
  if (idsFor !== undefined) return await printIds(session, idsFor);
  const script = completions[shell](table);
  session.output.object({ shell, script });
  session.output.styled(script.trimEnd());
  return exitCodes.done;
};

const maxIds = 100;

/** Which uploads are offered. */
const states: Partial<Record<NamedFor, readonly StateKind[]>> = {
  confirm: ['held'],
  retry: statesWith({ mayRetry: true }),
  cancel: [...statesWith({ cancel: 'engine' }), ...statesWith({ cancel: 'now' })],
  resolve: ['uncertain', 'held'],
};

/** Reads only the ledger: pressing Tab makes no request to the service. */
const printIds = async (session: Session, command: string): Promise<ExitCode> => {
  // A missing data folder has no ids, and Tab must not create it.
  const named = session.options.home ?? session.env['OUTTRAY_HOME'];
  if (named !== undefined && !existsSync(named)) return exitCodes.done;
  return await within(session, { kind: 'guest' }, ({ ledger }) => {
    for (const { id, name } of idsOf(ledger, command)) session.output.styled(`${id}\t${nameText(name)}`);
    return Promise.resolve(exitCodes.done);
  });
};

const idsOf = (ledger: Composed['ledger'], command: string): { id: FileId; name: string }[] => {
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
