// What applies to links and notifications of an upload: the rules of its folder, else the settings.
import type { FileId } from '../contract/text/file-id.ts';
import type { FolderRules, Settings } from '../contract/settings.ts';
import type { LinkForm } from '../contract/text/link-text.ts';

/** `forbidden`: a policy or a setting forbids every copy. */
export type CopyMode = Settings['copyLink'] | 'forbidden';

type RulesInForce = {
  /** `uploadId` null: for files given by hand. */
  copyLink(uploadId: number | null): CopyMode;
  /** `uploadId` null: for what belongs to no upload. */
  notify(uploadId: number | null): boolean;
  /** The form in which links are copied together: that of their folder. If the forms differ, that of the settings. */
  copyFormat(uploadIds: readonly number[], fileIds?: readonly FileId[]): LinkForm;
};

/** `rules`: those of the folder of an upload; null: it belongs to none. */
export const createRulesInForce = (options: {
  settings: () => Settings;
  rules: (uploadId: number) => FolderRules | null;
}): RulesInForce => {
  const of = (uploadId: number | null): Pick<FolderRules, 'copyLink' | 'copyFormat' | 'notify'> =>
    (uploadId === null ? null : options.rules(uploadId)) ?? options.settings();

  return {
    // What a policy forbids is forbidden in every folder.
    copyLink: (uploadId) => (options.settings().allowCopy ? of(uploadId).copyLink : 'forbidden'),
    notify: (uploadId) => of(uploadId).notify,
    copyFormat(uploadIds, fileIds = []) {
      // A file from elsewhere has no folder here.
      const ids = [...uploadIds, ...(fileIds.length > 0 ? [null] : [])];
      const [form, ...others] = new Set(ids.map((id) => of(id).copyFormat));
      return form === undefined || others.length > 0 ? options.settings().copyFormat : form;
    },
  };
};
