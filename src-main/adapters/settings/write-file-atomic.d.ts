// The package carries no types; this is the part that is used.
declare module 'write-file-atomic' {
  /** Writes beside the file, syncs, renames. Calls for one file queue up. Without a mode the file keeps its own. */
  export default function writeFileAtomic(
    file: string,
    text: string,
    options: { mode?: number; encoding?: BufferEncoding },
  ): Promise<void>;
}
