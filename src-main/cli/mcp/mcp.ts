// `mcp`: a server of the Model Context Protocol on standard input and output, for one client. It ends with its client.
import { serve } from './server.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { stayLeanForHours } from '../stay-lean.ts';

export const mcp = async (session: Session): Promise<ExitCode> => {
  stayLeanForHours();
  return (await serve(session)) === 'too-long' ? exitCodes.wrongUse : exitCodes.done;
};
