// What each command does, under its name in the table (contract/catalogue/program.ts). Each loads what it needs only
// when it runs.
import type { programRows } from '../contract/catalogue/program.ts';
import type { GivenOf } from '../contract/catalogue/program-kinds.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

type Rows = typeof programRows;
type Named<Name extends string, Row> = Row extends { below: infer Below }
  ? { [Each in keyof Below & string as `${Name}.${Each}`]: Below[Each] }
  : Record<Name, Row>;
type Union<All> = (All extends unknown ? (one: All) => void : never) extends (one: infer Both) => void
  ? Both
  : never;
/** The rows that need an action, by name, such as `folders.add`. The parser itself handles `help`. */
type Doing = Union<
  { [Name in Exclude<keyof Rows, 'help'>]: Named<Name, Rows[Name]> }[Exclude<keyof Rows, 'help'>]
>;

export type Actions = {
  [Name in keyof Doing]: (session: Session, ...given: GivenOf<Doing[Name]>) => Promise<ExitCode>;
};

export const actions: Actions = {
  login: async (...given) => (await import('./commands/account.ts')).login(...given),
  logout: async (...given) => (await import('./commands/account.ts')).logout(...given),
  profiles: async (...given) => (await import('./commands/account.ts')).profiles(...given),
  stats: async (...given) => (await import('./commands/files.ts')).stats(...given),

  async upload(session, files, { background, ...flags }) {
    const { upload, uploadQueued } = await import('./commands/upload.ts');
    return background === true ? await uploadQueued(session) : await upload(session, files, flags);
  },
  plan: async (...given) => (await import('./commands/plan.ts')).plan(...given),
  paste: async (...given) => (await import('./commands/paste.ts')).paste(...given),
  watch: async (...given) => (await import('./commands/watch.ts')).watch(...given),
  'folders.list': async (...given) => (await import('./commands/folders.ts')).listFolders(...given),
  'folders.add': async (...given) => (await import('./commands/folders.ts')).add(...given),
  'folders.set': async (...given) => (await import('./commands/folders.ts')).set(...given),
  'folders.remove': async (...given) => (await import('./commands/folders.ts')).removeFolder(...given),

  list: async (...given) => (await import('./commands/files.ts')).list(...given),
  search: async (...given) => (await import('./commands/files.ts')).search(...given),
  link: async (...given) => (await import('./commands/links.ts')).link(...given),
  info: async (...given) => (await import('./commands/files.ts')).info(...given),
  delete: async (...given) => (await import('./commands/files.ts')).remove(...given),
  async recall(session, given, { allCopies, ...flags }) {
    return allCopies === true
      ? await (await import('./commands/copies.ts')).recallCopies(session, given, flags)
      : await (await import('./commands/recall.ts')).recall(session, given, flags);
  },
  expire: async (...given) => (await import('./commands/recall.ts')).expire(...given),
  follow: async (...given) => (await import('./commands/follow.ts')).follow(...given),

  card: async (session, given, { format }) =>
    (await import('./commands/links.ts')).card(session, given, format),
  verify: async (...given) => (await import('./commands/verify.ts')).verify(...given),
  review: async (...given) => (await import('./commands/review.ts')).review(...given),
  import: async (...given) => (await import('./commands/import.ts')).importFiles(...given),
  export: async (...given) => (await import('./commands/export.ts')).exportFiles(...given),

  status: async (...given) => (await import('./commands/controls.ts')).status(...given),
  queue: async (...given) => (await import('./commands/queue/queue.ts')).queue(...given),
  held: async (...given) => (await import('./commands/queue/uncertain.ts')).held(...given),
  confirm: async (session, ids, flags) =>
    (await import('./commands/queue/decide.ts')).decide(session, 'queue.confirm', ids, flags),
  cancel: async (session, ids) =>
    (await import('./commands/queue/decide.ts')).decide(session, 'queue.cancel', ids),
  retry: async (session, ids) =>
    (await import('./commands/queue/decide.ts')).decide(session, 'queue.retry', ids),
  resolve: async (...given) => (await import('./commands/queue/uncertain.ts')).resolve(...given),
  pause: async (...given) => (await import('./commands/controls.ts')).pause(...given),
  resume: async (...given) => (await import('./commands/controls.ts')).resume(...given),
  why: async (...given) => (await import('./commands/controls.ts')).why(...given),

  'settings.get': async (...given) => (await import('./commands/controls.ts')).settingsGet(...given),
  'settings.list': async (session) =>
    (await import('./commands/controls.ts')).settingsGet(session, undefined),
  'settings.unset': async (session, name) =>
    (await import('./commands/controls.ts')).settingsSet(session, name, 'default'),
  'settings.set': async (...given) => (await import('./commands/controls.ts')).settingsSet(...given),
  integrate: async (...given) => (await import('./commands/integrate.ts')).integrate(...given),
  mcp: async (...given) => (await import('./mcp/mcp.ts')).mcp(...given),
  doctor: async (session, { bundle }) =>
    bundle === undefined
      ? (await import('./commands/controls.ts')).doctor(session)
      : (await import('./commands/export.ts')).bundle(session, bundle),
  completion: async (session, shell, { line }) =>
    (await import('./completion/completion.ts')).completion(session, shell, line),
};
