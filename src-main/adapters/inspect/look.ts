// Searches contents. Each message is a content, each answer what was found in it: the first secret, with its rule and
// its line, never the text.
import { parentPort } from 'node:worker_threads';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding } from '../../contract/model.ts';
import type { Content } from '../../engine/ports/files.ts';
import { decode } from './decode.ts';
import { plainOf } from './secrets/plain.ts';
import { findMore } from './secrets/search.ts';

// The profiler keeps a record of every rule on every text for as long as the thread runs.
secretLintProfiler.setEnabled(false);

const config = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rule: creator,
      // A comment in the file must not switch rules off: it is no decision of the user.
      rules: [{ id: '@secretlint/secretlint-rule-filter-comments', disabled: true }],
    },
  ],
};

/** It reports every `user:pass@` of a manual; secrets/addresses.ts replaces it. */
const replaced = 'basicauth';

/** A text is searched in pieces, because the rules take long over many findings, and the first one is enough. */
const pieceLetters = 128 * 1024;
/** Longer than a private key, so that none is cut in every piece. */
const overlapLetters = 16 * 1024;

/** Searches the text as it is, and the text without its markup. */
const secretIn = async (bytes: Uint8Array): Promise<Finding | null> => {
  const text = decode(bytes);
  const found = await secretInText(text);
  if (found !== null) return found;
  const plain = plainOf(text);
  return plain === null ? null : secretInText(plain);
};

const secretInText = async (text: string): Promise<Finding | null> => {
  let [from, linesBefore] = [0, 0];
  for (;;) {
    const end = from + pieceLetters;
    const found = await firstIn(text.slice(from, end));
    if (found !== null) return { kind: 'secret', ...found, line: linesBefore + found.line };
    if (end >= text.length) return null;
    const lineAt = text.indexOf('\n', end - overlapLetters) + 1;
    const next = lineAt > 0 && lineAt < end ? lineAt : end - overlapLetters;
    linesBefore += linesIn(text.slice(from, next));
    from = next;
  }
};

const firstIn = async (content: string): Promise<{ rule: string; line: number } | null> => {
  const { messages } = await lintSource({
    source: { filePath: '/text', content, ext: '', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  });
  const found = messages
    .filter(({ range: [from, to] }) => !isFilled(content.slice(from, to)))
    .map(({ ruleId, loc }) => ({
      rule: ruleId.replace('@secretlint/secretlint-rule-', ''),
      line: loc.start.line,
    }))
    .filter(({ rule }) => rule !== replaced);
  return [...found, ...findMore(content)].sort((one, other) => one.line - other.line)[0] ?? null;
};

/** A placeholder of a manual: `ghp_xxxxxxxxxxxx`. Keys in armour have such runs, too, but are longer. */
const isFilled = (match: string): boolean => match.length <= 120 && /([xX*0.])\1{9,}/.test(match);

const linesIn = (text: string): number => text.split('\n').length - 1;

const look = async ({ bytes }: Content): Promise<readonly Finding[]> => {
  const secret = await secretIn(bytes);
  return secret === null ? [] : [secret];
};

parentPort?.on('message', (content: Content) => {
  void look(content).then(
    (findings) => parentPort?.postMessage(findings),
    () => process.exit(1),
  );
});
