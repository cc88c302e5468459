// Watches the service's side: how many requests come when, what each stored file is, who had anything deleted. The
// oracle of I2, I3, I5, I12, I15 and I16.
import type { Stored } from './account.ts';
import type { Story } from './story.ts';
import type { Truth } from './truth.ts';
import type { RequestKind, Weather } from './weather.ts';

export type Audit = {
  /** The engine starts a request. */
  begins(kind: RequestKind): void;
  /** It reaches the service and counts. */
  arrives(kind: RequestKind): void;
  /** It is answered with such a status. */
  denies(kind: RequestKind, status: number): void;
  answers(kind: RequestKind): void;
  created(file: Stored): void;
  removed(file: Stored): void;
  /** Somebody acted, or the engine was started: a probe is allowed. */
  acted(): void;
  requests(): number;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Shortest time between two probes after 401, 403, 404 and 3xx, less what a clock's grain may take from it. */
const probeMs = 15 * minuteMs - 2000;

export const createAudit = (options: {
  nowMs: () => number;
  perMinute: number;
  perDay: number;
  truth: Truth;
  weather: Weather;
  story: Story;
}): Audit => {
  const { nowMs, perMinute, perDay, truth, weather, story } = options;
  const arrived: number[] = [];
  let requests = 0;
  let minuteFrom = 0;
  let dayFrom = 0;
  /** Since a spell of refusals was first noticed: begins of requests, by kind. */
  let denied: { status: number; begun: { kind: RequestKind; atMs: number }[] } | null = null;

  const isRefusal = (status: number): boolean =>
    [401, 403, 404].includes(status) || (status >= 300 && status < 400);

  return {
    requests: () => requests,
    begins(kind) {
      requests += 1;
      story.note(`request ${kind}`);
      if (denied === null) return;
      const spell = weather.spell();
      if (spell === null || !isRefusal(spell === 'redirect' ? 302 : Number(spell))) {
        denied = null;
        return;
      }
      const sinceMs = nowMs() - probeMs;
      denied.begun = denied.begun.filter(({ atMs }) => atMs > sinceMs);
      denied.begun.push({ kind, atMs: nowMs() });
      // One probe: for an upload's 403 the statistics follow.
      const most = denied.status === 403 ? 2 : 1;
      if (denied.begun.length > most) {
        story.violated(
          'I12',
          `${denied.begun.map((one) => one.kind).join(', ')} within 15 min after ${denied.status}`,
        );
        denied = null;
      }
    },
    arrives() {
      const atMs = nowMs();
      arrived.push(atMs);
      while ((arrived[minuteFrom] ?? atMs) <= atMs - minuteMs) minuteFrom += 1;
      while ((arrived[dayFrom] ?? atMs) <= atMs - dayMs) dayFrom += 1;
      if (arrived.length - minuteFrom > perMinute) {
        story.violated('I5', `${arrived.length - minuteFrom} requests within 60 s; ${perMinute} are allowed`);
      }
      if (arrived.length - dayFrom > perDay) {
        story.violated('I5', `${arrived.length - dayFrom} requests within 24 h; ${perDay} are allowed`);
      }
    },
    denies(kind, status) {
      story.note(`answer ${kind} ${status}`);
      if (weather.spell() === null || !isRefusal(status)) return;
      if (denied === null || denied.status !== status) denied = { status, begun: [] };
    },
    answers(kind) {
      story.note(`answer ${kind} 200`);
    },
    created(file) {
      story.note(`created ${file.fileId} ${file.name} ${file.content.slice(0, 5)}`);
      const known = truth.content(file.content);
      if (known === null || !known.wasWhole) {
        story.violated('I3', `${file.name} holds what no file ever was: ${file.content.slice(0, 40)}`);
        return;
      }
      const mayNot = truth.whyNot(file.content);
      if (mayNot !== null) story.violated('I16', `${known.id} left the folder: ${mayNot}`);
      known.created.push(file);
      const live = known.created.filter((one) => !one.deleted).length;
      if (live > known.allowed) {
        story.violated(
          'I2',
          `${known.id} is there ${live} times (${file.name}); ${known.allowed} are allowed`,
        );
      }
    },
    removed(file) {
      story.note(`removed ${file.fileId}`);
      if (!truth.deletionsAskedFor.has(file.fileId)) {
        story.violated('I15', `file ${file.fileId} was deleted and nobody asked for it`);
      }
    },
    acted() {
      denied = null;
    },
  };
};
