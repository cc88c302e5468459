// Reads the checks from their page, resources/docs/design/first-run.md: the only place where they are described.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type Check = {
  /** Checks of one subject share its number. */
  number: number;
  subject: string;
  /** The function of acts.ts that makes it; null: a person does. */
  act: string | null;
  /** The stand-in for Electron has nothing to check. */
  isOnlyReal: boolean;
  /** Null: all. */
  system: string | null;
  how: string;
  right: string;
};

const file = path.resolve(import.meta.dirname, '../../resources/docs/design/first-run.md');
const form =
  /^- (?:`(?<act>\w+)`(?<real> with the real Electron)?|By a person(?: on (?<system>\w+))?): (?<how>.*?) _(?<right>.*)_$/;

/** In the order of the page. Throws for a line of another form. */
export const readChecks = (text = readFileSync(file, 'utf8')): Check[] =>
  text
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.replaceAll(/\n(?![-\n])(?! *\n)|\n(?=--)/g, ' ').split('\n');
      const [, number, subject = ''] = /^(\d+)\. (.*)$/.exec(heading) ?? [];
      return lines
        .map((line) => line.replaceAll(/ +/g, ' ').trim())
        .filter((line) => line !== '')
        .map((line): Check => {
          const { act = null, real, system = null, how = '', right = '' } = form.exec(line)?.groups ?? {};
          if (number === undefined || how === '')
            throw new Error(`No check of the first run: ${heading}: ${line}`);
          return { number: Number(number), subject, act, isOnlyReal: real !== undefined, system, how, right };
        });
    });
