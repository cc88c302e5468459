// What is known about the link of a file that was deleted at the service.

/** The last look at the link: a status, the file, or other bytes than were sent; or why no answer came. */
export type LinkLook = { answer: number | 'file' | 'other-bytes' } | { noAnswer: string };

/** `dead`: it no longer serves the file. `not-proven`: at the last look no answer came. */
export type LinkState = 'dead' | 'answers' | 'not-proven';

/** A row of an earlier version has no look: nothing is known about its link. */
export const linkStateOf = ({ dead, look }: { dead: boolean; look?: LinkLook | undefined }): LinkState =>
  dead ? 'dead' : look !== undefined && 'answer' in look ? 'answers' : 'not-proven';
