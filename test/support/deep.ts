/** Every seed, size and moment: `npm run test:deep`. Otherwise a few of each. */
export const isDeep = process.env['OUTTRAY_DEEP'] === '1';
