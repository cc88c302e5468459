// A status of an engine with nothing to do; tests override what differs.
import { noCounts, type EngineStatus } from '../../../src-main/contract/model.ts';
import { workSeen } from '../../support/work.ts';

const lane = { user: 0, agent: 0, upload: 0, background: 0 };

export const statusWith = (more: Partial<EngineStatus>): EngineStatus => ({
  seq: 1,
  folder: '/home/ada/Shared',
  folderAvailable: true,
  folders: [],
  wasSetUp: true,
  running: true,
  paused: false,
  pausedUntilMs: null,
  counts: noCounts(),
  budget: {
    minute: { limit: 50, used: 0 },
    day: { limit: 5000, used: 0 },
    lanes: { minute: lane, day: lane },
  },
  outside: noCounts(),
  gate: { kind: 'open' },
  limit: null,
  storage: null,
  order: 'arrival',
  nextSlotAtMs: null,
  doneAtMs: null,
  doneNote: null,
  doneToday: 0,
  doneLater: 0,
  sending: 0,
  work: workSeen(more),
  watch: 'live',
  watchMessage: null,
  wrongLinks: 0,
  openRecalls: 0,
  ...more,
});
