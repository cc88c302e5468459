// What can open over the list of files: a menu or a dialog.
import type { FileRow } from '../../src-main/contract/model.ts';
import type { DeletedRow } from '../state/recall/deletion.ts';

export type Overlay =
  /** `selection`: the rows are what is selected, which the menu can clear. */
  | {
      kind: 'menu';
      rows: readonly FileRow[];
      anchor: HTMLElement | { x: number; y: number };
      selection?: true;
    }
  /** In which form to copy the release card of these files. */
  | { kind: 'card'; rows: readonly FileRow[]; anchor: HTMLElement | { x: number; y: number } }
  | { kind: 'delete'; rows: readonly DeletedRow[] }
  | { kind: 'expire'; rows: readonly DeletedRow[] }
  | { kind: 'details'; row: FileRow };
