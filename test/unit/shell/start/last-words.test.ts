// What a start that failed prints at the terminal it was started from.
import { expect, test, vi } from 'vitest';

const parts = vi.hoisted(() => ({
  app: { getPreferredSystemLanguages: () => ['en'], exit: () => undefined },
  dialog: { showErrorBox: () => undefined },
}));
vi.mock('electron', () => parts);
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { tellAndExit } = await import('../../../../src-main/shell/start/last-words.ts');
const { AppError } = await import('../../../../src-main/contract/errors.ts');

const hostile = 'a\u009b2Jb\u001b[2Jc\u202ed\u007f';

test.each([
  ['known', new AppError('disk', `The folder ${hostile} cannot be read.`)],
  ['of our own', new Error(hostile)],
  ['that is no error', hostile],
])('a fault %s acts on no terminal', (_name, fault) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  tellAndExit(fault);
  const said = print.mock.calls.join('\n');
  print.mockRestore();
  expect(said).toContain('2J');
  expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}]/u);
});
