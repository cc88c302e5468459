/** Days side by side in a chart, from the noon of the first to that of the last. `value` null: not known. */
export type Span = { fromMs: number; toMs: number; value: number | null };
