// `paste` uploads the content of the clipboard: files by their paths, an image or a text as a new file in the folder
// `pasted/` of the data folder. Such a file is removed once its upload has ended: here, or when the app starts next.
import { constants, copyFile, link, readFile, rm, stat } from 'node:fs/promises';
import { readClipboard } from '../../adapters/clipboard/read.ts';
import { createPasted } from '../../adapters/spool/pasted.ts';
import { systemCode } from '../../adapters/system-code.ts';
import { openHomeInTime } from '../../compose.ts';
import { AppError } from '../../contract/errors.ts';
import { linkForms } from '../../contract/text/link-text.ts';
import { requireNoRoots } from '../../contract/rights.ts';
import { linkedFileOf } from '../../engine/shared/same-content.ts';
import type { ExitCode } from '../exit-codes.ts';
import { unlessInterrupted, within, type Session } from '../session.ts';
import { formFrom, inForm } from '../uploads/link-forms.ts';
import type { UploadFlags } from '../uploads/job.ts';
import { upload } from './upload.ts';

export const paste = async (session: Session, flags: UploadFlags): Promise<ExitCode> => {
  const pasted = createPasted((await openHomeInTime(session.options.home, session.env)).folder);
  const draft = await pasted.draft();
  const drop = async (error: unknown): Promise<never> => {
    await rm(draft, { force: true });
    throw error;
  };
  const found = await unlessInterrupted(session, () => readClipboard(draft, session.env)).catch(drop);
  if (found === null || (found.kind === 'content' && (await isOwnLinks(session, draft, flags)))) {
    await rm(draft, { force: true });
    const message = 'There is nothing on the clipboard that can be uploaded.';
    throw new AppError('not-found', message, 'Copy files, an image or a text first.');
  }
  if (found.kind === 'content')
    await within(session, { kind: 'guest' }, ({ settings }) => {
      requireNoRoots(settings.current());
      return Promise.resolve();
    }).catch(drop);
  if (found.kind === 'files' && found.elsewhere > 0) session.output.trouble(leftOut(found.elsewhere));
  const own =
    found.kind === 'content'
      ? [await pasted.keep(found.ending, (file) => moveTo(file, draft)).catch(drop)]
      : [];
  const paths = found.kind === 'files' ? found.paths : own;
  try {
    return await upload(session, paths, { ...flags, door: 'clipboard' });
  } finally {
    await within(session, { kind: 'guest' }, ({ ledger }) => pasted.tidy(ledger.uploads, own));
  }
};

const leftOut = (count: number): string =>
  count === 1
    ? '1 copied file is left out: it is in a network place, on a device or in the trash.'
    : `${count} copied files are left out: they are in a network place, on a device or in the trash.`;

/** A second `paste --copy` must not upload the links of the first: the text is nothing but these, in any form. */
const isOwnLinks = async (session: Session, draft: string, { format }: UploadFlags): Promise<boolean> => {
  if ((await stat(draft)).size > mostLinkBytes) return false;
  const lines = linesOf(await readFile(draft, 'utf8'));
  if (lines.length > mostLinkLines) return false;
  return await within(session, { kind: 'guest' }, ({ ledger, settings }) => {
    const now = settings.current();
    const asked = formFrom(format, settings);
    const known = linkForms.map((form) => ({ form, template: now.copyTemplate }));
    const forms = asked === null ? known : [...known, asked];
    const links = ledger.views
      .newestLinks(lines.length + linksSince)
      .flatMap((row) => linkedFileOf(ledger.uploads, row) ?? [])
      .flatMap((file) => forms.map((form) => linesOf(inForm([file], form))));
    return Promise.resolve(isMadeOf(lines, links));
  });
};
const mostLinkBytes = 4 * 1024 * 1024;
const mostLinkLines = 10_000;
/** Files that others uploaded between the two presses. */
const linksSince = 50;

/** Programs change the ends of lines, and drop empty ones at the end. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A template may give a link several lines. */
const isMadeOf = (lines: readonly string[], links: readonly string[][]): boolean => {
  const known = new Set(links.map((one) => one.join('\n')));
  const lengths = [...new Set(links.map((one) => one.length))].toSorted((a, b) => b - a);
  let at = 0;
  while (at < lines.length) {
    const length = lengths.find((one) => known.has(lines.slice(at, at + one).join('\n')));
    if (length === undefined || length === 0) return false;
    at += length;
  }
  return lines.length > 0;
};

/** Never to the place of another file. */
const moveTo = async (file: string, draft: string): Promise<void> => {
  // Not every drive has hard links.
  await link(draft, file).catch(async (error: unknown) => {
    if (systemCode(error) === 'EEXIST') throw error;
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  });
  await rm(draft, { force: true });
};
