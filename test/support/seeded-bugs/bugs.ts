import type { Bug } from './bug.ts';
import { folderBugs } from './folder-bugs.ts';
import { outerBugs } from './outer-bugs.ts';
import { sendingBugs } from './sending-bugs.ts';

export const bugs: readonly Bug[] = [...outerBugs, ...folderBugs, ...sendingBugs];
