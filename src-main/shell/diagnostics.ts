// The diagnostic bundle in the window: shown before it is saved, and saved exactly as shown.
import { AppError } from '../contract/errors.ts';
import type { UserTexts } from './app-context.ts';

export type Diagnostics = {
  make(): Promise<string>;
  /** Saves what was last shown; null when the user chose no place. */
  save(): Promise<string | null>;
};

export const createDiagnostics = (options: {
  diagnose: () => Promise<string>;
  choosePlace: (name: string) => Promise<string | null>;
  texts: Pick<UserTexts, 'create'>;
}): Diagnostics => {
  let shown: string | null = null;
  const make = async (): Promise<string> => {
    shown = await options.diagnose();
    return shown;
  };
  return {
    make,
    async save() {
      const text = shown ?? (await make());
      const place = await options.choosePlace('outtray-diagnostics.txt');
      if (place === null) return null;
      try {
        await save(options.texts, place, text);
      } catch (cause) {
        throw new AppError('disk', `${place} cannot be written.`, 'Choose another place.', { cause });
      }
      return place;
    },
  };
};

/** The dialog has asked whether a file that is there may be replaced. */
const save = async (texts: Pick<UserTexts, 'create'>, place: string, text: string): Promise<void> => {
  const file = await texts.create(place, true);
  try {
    await file.write(text);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
};
