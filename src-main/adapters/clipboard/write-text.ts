// Copies text to the clipboard through the system's own programs. The text goes through a pipe, never through a shell
// or an argument.
import { startChild } from '../programs/run-program.ts';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { findProgram } from '../system/programs.ts';
import { inSession, noDisplay, noTool } from './problems.ts';
import { textWriters, type Tool } from './tools.ts';

const limitMs = 10_000;

/** Throws `bad-use` with the reason and the remedy. */
export const writeText = async (
  text: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<void> => {
  const tools = textWriters(platform, env);
  if (tools.length === 0) throw noDisplay();
  let fault: string | null = null;
  for (const tool of tools) {
    const end = await give(tool, text, env, platform);
    if (end === 'done') return;
    if (end !== 'missing') fault = end;
  }
  throw fault === null ? noTool(tools) : new AppError('bad-use', fault, inSession);
};

/** `missing`: there is no such program; any other text: what went wrong. */
const give = (tool: Tool, text: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string> =>
  new Promise((resolve) => {
    const program = findProgram(tool.program, env, platform);
    if (program === null) {
      resolve('missing');
      return;
    }
    const child = startChild(program, tool.args, {
      cwd: path.dirname(program),
      // No pipes for its output: on Linux the program keeps running to serve the clipboard, and would keep them open.
      stdio: ['pipe', 'ignore', 'ignore'],
      // Without a locale pbcopy takes the text for Mac Roman.
      env: { ...env, ...(platform === 'darwin' ? { LC_CTYPE: 'UTF-8' } : {}) },
      windowsHide: true,
    });
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(`The clipboard did not answer: ${tool.program} took longer than ${limitMs / 1000} s.`);
    }, limitMs);
    const end = (what: string): void => {
      clearTimeout(limit);
      resolve(what);
    };
    child.once('error', (error) =>
      end('code' in error && error.code === 'ENOENT' ? 'missing' : `${tool.program}: ${error.message}`),
    );
    // Not `close`: a process that it leaves in the background may keep standard input open.
    child.once('exit', (code) =>
      end(code === 0 ? 'done' : `The clipboard cannot be reached: ${tool.program} failed.`),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
