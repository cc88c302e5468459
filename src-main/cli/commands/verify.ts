// `verify FILE…`, `--all`, `--card FILE`: whether public links serve to anyone what was sent.
import { fileIdSchema, type FileId } from '../../contract/text/file-id.ts';
import * as v from 'valibot';
import { givenText } from '../../contract/text/given-text.ts';
import type { VerifyResult } from '../../contract/answers.ts';
import type { CommandInput } from '../../contract/commands.ts';
import { AppError, fromWire } from '../../contract/errors.ts';
import { readSum } from '../../contract/text/card.ts';
import { proofSentence } from '../../contract/text/why.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { troubleText } from '../output/typed.ts';
import { pathFrom } from '../output/words.ts';
import { namedFrom, refuseAmbiguous } from '../named-files.ts';
import { unlessInterrupted, within, type Composed, type Session } from '../session.ts';

/** 10,000 files with long names stay under it. */
const mostCardBytes = 8 * 1024 * 1024;

export type VerifyFlags = { all?: boolean; card?: string };

export const verify = (session: Session, given: readonly string[], flags: VerifyFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, texts, ledger }) => {
    const { output } = session;
    const wanted = await unlessInterrupted(session, () => wantedBy(session, given, { ...flags, texts }));
    if (wanted !== 'all') {
      const files = wanted.flatMap((one) => ('files' in one ? one.files : []));
      if (files.length > 1) refuseAmbiguous(await client.call('files.find', { files, use: 'link' }));
    }
    const inputs = wanted === 'all' ? (await client.call('files.linked', {})).map(ofFile) : wanted;
    let isAllRight = true;
    // One at a time: each result is printed as soon as it is known, and an interruption loses none of them.
    for (const input of inputs)
      for (const result of await unlessInterrupted(session, () => client.call('files.verify', input))) {
        isAllRight &&= result.ok === true;
        tell(output, ledger, result, { isOnly: inputs.length === 1, input });
      }
    if (inputs.length === 0) output.note('There is no link to verify.');
    return isAllRight ? exitCodes.done : exitCodes.someFailed;
  });

const tell = (
  output: Session['output'],
  ledger: Composed['ledger'],
  result: VerifyResult,
  { isOnly, input }: { isOnly: boolean; input: Input },
): void => {
  const { fileId, path, ok, reason, error } = result;
  const file = fileJson(completed(ledger, result));
  if (error !== null) {
    if (isOnly) throw fromWire(error);
    output.object({ error, ...file });
    output.trouble(`${path ?? fileId}: ${troubleText(error)}`);
    return;
  }
  output.object({ event: 'verified', ...file, ok, reason });
  (ok === true ? output.line : output.trouble)(textOf(output, result, input));
};

type Input = CommandInput<'files.verify'>;

const ofFile = (fileId: FileId): Input => ({ files: [{ fileId }] });

const wantedBy = async (
  session: Session,
  given: readonly string[],
  { all, card, texts }: VerifyFlags & Pick<Composed, 'texts'>,
): Promise<Input[] | 'all'> => {
  const ways = [given.length > 0, all === true, card !== undefined].filter(Boolean);
  if (ways.length !== 1)
    throw new AppError(
      'bad-use',
      'It is not clear what to verify.',
      'Name files, or give either --all or --card FILE.',
    );
  if (card !== undefined) {
    const file = pathFrom(card, session);
    return readCard(await textIn(file, { texts })).map((one) => ({ card: [one] }));
  }
  return all === true ? 'all' : given.map((text) => ({ files: [namedFrom(session, text)] }));
};

const textIn = async (file: string, { texts }: Pick<Composed, 'texts'>): Promise<string> => {
  const found = await texts.read(file, mostCardBytes, true);
  if (found.kind === 'read') return givenText(found.bytes);
  if (found.kind === 'too-large')
    throw new AppError('bad-use', `The card ${file} is larger than 8 MiB.`, 'Give a card that Outtray made.');
  throw new AppError('bad-use', `The card ${file} cannot be read.`, 'Check its path.');
};

const jsonCard = v.pipe(
  v.array(
    v.object({
      file_id: fileIdSchema,
      sizeBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      public_link: v.pipe(v.string(), v.maxLength(2048)),
    }),
  ),
  v.minLength(1),
  v.maxLength(10_000),
);

/** Throws `bad-use` for what is neither form. */
export const readCard = (text: string) => {
  if (/^\s*\[/.test(text)) {
    const parsed = v.safeParse(jsonCard, jsonOf(text));
    if (!parsed.success) throw noCard();
    return parsed.output.map((file) => ({
      fileId: file.file_id,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      publicLink: file.public_link,
    }));
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const files = lines.map(readSum);
  if (files.length === 0 || files.length > 10_000) throw noCard();
  return files.map((file) => {
    if (file === null) throw noCard();
    return { fileId: null, sha256: file.sha256, sizeBytes: null, publicLink: null };
  });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const noCard = (): AppError =>
  new AppError(
    'bad-use',
    'This file is not a release card.',
    'Give what `outtray card --format json` or `--format sha256sums` printed, with at most 10,000 files.',
  );

const textOf = (
  { pathText }: Session['output'],
  { path, publicLink, fileId, reason }: VerifyResult,
  input: Input,
): string => {
  // For a file that is not known here, a card in the sha256sums form has nothing but the hash.
  const content = 'card' in input ? input.card.map(({ sha256 }) => sha256).join() : '';
  const link = path ?? publicLink;
  return `${link === null ? (fileId ?? content) : pathText(link)}: ${proofSentence(reason)}`;
};
