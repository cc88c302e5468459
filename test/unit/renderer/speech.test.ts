// Announcements of the window to screen readers: answers at once, news at most every ten seconds, all in one place.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { UploadView } from '../../../src-main/contract/model.ts';
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import { createSpeech } from '../../../src-main/shell/texts.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { linesOf, spokenOf } from '../../../src-renderer/views/given/unlinked.ts';
import { bannerEnd, type BannerLine } from '../../../src-renderer/words/banner.ts';
import { givenSpoken } from '../../../src-renderer/words/given.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { givenGroup, givenRow } from '../../support/window/screen-seeds.ts';
import { filesAlike } from '../../support/window/fake-answers.ts';
import { status, upload } from '../../support/window/seed.ts';

let session: Session;
beforeEach(() => {
  vi.useFakeTimers();
  const transport = createFakeTransport();
  session = new Session({ call: transport.call, listen: transport.listen });
});
afterEach(() => vi.useRealTimers());

/** Each sentence that was spoken while `work` ran, with its second. */
const heardIn = async (work: () => Promise<void>): Promise<[second: number, text: string][]> => {
  const heard: [number, string][] = [];
  const fromMs = performance.now();
  let last = session.spoken;
  const watch = setInterval(() => {
    if (session.spoken === last) return;
    last = session.spoken;
    heard.push([Math.floor((performance.now() - fromMs) / 1_000), last]);
  }, 10);
  await work();
  clearInterval(watch);
  return heard;
};
const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

test('of news at most one sentence is spoken every ten seconds, however much arrives, and the last one is not lost', async () => {
  const heard = await heardIn(async () => {
    for (let at = 0; at <= 350; at += 1) {
      session.report('given', `${String(at)} ready`);
      await pass(100);
    }
    await pass(30_000);
  });
  expect(heard.length).toBeGreaterThan(1);
  expect(heard.length).toBeLessThanOrEqual(1 + Math.ceil(65 / 10));
  for (const [at, [second]] of heard.entries())
    if (at > 0) expect(second - (heard[at - 1]?.[0] ?? 0)).toBeGreaterThanOrEqual(10);
  expect(heard.at(-1)?.[1]).toBe('350 ready');
});

test('simultaneous news is spoken together: of one thing the newest, of several each', async () => {
  const heard = await heardIn(async () => {
    session.report('given', '12 files added.');
    session.report('given', '12 files added. 1 needs you');
    session.report('standstill', 'The service asked us to wait.');
    await pass(60_000);
  });
  expect(heard).toEqual([[0, '12 files added. 1 needs you · The service asked us to wait.']]);
});

test('an answer is spoken at once, and news waits until ten seconds after it', async () => {
  const heard = await heardIn(async () => {
    session.report('given', '3 links copied');
    await pass(100);
    session.tell('done', 'List read');
    await pass(4_000);
    session.announce('Link copied');
    await pass(60_000);
  });
  expect(heard).toEqual([
    [0, 'List read'],
    [4, 'Link copied'],
    [14, '3 links copied'],
  ]);
});

test('a notice is spoken with its possible action, and so is a failure', async () => {
  session.tell('done', '.env stays private', { act: { label: 'Undo', do: () => undefined } });
  expect(session.spoken).toBe('.env stays private · Undo');
  await session.attempt(() => Promise.reject(new AppError('offline', 'It did not work.')));
  expect(session.spoken).toBe('It did not work.');
});

