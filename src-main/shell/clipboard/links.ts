// Copies links, in the form of the settings or of their folder.
import { clipboard } from 'electron';
import { linkText, type LinkedFile, type LinkForm, type LinkText } from '../../contract/text/link-text.ts';
import type { GivenGroup } from '../../contract/window.ts';
import type { AppContext } from '../app-context.ts';
import { createRulesInForce } from '../rules-in-force.ts';
import type { Surface } from '../window/surface.ts';
import { createCopy, withMemory, writeClipboard } from './clipboard.ts';

export type Links = ReturnType<typeof createLinks>;

export const createLinks = (
  { settings, look, isSaneLink }: Pick<AppContext, 'settings' | 'look' | 'isSaneLink'>,
  { speech, hasFocus }: Pick<Surface, 'speech' | 'hasFocus'>,
) => {
  const board = withMemory(writeClipboard, clipboard, process.platform);
  const copy = createCopy({ settings, hasFocus, write: board.write });
  const inForce = createRulesInForce({ settings: () => settings.current(), rules: look.rules });
  const textOf = (links: readonly LinkedFile[], as: LinkForm): LinkText =>
    linkText(links, as, { template: settings.current().copyTemplate, locale: speech().locale });
  return {
    board,
    copy,
    inForce,
    textOf,
    /** Only if all of them lead to a known host. */
    async copyOf(uploadIds: readonly number[]): Promise<GivenGroup['copy']> {
      const links = look.links(uploadIds, []);
      if (links.length === 0) return 'off';
      if (!links.every(({ link }) => isSaneLink(link))) return 'new-host';
      return (await copy(textOf(links, inForce.copyFormat(uploadIds)))).sure ? 'done' : 'unsure';
    },
  };
};
