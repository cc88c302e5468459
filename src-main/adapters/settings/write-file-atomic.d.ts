// The package carries no types; this is the part that is used.
declare module 'write-file-atomic' {
  /** Writes beside the file, syncs, renames. Calls for one file queue up. */
  export default function writeFileAtomic(
    file: string,
    text: string,
    options: { mode: number },
  ): Promise<void>;
}
