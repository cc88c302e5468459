// Why the clipboard cannot be reached, with what to do.
import { AppError } from '../../contract/errors.ts';
import type { Tool } from './tools.ts';

export const inSession = 'Run it in your desktop session.';

export const noDisplay = (): AppError =>
  new AppError(
    'bad-use',
    'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.',
    inSession,
  );

export const noTool = (tools: readonly Pick<Tool, 'program' | 'package'>[]): AppError => {
  const names = tools.map(({ program }) => program).join(' or ');
  const packages = tools.flatMap((tool) => tool.package ?? []).join(' or ');
  return new AppError(
    'bad-use',
    `The clipboard cannot be reached: there is no ${names}.`,
    packages === '' ? 'Repair your system’s path.' : `Install the package ${packages}.`,
  );
};

export const isPrivate = (): AppError =>
  new AppError(
    'bad-use',
    'The program from which it was copied marks it as private, as password managers do: it is not read.',
    'Nothing is uploaded. To share it all the same, save it as a file and upload that.',
  );

export const notHere = (): AppError =>
  new AppError(
    'bad-use',
    'The copied files are in a network place, on a device or in the trash: they cannot be pasted from there.',
    'Put them into a folder of this computer and copy them there.',
  );
