// What the fake transport begins with: files, uploads and states that the pictures and tests of the window need.
import type {
  AccountView,
  DownloadCount,
  FolderInspection,
  FollowWait,
  Inside,
} from '../../../src-main/contract/answers.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import type { Packing } from '../../../src-main/contract/entries.ts';
import type { EngineStatus, FileRow, UploadView } from '../../../src-main/contract/model.ts';
import type { OwnRules, SettingName } from '../../../src-main/contract/settings.ts';
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import type { ShellSeed } from './fake-shell.ts';
export type Seed = ShellSeed & {
  rows: FileRow[];
  uploads: UploadView[];
  status: EngineStatus;
  account: AccountView;
  inspection: Omit<FolderInspection, 'folder'>;
  /** What the folders of the status have of their own. */
  ownRules: Record<string, OwnRules>;
  /** The system's folder of screenshots; null: it has none. */
  screenshots: string | null;
  /** Keys the service accepts; anything else is refused. */
  goodKey: string;
  lockedSettings: Partial<Record<SettingName, string>>;
  /** Commands that never answer: the window stays as it is while it waits. */
  silent: readonly string[];
  /** Commands that a full disk fails. */
  failing: readonly string[];
  /** Links that still answer after their deletion. */
  alive: readonly FileId[];
  statsRead: boolean;
  /** In which account the files are. */
  accountId: number;
  /** On how many days the list was read, and the service's own total: both derived from the other seeds unless given. */
  readings: number | null;
  serviceFiles: number | null;
  /** Files given by hand: sent to each window from its start. */
  given: GivenGroup | null;
  /** Of each followed link. */
  downloads: DownloadCount[];
  followWaits: FollowWait | null;
  /** Zips that are being packed: sent to each window from its start. */
  packings: readonly Packing[];
  /** What the details of every file show about a zip. */
  inside: Inside | null;
};
