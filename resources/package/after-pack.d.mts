// The types of after-pack.mjs, for the check that reads the fuses back.
import type { FuseV1Config } from '@electron/fuses';

export const fuses: FuseV1Config;
export default function afterPack(context: unknown): Promise<void>;
