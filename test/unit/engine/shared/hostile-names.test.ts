// Names of any bytes, as they are sent: 4,000 of them, and 20,000 with OUTTRAY_FULL=1.
import { expect, test } from 'vitest';
import { createPart } from '../../../../src-main/adapters/api/multipart.ts';
import { fromSystemName, toSystemPath } from '../../../../src-main/adapters/files/paths.ts';
import { nameToSend } from '../../../../src-main/engine/shared/sent-name.ts';
import { hostileName, problemOfSent } from '../../../support/hostile/names.ts';
import { createDice } from '../../../support/simulation/dice.ts';

const count = process.env['OUTTRAY_FULL'] === '1' ? 20_000 : 4000;

test(`${count} names of any bytes each have a string of their own, and are sent by the rules in a valid multipart part`, () => {
  const dice = createDice(20_000);
  const strings = new Map<string, string>();
  const problems: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const bytes = hostileName(dice);
    const hex = bytes.toString('hex');
    const note = (problem: string): void => void problems.push(`${hex}: ${problem}`);
    const name = fromSystemName(bytes);
    const other = strings.get(name);
    if (other !== undefined && other !== hex) note(`the same string as ${other}`);
    strings.set(name, hex);
    if (Buffer.from(toSystemPath(`/${name}`)).toString('hex') !== `2f${hex}`) note('does not come back');
    const sent = nameToSend(name);
    const problem = problemOfSent(sent);
    if (problem !== null) note(`${problem} in ${JSON.stringify(sent)}`);
    if (nameToSend(sent) !== sent) note('is another name when sent again');
    const head = createPart(sent, 1).head.toString();
    if (head.split('\r\n').length !== 5 || !head.includes(`; filename="${sent}"\r\n`))
      note('breaks the head');
  }
  expect(problems.slice(0, 20)).toEqual([]);
});
