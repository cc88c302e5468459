// Copies links, in the form of the settings or of their folder, and tells who shows it what the clipboard has.
import { app, clipboard } from 'electron';
import { linkText } from '../../contract/text/link-text.ts';
import type { AppContext } from '../app-context.ts';
import { createRulesInForce } from '../rules-in-force.ts';
import { createPageQuestions } from '../window/page-questions.ts';
import type { Surface } from '../window/surface.ts';
import {
  createCopy,
  isLoss,
  otherContent,
  withMemory,
  writeClipboard,
  type ClipboardContent,
} from './clipboard.ts';
import { createCopyLinks } from './copy-links.ts';

export type Links = ReturnType<typeof createLinks>;

export const createLinks = (
  { settings, look, linkFault }: Pick<AppContext, 'settings' | 'look' | 'linkFault'>,
  { speech, say, dialogs, hasFocus, window, popover }: Surface,
) => {
  const listeners: ((content: ClipboardContent) => void)[] = [];
  const told = (content: ClipboardContent): void => {
    for (const hear of listeners) hear(content);
    if (isLoss(content)) for (const page of [window, popover]) page?.send({ kind: 'clipboard' });
  };
  /** It has another text now. */
  const lost = (): void => told(otherContent);
  const board = withMemory(writeClipboard, clipboard, process.platform, lost);
  const copy = createCopy({ settings, hasFocus, write: board.write, told });
  const inForce = createRulesInForce({ settings: () => settings.current(), rules: look.rules });
  const questions = createPageQuestions({ ask: dialogs.confirm, say });
  // Another program may have copied something meanwhile.
  app.on('browser-window-focus', () => void board.holds(board.last().copy, 'look'));
  return {
    board: { ...board, lost },
    copy,
    inForce,
    onContent: (hear: (content: ClipboardContent) => void) => void listeners.push(hear),
    ...createCopyLinks({
      links: look.links,
      fault: linkFault,
      copy,
      formOf: inForce.copyFormat,
      textOf: (links, as) =>
        linkText(links, as, { template: settings.current().copyTemplate, locale: speech().locale }),
      hosts: {
        trusted: () => settings.current().linkHosts,
        trust: (hosts) => settings.set('linkHosts', hosts),
      },
      ask(...about) {
        window.show();
        return questions.trust(...about);
      },
    }),
  };
};
