// What is wrong with an ignore pattern: one function for the rules that compile it and for the field in which it is
// typed.

export type PatternFault = 'lines' | 'nothing' | 'backslash' | 'bracket';

/** Of one that is written; a folder has longer ones of its own. */
export const mostInPattern = 500;

/** Null: nothing. Blank lines and comments are allowed and match nothing. */
export const patternFault = (pattern: string): PatternFault | null => {
  if (/[\0\r\n]/.test(pattern)) return 'lines';
  if (pattern.startsWith('#') || pattern.trim() === '') return null;
  const body = pattern.replace(/^!/, '').replace(/(?<!\\) +$/, '');
  if (body === '' || body === '/') return 'nothing';
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(body)) return 'backslash';
  return hasOpenBracket(body) ? 'bracket' : null;
};

/** Reads as git does: the first member of a bracket, after `!` or `^`, may be any character, `]` too. */
const hasOpenBracket = (body: string): boolean => {
  const escaped = /\\[^]/.source;
  const named = /\[:[a-z]*:\]/.source;
  const bracket = `\\[(?:[!^]|(?![!^]))(?:${escaped}|${named}|[^])(?:${escaped}|${named}|[^\\]\\\\])*\\]`;
  return body.replace(new RegExp(`${escaped}|${bracket}`, 'g'), '').includes('[');
};
