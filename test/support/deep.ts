/** Every seed, size and moment: `npm run test:deep`. Otherwise a few of each. */
export const isDeep = process.env['OUTTRAY_DEEP'] === '1';

/** Every `step`th row of a table, from the first one; in the deep ring all of them. */
export const some = <Row>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, at) => isDeep || at % step === 0);
