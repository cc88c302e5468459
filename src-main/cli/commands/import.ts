// `import FILE`: what `export --format json` of another machine or profile of the same account wrote becomes known here.
import * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { importedFile, refusedLine, type ImportedFile } from '../../contract/report.ts';
import { statesWith } from '../../contract/model.ts';
import { givenText } from '../../contract/text/given-text.ts';
import { fileIdSchema } from '../../contract/text/file-id.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { nameText, pathFrom } from '../output/words.ts';
import { unlessInterrupted, within, type Session } from '../session.ts';

const mostBytes = 64 * 1024 * 1024;

const time = v.pipe(
  v.nullable(v.pipe(v.string(), v.isoTimestamp('is no time'))),
  v.transform((text) => (text === null ? null : Date.parse(text))),
);
/** A line as `export` writes it (export.ts: columns). Later versions may write more. */
const exported = v.object({
  file_id: v.nullable(fileIdSchema),
  public_link: v.nullable(v.string()),
  filename: v.string(),
  sizeBytes: v.nullable(v.number()),
  sha256: v.nullable(v.string()),
  uploadedAt: time,
  expiresAt: time,
  state: v.string(),
  inside: v.nullable(v.string()),
  size: v.nullable(v.number()),
  upload_date: v.nullable(v.string()),
});

/** Their links are offered. A file in a zip has no link of its own. */
const live: ReadonlySet<string> = new Set([...statesWith({ hasLink: true }), 'elsewhere']);

export const importFiles = (
  session: Session,
  given: string,
  { takeExpiry = false }: { takeExpiry?: boolean },
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, texts }) => {
    const { output } = session;
    const found = await unlessInterrupted(session, () =>
      texts.read(pathFrom(given, session), mostBytes, true),
    );
    if (found.kind !== 'read') {
      const [fault, remedy] =
        found.kind === 'too-large'
          ? ['is larger than 64 MiB', 'Split it between lines, and import each part.']
          : ['cannot be read', 'Name a file that `outtray export --format json` wrote.'];
      throw new AppError('bad-use', `${nameText(given)} ${fault}.`, remedy);
    }
    const files = givenText(found.bytes).split('\n').flatMap(fileOn);
    const result = await unlessInterrupted(session, () => client.call('files.import', { files, takeExpiry }));
    output.object({ event: 'imported', ...result });
    output.line(
      `${result.files === 1 ? '1 link is' : `${result.files} links are`} known here, ${result.new} of them new.`,
    );
    if (result.ends > 0 && !takeExpiry)
      output.note(
        `${result.ends === 1 ? '1 of them ends' : `${result.ends} of them end`} by the machine that made it; \`--take-expiry\` ends it here, too.`,
      );
    return exitCodes.done;
  });

/** What this line has to be imported: nothing for a file without a link that is offered. Throws `bad-use`. */
const fileOn = (text: string, at: number): ImportedFile[] => {
  if (text.trim() === '') return [];
  const line = at + 1;
  const parsed = checked(exported, objectIn(text, line), line);
  const { file_id: fileId, public_link: publicLink, state, inside, uploadedAt, expiresAt, ...file } = parsed;
  if (fileId === null || publicLink === null || inside !== null || !live.has(state)) return [];
  const { upload_date: uploadDate, ...same } = file;
  const times = { uploadedAtMs: uploadedAt, expiresAtMs: expiresAt };
  return [checked(importedFile, { line, fileId, publicLink, uploadDate, ...same, ...times }, line)];
};

const checked = <Schema extends v.GenericSchema>(schema: Schema, value: unknown, line: number) => {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  // The words of the library quote what they refuse.
  const wrong = issue.message.startsWith('is ') ? issue.message : 'is missing or wrong';
  throw refusedLine(line, `${v.getDotPath(issue) ?? 'it'} ${wrong}`);
};

const objectIn = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refusedLine(line, 'it is no JSON');
  }
};
