// A quarter of what the upload of a small file takes is the start of the thread that searches texts and the loading of what carries
// requests. Both begin while the file is recorded and it is asked who still writes it.
import { headBytes, kindOf } from '../../engine/inspect/content.ts';
import type { Composed } from '../session.ts';

/** The first file stands for all. Whatever is wrong with it is told when its turn comes. */
export const expectUpload = async (
  { files, settings, expectText }: Composed,
  [first]: readonly string[],
): Promise<void> => {
  const isText = async (path: string): Promise<boolean> => {
    const file = await files.open(path, null);
    try {
      return kindOf(await file.head(headBytes)) === 'text';
    } finally {
      await file.close();
    }
  };
  const looks = first !== undefined && settings.current().lookInside;
  if (looks && (await isText(first).catch(() => false))) expectText();
  // The first request says what is wrong with it.
  await import('../../adapters/api/exchange.ts').catch(() => undefined);
};
