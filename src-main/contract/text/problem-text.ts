// What went wrong and what can be done, in the reader's language, for window and dialogs. The engine's own sentences
// are the most exact, but English: other languages choose their words by the error's code or by the check's name. The
// command keeps the engine's. A sentence without words in a language is shown in the engine's words.
import type { Check, KeyState } from '../answers.ts';
import { isErrorCode } from '../errors.ts';
import type { Speech } from './speech.ts';
import { plainWords, type Wording } from './wording.ts';
import { isWordKey, type WordKey } from '../locales/words.ts';

export type Problem = { code: string; message: string; remedy: Wording };

/** `exact`: the engine's own sentence beside a translated one, where it may be more precise; else null. */
export type CheckText = { label: string; text: string; exact: string | null };

export const problemText = (speech: Speech, problem: Problem): string =>
  sentences(speech, [
    speech.language === 'en' || !isErrorCode(problem.code)
      ? problem.message
      : speech.say(`error.${problem.code}`),
    remedyText(speech, problem),
  ]);

export const remedyText = (speech: Speech, { code, remedy }: Omit<Problem, 'message'>): string =>
  isErrorCode(code) && (speech.language !== 'en' || typeof remedy !== 'string')
    ? speech.say(onThisSystem(speech, `remedy.${code}`))
    : plainWords(remedy);

/** The text for the reader's system, where systems differ: its key ends in the system. */
const onThisSystem = ({ platform }: Speech, key: WordKey): WordKey => {
  const own = `${key}.${platform}`;
  return isWordKey(own) ? own : key;
};

/** What can be done about a key that the keychain does not keep; empty when there is no remedy. */
export const keyRemedy = (speech: Speech, key: KeyState): string =>
  'remedy' in key
    ? remedyText(speech, {
        code: key.kind === 'locked' ? 'keychain-locked' : 'keychain-unavailable',
        remedy: key.remedy,
      })
    : '';

export const checkText = (speech: Speech, check: Check): CheckText => {
  const { name, ok, code, message, remedy } = check;
  const word = (part: string): string | null => {
    const key = `check.${name}${part}`;
    return isWordKey(key) ? speech.say(key) : null;
  };
  const label = word('') ?? name;
  const ownRemedy = remedy === '' ? '' : (word('.remedy') ?? plainWords(remedy));
  if (speech.language === 'en') {
    const shown = typeof remedy !== 'string' && code === undefined ? ownRemedy : '';
    return {
      label,
      text: sentences(speech, [message, shown || remedyText(speech, { code: code ?? '', remedy })]),
      exact: null,
    };
  }
  if (code !== undefined) {
    return { label, text: problemText(speech, { code, message, remedy }), exact: message };
  }
  const outcome = ok === null ? 'unknown' : ok ? 'ok' : 'bad';
  const sentence = word(`.${outcome}`);
  // Without words for this check, only the outcome is translated, and the engine's sentence is shown beside it.
  return sentence === null
    ? {
        label,
        text: speech.say(`settings.doctor.${outcome}`),
        exact: sentences(speech, [message, plainWords(remedy)]),
      }
    : { label, text: sentences(speech, [sentence, ownRemedy]), exact: ok === false ? message : null };
};

/** A Chinese sentence ends in a character that includes its own space. */
const sentences = ({ language }: Speech, parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(language === 'zh' ? '' : ' ');
