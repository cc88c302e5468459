// Which of the three systems this is; any other counts as Linux.
import type { Platform } from '../contract/text/speech.ts';

export const platform: Platform =
  process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
