// The disk of a walk: the fake one, and beside it an independent record of where every content really is. Texts are
// bytes as Latin-1.
import type { FakeDisk } from '../fake-folder.ts';

type Content = { text: string };

export type Tree = ReturnType<typeof createTree>;

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

export const createTree = (disk: FakeDisk) => {
  const files = new Map<string, Content>();
  const links = new Map<string, string>();
  let moved = 0;

  /** The real path, all links followed, also one in the last place. */
  const real = (path: string): string => {
    let now = path;
    for (let steps = 0; steps < 20; steps += 1) {
      const link = [...links.keys()].find((one) => now === one || now.startsWith(`${one}/`));
      if (link === undefined) return now;
      now = (links.get(link) ?? '') + now.slice(link.length);
    }
    return now;
  };
  const isLink = (path: string): boolean => links.has(path);
  const move = (folder: string, to: string): void => {
    for (const [path, content] of [...files]) {
      if (!path.startsWith(`${folder}/`)) continue;
      files.delete(path);
      files.set(to + path.slice(folder.length), content);
    }
    disk.rename(folder, to);
  };

  return {
    real,
    isLink,
    /** A folder and all in it, elsewhere. */
    move,
    isThere: (path: string): boolean => files.has(path),
    paths: (): string[] => [...files.keys()],
    text: (path: string): string | null => files.get(real(path))?.text ?? null,
    marks: (): string[] => [...files.values()].flatMap(({ text }) => /#\d+#/.exec(text) ?? []),
    /** The real paths of the file that a path leads to, or of all files in that folder. */
    below(path: string): string[] {
      const at = real(path);
      return [...files.keys()].filter((one) => one === at || one.startsWith(`${at}/`));
    },
    /** Real paths of the files that have this mark. */
    holders: (mark: string): string[] =>
      [...files].filter(([, { text }]) => text.includes(mark)).map(([path]) => path),
    write(path: string, text: string): void {
      const at = real(path);
      const known = files.get(at);
      if (known === undefined) files.set(at, { text });
      else known.text = text;
      disk.write(at, bytesOf(text));
    },
    replace(path: string, text: string): void {
      files.set(real(path), { text });
      disk.replace(real(path), bytesOf(text));
    },
    rename(from: string, into: string): void {
      const to = real(into);
      const content = files.get(from);
      if (content === undefined || isLink(from)) return;
      files.delete(from);
      files.set(to, content);
      disk.rename(from, to);
    },
    hardLink(from: string, into: string): void {
      const to = real(into);
      const content = files.get(from);
      if (content === undefined) return;
      files.set(to, content);
      disk.hardLink(from, to);
    },
    touch: (path: string): void => disk.touch(path),
    chmod: (path: string): void => disk.chmod(path),
    remove(path: string): void {
      files.delete(path);
      disk.remove(path);
    },
    /** Another place for all files of a folder, and a link where it was. */
    swap(folder: string, target: string): void {
      move(folder, `/away/${String((moved += 1))}`);
      links.set(folder, target);
      disk.swap(folder, target);
    },
    /** A link to a file or folder. */
    link(path: string, target: string): void {
      if (files.has(path)) return;
      links.set(path, target);
      disk.swap(path, target);
    },
  };
};
