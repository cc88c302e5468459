// A corpus whose author had not read the rules. Written 2026-11-27, measured once before any rule was changed for it.
import { blindConfigurations } from './configurations.ts';
import { blindExports } from './exports.ts';
import { blindHarmless } from './harmless.ts';
import { blindRecords } from './records.ts';

export const blindSecrets = [...blindConfigurations, ...blindRecords, ...blindExports];
export { blindHarmless };
