// The one way of links to the clipboard: from no door is a link copied before its host is trusted.
import { AppError } from '../../contract/errors.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { LinkedFile, LinkForm, LinkText } from '../../contract/text/link-text.ts';
import type { CopyResult, GivenGroup, LinkFault } from '../../contract/window.ts';
import type { createCopy } from './clipboard.ts';

type Wanted = { uploadIds: readonly number[]; fileIds: readonly FileId[]; as?: LinkForm | undefined };

export type CopyLinks = {
  /** Without a press: a link with a fault is not copied. Throws what the clipboard throws. */
  byItself(uploadIds: readonly number[]): Promise<GivenGroup['copy']>;
  /** The user wants these. Throws `not-found`, `unusable-answer`, `aborted` if a host is not trusted, and the same. */
  pressed(wanted: Wanted): Promise<CopyResult>;
  /** Asks about the new hosts of these links. Throws as `pressed` does. */
  demandTrust(links: readonly string[]): Promise<void>;
};

export const createCopyLinks = (parts: {
  links: (uploadIds: readonly number[], fileIds: readonly FileId[]) => readonly LinkedFile[];
  fault: (link: string) => LinkFault | null;
  copy: ReturnType<typeof createCopy>;
  /** The form in which they are copied unless another is requested. */
  formOf: (uploadIds: readonly number[], fileIds: readonly FileId[]) => LinkForm;
  textOf: (links: readonly LinkedFile[], as: LinkForm) => LinkText;
  hosts: { trusted: () => readonly string[]; trust: (hosts: readonly string[]) => Promise<void> };
  /** Whether these hosts are trusted from now on; throws `aborted` for a no. `link`: the first of `count`. */
  ask: (hosts: readonly string[], link: string, count: number) => Promise<void>;
}): CopyLinks => {
  const faulty = (links: readonly string[], fault: LinkFault): string[] =>
    links.filter((link) => parts.fault(link) === fault);

  const demandTrust = async (links: readonly string[]): Promise<void> => {
    if (faulty(links, 'unusable').length > 0)
      throw new AppError('unusable-answer', 'The service answered with no usable link.');
    const strange = faulty(links, 'new-host');
    const [first] = strange;
    if (first === undefined) return;
    const hosts = [...new Set(strange.map((link) => new URL(link).host))];
    await parts.ask(hosts, first, strange.length);
    await parts.hosts.trust([...parts.hosts.trusted(), ...hosts]);
  };

  return {
    demandTrust,
    async byItself(uploadIds) {
      const found = parts.links(uploadIds, []);
      if (found.length === 0) return 'off';
      const links = found.map(({ link }) => link);
      for (const fault of ['unusable', 'new-host', 'not-encrypted'] as const) {
        const [link] = faulty(links, fault);
        if (link !== undefined) return { fault, address: link };
      }
      const text = parts.textOf(found, parts.formOf(uploadIds, []));
      return (await parts.copy(text, uploadIds)).sure ? 'done' : 'unsure';
    },
    async pressed({ uploadIds, fileIds, as = parts.formOf(uploadIds, fileIds) }) {
      const asked = new Set(parts.links(uploadIds, fileIds).map(({ link }) => link));
      await demandTrust([...asked]);
      // While the user was asked, one may have been taken back, and another may have come.
      const found = parts.links(uploadIds, fileIds).filter(({ link }) => asked.has(link));
      if (found.length === 0) throw new AppError('not-found', 'There is no link to copy.');
      return { count: found.length, ...(await parts.copy(parts.textOf(found, as), uploadIds)) };
    },
  };
};
