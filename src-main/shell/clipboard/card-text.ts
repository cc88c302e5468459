// A release card for the clipboard: every form as plain source text.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Client } from '../../contract/client.ts';
import { fromWire } from '../../contract/errors.ts';
import { cardText, type CardFile, type CardForm } from '../../contract/text/card.ts';
import type { LinkText } from '../../contract/text/link-text.ts';

/** Throws what the first file without a card lacks: a card that lacks a file would mislead. */
export const createCardOf =
  (client: Pick<Client, 'call'>, demandTrust: (links: readonly string[]) => Promise<void>) =>
  async (fileIds: readonly FileId[], form: CardForm): Promise<LinkText> => {
    const read = async (): Promise<CardFile[]> => {
      const results = await client.call('files.card', { files: fileIds.map((fileId) => ({ fileId })) });
      const [first] = results.flatMap(({ error }) => error ?? []);
      if (first !== undefined) throw fromWire(first);
      return results.flatMap(({ card }) => card ?? []);
    };
    await demandTrust((await read()).map(({ publicLink }) => publicLink));
    // One may have been taken back while the user was asked.
    const files = await read();
    // A card is for readers anywhere, so its sizes and sentences are English.
    return { text: cardText(files, form, 'en') };
  };
