/** What a list of rows does when it is asked: RowList.svelte. */
export type RowListActs = {
  /** How far a page goes. */
  pageRows(): number;
  showRow(index: number, as: 'any' | 'first'): void;
  pointOutRow(index: number): void;
};
