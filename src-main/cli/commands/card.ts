// `card FILE…` prints a release card, complete or not at all: a card that lacks a file would mislead.
import { fromWire } from '../../contract/errors.ts';
import { cardRows, cardText, type CardForm } from '../../contract/text/card.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { namedFrom } from '../named-files.ts';
import { within, type Session } from '../session.ts';

export const card = (session: Session, given: readonly string[], form: CardForm): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const { output } = session;
    const results = await client.call('files.card', { files: given.map((one) => namedFrom(session, one)) });
    const [first] = results.flatMap(({ error }) => error ?? []);
    if (first !== undefined) throw fromWire(first);
    const files = results.flatMap((result) => result.card ?? []);
    if (form === 'json') for (const row of cardRows(files)) output.object(row);
    else output.object({ format: form, card: cardText(files, form, 'en') });
    output.formed(cardText(files, form, 'en'));
    return exitCodes.done;
  });
