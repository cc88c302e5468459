/** The functions of RowList.svelte. */
export type RowListActs = {
  /** The rows of one page. */
  pageRows(): number;
  showRow(index: number, as: 'any' | 'first'): void;
  pointOutRow(index: number): void;
};
