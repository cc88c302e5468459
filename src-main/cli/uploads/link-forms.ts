// How links leave the command: in which form, and to the clipboard.
import { writeText } from '../../adapters/clipboard/write-text.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { linkForms, linkText, type LinkedFile, type LinkForm } from '../../contract/text/link-text.ts';
import { checkSetting, type Settings } from '../../contract/settings.ts';
import type { Composed, Session } from '../session.ts';
import { troubleText } from '../output/typed.ts';

export type LinkFlags = { copy?: boolean; format?: string };

export type Form = { form: LinkForm; template: string };

/** What `--format` asks for; null: nothing. Throws `bad-use`, and `bad-setting` where a policy has set the form. */
export const formFrom = (
  text: string | undefined,
  settings: {
    current(): Pick<Settings, 'copyTemplate'>;
    isLocked(name: 'copyFormat' | 'copyTemplate'): boolean;
  },
): Form | null => {
  if (text === undefined) return null;
  if (settings.isLocked('copyFormat')) throw locked('copyFormat');
  const { copyTemplate } = settings.current();
  const form = linkForms.find((one) => one === text);
  if (form !== undefined) return { form, template: copyTemplate };
  if (settings.isLocked('copyTemplate')) throw locked('copyTemplate');
  if (checkSetting('copyTemplate', text).ok) return { form: 'template', template: text };
  throw new AppError(
    'bad-use',
    `--format takes ${linkForms.join(', ')}, or a text with {link} in it.`,
    "For example `--format '{name} ({size}): {link}'`.",
  );
};

const locked = (name: string): AppError =>
  new AppError(
    'bad-setting',
    `${name} is locked by a policy.`,
    'Leave out --format, or ask your administrator.',
  );

export const inForm = (files: readonly LinkedFile[], { form, template }: Form): string =>
  linkText(files, form, { template, locale: 'en' }).text;

/** Whether no link is missing on the clipboard. The links are printed in any case. */
export const copyLinks = async (
  { output, env }: Session,
  { clock, settings }: Composed,
  files: readonly LinkedFile[],
  asked: Form | null,
): Promise<boolean> => {
  const { copyFormat, copyTemplate } = settings.current();
  const text = inForm(files, asked ?? { form: copyFormat, template: copyTemplate });
  const head = { event: 'copied', at: new Date(clock.wallMs()).toISOString(), path: null };
  const links = files.length;
  if (links === 0) {
    output.object({ ...head, links, ok: false, message: 'There is no link to copy.', remedy: '' });
    output.note('There is no link to copy.');
    return true;
  }
  try {
    await writeText(text, env);
    output.object({ ...head, links, ok: true });
    output.note(links === 1 ? 'The link is copied.' : `${links} links are copied.`);
    return true;
  } catch (error) {
    const { message, remedy } = toAppError(error);
    output.object({ ...head, links, ok: false, message, remedy });
    output.trouble(`Not copied. ${troubleText({ message, remedy })}`);
    return false;
  }
};
