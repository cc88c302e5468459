// Every row of the catalogue of errors, at every door by which an error leaves the program.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtPapers } from '../../resources/build/papers/papers.ts';
import { exitCodeOf, exitCodes } from '../../src-main/cli/exit-codes.ts';
import { errorOf } from '../../src-main/cli/mcp/results.ts';
import { errorRows } from '../../src-main/contract/catalogue/errors.ts';
import { actionFor, AppError, fromWire, isErrorCode, toWire } from '../../src-main/contract/errors.ts';
import { locales } from '../../src-main/contract/locales/all.ts';
import { problemText } from '../../src-main/contract/text/problem-text.ts';
import { languages } from '../../src-main/contract/text/speech.ts';
import { createSpeech } from '../../src-main/shell/texts.ts';
import { call, wording } from '../../src-main/contract/text/wording.ts';

const codes = Object.keys(errorRows).filter(isErrorCode);
const remedy = wording`Run ${call('login', '--base-url=…')}.`;
const man = (await builtPapers())['outtray.1'] ?? '';
const guide = readFileSync(path.resolve(import.meta.dirname, '../../resources/docs/command.md'), 'utf8');

describe.each(codes)('%s', (code) => {
  test('crosses a process border', () => {
    const there = fromWire(toWire(new AppError(code, 'A fault.', remedy)));
    expect(there).toMatchObject({ code, message: 'A fault.', remedy });
    expect(actionFor(there.code)).toBe(errorRows[code].asks);
  });

  test('ends the command with a code that guide and manual explain', () => {
    const exit = exitCodeOf(code);
    expect(exit).toBe(exitCodes[errorRows[code].exit]);
    expect(guide).toMatch(new RegExp(`^\\| ${exit} +\\| \\w`, 'm'));
    expect(man).toContain(`.B ${exit}\n`);
  });

  test.each(languages)(
    'is shown in the window in %s, with a remedy of its own instead of a call',
    (language) => {
      const speech = { ...createSpeech(language, []), platform: 'linux' } as const;
      const words = locales[language];
      const said = problemText(speech, new AppError(code, 'A fault.', remedy));
      expect(said).toContain(words[`remedy.${code}`]);
      expect(said).toContain(language === 'en' ? 'A fault.' : words[`error.${code}`]);
      expect(said).not.toMatch(/`|--/);
    },
  );

  test('advises an agent nothing that only a terminal can do', () => {
    const told = errorOf(new AppError(code, 'A fault.', remedy));
    expect(told.code).toBe(code);
    expect(told.remedy).not.toMatch(/`|--/);
  });
});
