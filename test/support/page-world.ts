// A page and its guard: the page's calls, the questions to the user, and the calls that get through.
import { createClient } from '../../src-main/contract/client.ts';
import type { UploadState } from '../../src-main/contract/model.ts';
import { defaultSettings, type Settings } from '../../src-main/contract/settings.ts';
import { createSpeech } from '../../src-main/shell/texts.ts';
import { createGivenPaths } from '../../src-main/shell/window/given-paths.ts';
import { createPageGuard } from '../../src-main/shell/window/page-guard.ts';
import { createPageQuestions, type Question } from '../../src-main/shell/window/page-questions.ts';
import { createPresses } from '../../src-main/shell/window/presses.ts';

const page = { name: 'our page' };
export const other = { name: 'another page, or this one after a reload' };
export const proposed = '/home/ada/Outtray';
const location: UploadState = { kind: 'held', reason: 'location', removable: true, isRead: true };
export const uploads: Record<number, { name: string; state: UploadState }> = {
  1: { name: 'id_rsa', state: { kind: 'held', reason: 'secret-name' } },
  2: { name: 'notes.txt', state: { kind: 'held', reason: 'secret-content' } },
  3: { name: 'beach.jpg', state: location },
  4: { name: 'draft.txt', state: { kind: 'skipped', rule: 'cancelled' } },
  5: { name: '.env', state: { kind: 'skipped', rule: 'hidden' } },
  6: { name: 'one of many', state: { kind: 'held', reason: 'burst' } },
  7: { name: 'old.txt', state: { kind: 'held', reason: 'existing-changed' } },
  8: { name: 'id_ed25519', state: { kind: 'held', reason: 'maybe-uploaded' } },
  9: { name: 'shared.txt', state: { kind: 'skipped', rule: 'already-shared' } },
  10: { name: 'sent.txt', state: { kind: 'held', reason: 'unanswered' } },
};
export const unguarded = 10;
/** The token of a file that a drop left out; others begin with it. */
export const offered = 'offered';

/** The guard before a page. `says`: the user's answer in the system's dialogs. */
export const world = (
  set: Partial<Settings> = {},
  says: (question: Question) => Promise<boolean> | boolean = () => false,
) => {
  const settings = { ...defaultSettings(), baseUrl: 'https://files.example/api', ...set };
  const asked: Question[] = [];
  const reached: { name: string; input: unknown }[] = [];
  const isThere = { proposed: true };
  const changed = { ms: Date.now() - 1 };
  const given = createGivenPaths();
  const presses = createPresses(() => 0);
  const [dropped = ''] = given.give(page, ['/home/ada/dropped.txt']);
  const [elsewhere = ''] = given.give(other, ['/home/ada/elsewhere.txt']);
  const known: Record<string, unknown> = {
    'app.status': { folders: [{ folder: '/home/ada/Shared' }] },
    'account.get': { baseUrl: settings.baseUrl, key: { kind: 'stored', lastFour: '1234' } },
    'folders.list': [{ folder: '/home/ada/Shared', rules: { recursive: true, ignore: ['*.bak'] } }],
    'folders.find': { folder: '/home/ada/Pictures/Screenshots' },
    'queue.get': {
      alike: [
        { state: { kind: 'held', reason: 'secret-name' }, files: 3 },
        { state: { kind: 'held', reason: 'burst' }, files: 240 },
        { state: { kind: 'skipped', rule: 'hidden' }, files: 1 },
      ],
      held: ['secret-name', 'burst', 'burst'].map((reason, at) => ({
        name: `${reason} ${at}`,
        state: { kind: 'held', reason },
      })),
      failed: [],
      skipped: [{ name: '.hidden', state: { kind: 'skipped', rule: 'hidden' } }],
      burst: [
        { plan: 'all', name: null },
        { plan: 'newest', name: 'newest.txt' },
      ],
    },
  };
  const guard = createPageGuard({
    client: createClient({
      call: async (name) => ({ ok: true, answer: known[name] }),
      listen: () => () => undefined,
    }),
    settings: { current: () => settings },
    questions: createPageQuestions({
      say: () => createSpeech('en', []).say,
      async ask(question) {
        asked.push(question);
        return await says(question);
      },
    }),
    look: {
      link: ({ fileId }) => (Number(fileId) > 90 ? null : { name: `${fileId}.txt` }),
      upload: (id) => (uploads[id] === undefined ? null : { changedAtMs: changed.ms, ...uploads[id] }),
      path: (id) => (uploads[id] === undefined ? null : `/home/ada/Shared/${uploads[id].name}`),
    },
    given: {
      paths: given,
      presses,
      offered: (token) => (token.startsWith(offered) ? ['/home/ada/.left-out'] : null),
    },
    proposed: { folder: proposed, make: async () => !isThere.proposed },
    async answer(name, input) {
      reached.push({ name, input });
      return { ok: true, answer: choices[name] ?? null };
    },
  });
  return {
    asked,
    reached,
    isThere,
    changed,
    known,
    press: () => presses.note(page, { type: 'mouseUp' }),
    dropped,
    elsewhere,
    ask: (name: string, input: unknown) => guard(name, input, page),
    guard,
  };
};

const choices: Record<string, unknown> = {
  'window.chooseFolder': { folder: '/home/ada/Chosen' },
  'window.chooseFiles': { paths: ['/home/ada/chosen.txt'] },
};
