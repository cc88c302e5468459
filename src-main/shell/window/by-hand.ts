// Calls of a page that need the user's hand: one press allows one of them, otherwise a dialog asks (page-guard.ts).
import type { FileId } from '../../contract/text/file-id.ts';
import type { HandAct, HandName, PageQuestions } from './page-questions.ts';
import type { Presses } from './presses.ts';

/** For a call about more files than these, the dialog asks even after a press. */
export const mostByPress = 20;

/** Each throws `aborted` when the user declines. `load`: one load of a page. */
type ByHand = {
  /** `names`: what it is about. */
  demand(load: object, act: HandAct, names?: readonly string[]): Promise<void>;
  /** For a whole call. `input`: as parsed by its schema. */
  demandFor(load: object, name: HandName, input: unknown): Promise<void>;
  /** Asks once for all of them: smaller calls may then delete each of them once. */
  allowDeletion(load: object, fileIds: readonly FileId[]): Promise<void>;
};

/** The inputs of these commands; `name`: of a file manager. */
type HandInput = {
  files?: { fileId: FileId }[];
  fileIds?: FileId[];
  folder?: string;
  name?: string;
};

/** `nameOf`: null: the file is not known. */
export const createByHand = (parts: {
  presses: Pick<Presses, 'take'>;
  questions: Pick<PageQuestions, 'act'>;
  nameOf: (fileId: FileId) => string | null;
}): ByHand => {
  const demand: ByHand['demand'] = async (load, act, names = []) => {
    if (!parts.presses.take(load)) await parts.questions.act(act, names);
  };
  /** What may still be deleted after a yes. */
  const allowed = new WeakMap<object, Set<FileId>>();
  /** True if all of them were allowed; that uses up the permission. */
  const takeAllowed = (load: object, ids: readonly FileId[]): boolean => {
    const known = allowed.get(load);
    if (known === undefined || !ids.every((id) => known.has(id))) return false;
    for (const id of ids) known.delete(id);
    return true;
  };
  const demandFor: ByHand['demandFor'] = async (load, act, input) => {
    const { files, fileIds, folder, name } = Object(input) as HandInput;
    const ids = fileIds ?? files?.map(({ fileId }) => fileId);
    if (ids === undefined) {
      await demand(load, act, [folder ?? name ?? []].flat());
      return;
    }
    if (act === 'files.delete' && ids.length > 0 && takeAllowed(load, ids)) return;
    // To keep links that are public already needs no list, and no time for a dialog.
    if (parts.presses.take(load) && (ids.length <= mostByPress || act === 'files.keep')) return;
    // A dialog lists fewer.
    const names = ids.slice(0, mostByPress).map((fileId) => parts.nameOf(fileId) ?? String(fileId));
    await parts.questions.act(act, names, ids.length);
  };
  return {
    demand,
    demandFor,
    async allowDeletion(load, fileIds) {
      await demandFor(load, 'files.delete', { fileIds });
      allowed.set(load, new Set([...(allowed.get(load) ?? []), ...fileIds]));
    },
  };
};
