// The command's table for the papers made from it.
import { commandTable } from '../../../src-main/cli/program.ts';
import { tableOf, type CommandRow } from '../../../src-main/cli/completion/command-table.ts';

export const readTable = (): CommandRow => tableOf(commandTable());
