// The name that a person gives to a zip. Pure.

export type ZipNameProblem = 'empty' | 'folder' | 'too-long';

/** The longest name that a file system takes. */
const mostNameBytes = 255;

/** With its extension, where that is missing. */
export const zipFileName = (
  given: string,
): { ok: true; name: string } | { ok: false; problem: ZipNameProblem } => {
  const bare = given.trim();
  const name = /\.zip$/i.test(bare) ? bare : `${bare}.zip`;
  if (/^\.zip$/i.test(name)) return { ok: false, problem: 'empty' };
  if (/[/\\]/.test(name)) return { ok: false, problem: 'folder' };
  if (new TextEncoder().encode(name).length > mostNameBytes) return { ok: false, problem: 'too-long' };
  return { ok: true, name };
};