describe('a drop', () => {
  const { say } = createSpeech('en', []);
  const drop = (change: Partial<GivenGroup>): GivenGroup => ({
    ...givenGroup,
    total: 12,
    linked: 0,
    going: 12,
    rows: [],
    first: null,
    ...change,
  });
  const secret = upload(1, '.env', { kind: 'held', reason: 'secret-name' }, { bucket: 'held' });
  const large = (id: number, name: string) =>
    upload(
      id,
      name,
      { kind: 'failed', code: 'too-large', message: '', remedy: '' },
      { bucket: 'failed', sizeBytes: 11_300_000_000 },
    );
  const needing = (needYou: number[], ...uploads: UploadView[]): string[] =>
    linesOf(filesAlike(uploads), drop({ needYou }), 10_700_000_000).map(spokenOf);

  beforeEach(async () => {
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    await speak('en', ['en-US']);
    return () => vi.unstubAllGlobals();
  });

  test('names in one sentence how many came and who needs the user for what', () => {
    expect(givenSpoken(say, drop({}), [])).toBe('12 files added.');
    const named = needing([1, 2], secret, large(2, 'server image.qcow2'));
    expect(givenSpoken(say, drop({ going: 10, needYou: [1, 2] }), named)).toBe(
      '12 files added. 2 need you: .env looks like a secret · not public; server image.qcow2 is over 10.7 GB · it is 11.3 GB',
    );
    // Several alike are one, as in the ticket.
    const three = needing([2, 3, 4], large(2, 'a.img'), large(3, 'b.img'), large(4, 'c.img'));
    expect(three).toEqual(['3 × a.img, b.img are over 10.7 GB']);
    // No file is without a reason.
    const lost = upload(5, 'lost.txt', { kind: 'uncertain', fate: 'ours' } as never, { bucket: 'held' });
    expect(needing([5], lost)).toEqual([
      'lost.txt The answer was lost. A file on the service could be this one.',
    ]);
  });

  test('at its end is announced with the links, and again who needs the user', () => {
    const ended = { going: 0, linked: 10, rows: [givenRow(10, 'a.txt')] };
    expect(givenSpoken(say, drop({ ...ended, needYou: [1] }), needing([1], secret))).toBe(
      '10 links copied. 1 needs you: .env looks like a secret · not public',
    );
    expect(givenSpoken(say, drop({ going: 0, total: 1, needYou: [1] }), needing([1], secret))).toBe(
      'No link: 1 needs you: .env looks like a secret · not public',
    );
    const one = {
      total: 1,
      linked: 1,
      going: 0,
      rows: [givenRow(10, 'holiday at the sea.png')],
      first: { uploadId: 10, name: 'holiday at the sea.png', link: '', isOther: false },
    };
    expect(givenSpoken(say, drop(one), [])).toBe('Link copied: holiday at the sea.png');
    expect(givenSpoken(say, drop({ ...one, rows: [givenRow(10, 'a.txt', null)] }), [])).toBe(
      'Already shared. Link copied.',
    );
  });
});

test('the end of a banner is announced once, unless the user ended it or did not wait for it', () => {
  const line = (key: BannerLine['key']): BannerLine => ({ tone: 'calm', key, values: {} });
  const open = status();
  expect(bannerEnd(line('banner.rate'), open)).toBe('banner.over');
  expect(bannerEnd(line('banner.network'), open)).toBe('banner.over');
  expect(bannerEnd(line('banner.folder'), open)).toBe('banner.folder.back');
  expect(bannerEnd(line('banner.keychain'), open)).toBeNull();
  // The user has paused meanwhile: nothing continues.
  expect(bannerEnd(line('banner.rate'), status({ paused: true }))).toBeNull();
});

test('a repeated sentence is a different text, so that it is spoken again', () => {
  session.announce('Link copied');
  const first = session.spoken;
  session.announce('Link copied');
  expect(session.spoken).not.toBe(first);
  expect(session.spoken.trim()).toBe(first);
});

test('each window has one live region, and only errors of a field speak besides', () => {
  const root = path.resolve(import.meta.dirname, '../../../src-renderer');
  const polite = globSync('**/*.svelte', { cwd: root }).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
    return text.match(/aria-live=|role="(status|log)"/g) === null ? [] : [file];
  });
  expect(polite.toSorted()).toEqual(['App.svelte', 'popover/Popover.svelte']);
});
