// Reads the clipboard through the system's own programs: copied files by their paths, else an image, else a text.
import { startChild } from '../programs/run-program.ts';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { fileListTypes, filesInList, type CopiedFiles } from '../../contract/text/copied-files.ts';
import { findProgram } from '../system/programs.ts';
import { pathOfAddress } from './file-list.ts';
import { isType, privateMarks } from '../../contract/text/private-marks.ts';
import { inSession, isPrivate, noDisplay, noTool, notHere } from './problems.ts';
import { contentTypes, readersOf, scriptReaders, type Reader, type Tool } from './tools.ts';

/** `content`: an image or a text, which the file now holds; `ending` is the file extension for it. */
export type ReadContent = ({ kind: 'files' } & CopiedFiles) | { kind: 'content'; ending: string };

/** The program from which the content was copied may have to produce it first. */
const limitMs = 60_000;
/** A list of paths, or of types; more is no clipboard of a person. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Creates `file`, private, for an image or a text. Null: the clipboard has nothing to upload, and `file` does not
 * exist. Throws `bad-use` with the remedy where the clipboard cannot be reached, or has only files that are not here:
 * the text beside them names them, and is never taken for a copied text.
 */
export const readClipboard = async (
  file: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<ReadContent | null> => {
  const script = scriptReaders[platform];
  const pasted = await (
    script === undefined ? readLinux(file, env) : readByScript(script, file, env, platform)
  ).catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
  const isFull = pasted?.kind === 'content' && (await stat(file)).size > 0;
  if (!isFull) await rm(file, { force: true });
  return pasted?.kind === 'files' || isFull ? pasted : null;
};

const readLinux = async (file: string, env: NodeJS.ProcessEnv): Promise<ReadContent | null> => {
  const readers = readersOf(env);
  if (readers.length === 0) throw noDisplay();
  let fault: AppError | null = null;
  for (const reader of readers) {
    const types = await typesOf(reader, env);
    if (types instanceof AppError) fault = types;
    else if (types !== 'missing') {
      demandPublic(types);
      const taken = await take(reader, types, file, env);
      // What was read may have been copied after the first look.
      demandPublic(await typesOf(reader, env));
      return taken;
    }
  }
  throw fault ?? noTool(readers);
};

const demandPublic = (types: string[] | AppError | 'missing'): void => {
  if (types instanceof AppError) throw types;
  const isMarked =
    types !== 'missing' && types.some((type) => privateMarks.some((mark) => isType(mark, type)));
  if (isMarked) throw isPrivate();
};

const typesOf = async (reader: Reader, env: NodeJS.ProcessEnv): Promise<string[] | AppError | 'missing'> => {
  const end = await ask(reader.program, reader.types, { env });
  if (end === 'missing') return end;
  // These programs also fail when the clipboard is empty; only their message shows the difference.
  if (end.code !== 0 && /connect|open display/i.test(end.errorText)) {
    return new AppError('bad-use', `The clipboard cannot be reached: ${reader.program} failed.`, inSession);
  }
  if (end.code !== 0) return [];
  return end.text.split('\n').map((type) => type.trim());
};

const take = async (
  reader: Reader,
  types: readonly string[],
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<ReadContent | null> => {
  const { paths, elsewhere } = await copiedFiles(reader, types, env);
  if (paths.length > 0) return { kind: 'files', paths, elsewhere };
  for (const [type, ending] of contentTypes.filter(([one]) => types.includes(one))) {
    if (ending === 'txt' && elsewhere > 0) break;
    const handle = await open(file, 'wx', 0o600);
    const end = await ask(reader.program, reader.one(type), { env, into: handle.fd }).finally(() =>
      handle.close(),
    );
    if (end === 'missing' || end.code !== 0) throw unread(reader.program);
    return { kind: 'content', ending };
  }
  if (elsewhere > 0) throw notHere();
  return null;
};

/** From the first list that names files. */
const copiedFiles = async (
  reader: Reader,
  types: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CopiedFiles> => {
  let elsewhere = 0;
  for (const type of fileListTypes.filter((one) => types.includes(one))) {
    const list = await ask(reader.program, reader.one(type), { env });
    if (list === 'missing' || list.code !== 0) throw unread(reader.program);
    const files = filesInList(type, list.text, pathOfAddress);
    if (files.paths.length > 0) return files;
    elsewhere = Math.max(elsewhere, files.elsewhere);
  }
  return { paths: [], elsewhere };
};

const scriptAnswer = v.object({
  kind: v.picklist(['private', 'files', 'elsewhere', 'image', 'text', 'nothing']),
  paths: v.array(v.string()),
});

const readByScript = async (
  script: Tool,
  file: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<ReadContent | null> => {
  // The file exists before the script writes, so it is private from the beginning.
  // It is closed again: Windows lets no other program write a file that is open for writing.
  await writeFile(file, '', { flag: 'wx', mode: 0o600 });
  const end = await ask(script.program, script.args, { env: { ...env, OUTTRAY_PASTE: file }, platform });
  if (end === 'missing') throw noTool([script]);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), scriptAnswer), end.text);
  if (end.code !== 0 || !parsed.success) throw unread(script.program);
  const { kind, paths } = parsed.output;
  if (kind === 'private') throw isPrivate();
  if (kind === 'elsewhere') throw notHere();
  if (kind === 'files') return paths.length === 0 ? null : { kind, paths, elsewhere: 0 };
  return kind === 'nothing' ? null : { kind: 'content', ending: kind === 'image' ? 'png' : 'txt' };
};

const unread = (program: string): AppError =>
  new AppError('bad-use', `What was copied cannot be read: ${program} failed.`, 'Copy it again.');

type Answer = { code: number | null; text: string; errorText: string };

/** `into`: where its standard output goes, instead of into `text`. */
const ask = (
  name: string,
  args: readonly string[],
  { env, platform = 'linux', into }: { env: NodeJS.ProcessEnv; platform?: NodeJS.Platform; into?: number },
): Promise<Answer | 'missing'> =>
  new Promise((resolve, reject) => {
    const program = findProgram(name, env, platform);
    if (program === null) {
      resolve('missing');
      return;
    }
    const child = startChild(program, args, {
      stdio: ['ignore', into ?? 'pipe', 'pipe'],
      env,
      // Windows looks for libraries in the current folder.
      cwd: path.dirname(program),
      windowsHide: true,
      timeout: limitMs,
    });
    const parts = { text: [] as Buffer[], errorText: [] as Buffer[], size: 0 };
    const keep = (where: Buffer[]) => (piece: Buffer) => {
      parts.size += piece.length;
      if (parts.size > maxBytes) child.kill('SIGKILL');
      else where.push(piece);
    };
    child.stdout?.on('data', keep(parts.text));
    child.stderr?.on('data', keep(parts.errorText));
    child.once('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') resolve('missing');
      else reject(error);
    });
    child.once('close', (code) =>
      resolve({
        code,
        text: String(Buffer.concat(parts.text)),
        errorText: String(Buffer.concat(parts.errorText)),
      }),
    );
  });
