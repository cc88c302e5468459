// How a start that failed, or a fault that was not expected, ends.
import { inspect } from 'node:util';
import { app, dialog } from 'electron';
import { toAppError } from '../../contract/errors.ts';
import { printableLines } from '../../contract/text/printable.ts';
import { problemText } from '../../contract/text/problem-text.ts';
import { withoutTokens } from '../../contract/text/tokens.ts';
import { plainWords } from '../../contract/text/wording.ts';
import { createSpeech } from '../texts.ts';

/** The last message of a start that failed, or of a fault that was not expected. */
export const tellAndExit = (error: unknown): void => {
  const known = toAppError(error);
  // The settings may not be loaded, so the language is the system's.
  const speech = createSpeech('system', app.getPreferredSystemLanguages());
  const exactText = [known.message, plainWords(known.remedy)].filter((part) => part !== '').join(' ');
  const exact = speech.language === 'en' ? [] : [exactText];
  // For a user who started the app from a terminal; the dialog may never be seen there.
  console.error(printableLines(known.code === 'internal' ? withoutTokens(inspect(error)) : exactText));
  dialog.showErrorBox('Outtray', [problemText(speech, known), ...exact].join('\n\n'));
  app.exit(1);
};
