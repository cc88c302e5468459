// Photos that contain their location: held, sent unchanged, or sent as a copy without it. Which hash counts: the
// file's for what lies on the disk, the copy's for what the service has.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { typedText } from '../../../../src-main/cli/output/typed.ts';
import { toAppError } from '../../../../src-main/contract/errors.ts';
import { begin, minuteMs, type World } from '../../../support/fake-world.ts';
import { beforeMs, stopped } from '../../../support/older-ledger.ts';

const photo = '\x01\x02\x03PHOTO of GPS a house';
const without = photo.replace('GPS', '');
const fixed = '\x01\x02\x03PHOTO of GPS a house, FIXED';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const held = { kind: 'held', reason: 'location', removable: true, isRead: true };
const contents = (world: World): string[] => world.service.stored.map(({ bytes }) => bytes.toString());
const removing = { settings: { photoLocation: 'remove' as const } };

describe('a photo with a location', () => {
  test('is held, and one confirmation without location applies to all of them', async () => {
    const { world, run } = await begin();
    for (const name of ['a.jpg', 'b.jpg'])
      expect((await world.put(name, `${photo} ${name}`, 'held')).state).toEqual(held);
    await world.put('c.heic', fixed, 'held');
    const { alike } = await run.call('queue.get', { limit: 10 });
    expect(alike).toMatchObject([{ state: { reason: 'location' }, files: 3 }]);
    const asOfMs = alike[0]?.asOfMs ?? 0;
    await run.call('queue.confirm', {
      alike: { kind: 'held', fate: 'location', asOfMs },
      withoutLocation: true,
    });
    await world.until('b.jpg', 'uploaded');
    await world.until('a.jpg', 'uploaded');
    expect(contents(world).toSorted()).toEqual([`${without} a.jpg`, `${without} b.jpg`]);
    // It cannot be cut, so it still waits.
    expect(world.row('c.heic').state).toMatchObject({ kind: 'held', removable: false });
  });

  test('that is sent without it has both hashes, and the entry contains the one that the link serves', async () => {
    const { world, run } = await begin(removing);
    const row = await world.put('a.jpg', photo, 'uploaded');
    expect(row).toMatchObject({
      sha256: sha256(photo),
      sent: { sha256: sha256(without), sizeBytes: without.length },
    });
    expect(run.entries().findLast(({ body }) => body.kind === 'uploaded')?.body).toMatchObject({
      sha256: sha256(without),
      withoutLocation: true,
    });
  });

  test('that changes while its copy is sent is uploaded once, as the copy of its new version', async () => {
    const { world } = await begin(removing);
    await world.put('a.jpg', photo, 'sending');
    world.disk.write('/tray/a.jpg', `${photo} anew`);
    await world.until('a.jpg', 'uploaded');
    expect(contents(world)).toEqual([`${without} anew`]);
  });

  test('is sent unchanged when the setting says so, or when looking inside is off', async () => {
    for (const settings of [{ photoLocation: 'keep' as const }, { lookInside: false }]) {
      const { world } = await begin({ settings });
      await world.put('a.jpg', photo, 'uploaded');
      expect(contents(world)).toEqual([photo]);
    }
    const { world } = await begin({ settings: { photoLocation: 'remove', lookInside: false } });
    await world.put('a.jpg', photo, 'uploaded');
    expect(contents(world)).toEqual([without]);
  });

  test.each([
    [{ photoLocation: 'remove' }, 'a  house'],
    [{ photoLocation: 'remove', lookInside: false }, 'a  house'],
    [{ photoLocation: 'ask' }, 'a CAMERA house'],
    [{ photoLocation: 'keep' }, 'a CAMERA house'],
  ] as const)('that shows none has other metadata left out with remove: %j', async (settings, sent) => {
    const { world } = await begin({ settings });
    const bare = '\x01\x02\x03PHOTO of ';
    const row = await world.put('a.jpg', `${bare}a CAMERA house`, 'uploaded');
    expect(contents(world)).toEqual([bare + sent]);
    expect(row.sent === null).toBe(settings.photoLocation !== 'remove');
    // The same photo again is no new link.
    await world.put('b.jpg', `${bare}a CAMERA house`, 'skipped');
  });

  test('is sent without it after a person confirms its secret name', async () => {
    const { world, run } = await begin(removing);
    const { id } = await world.put('id_rsa.jpg', photo, 'held');
    await run.call('queue.confirm', { ids: [id] });
    await world.until('id_rsa.jpg', 'uploaded');
    expect(contents(world)).toEqual([without]);
  });

  test('that was ready before the setting changed is inspected again', async () => {
    const { world, run } = await begin({ settings: { photoLocation: 'keep' } });
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.jpg', photo, 'ready');
    await world.settings.set('photoLocation', 'remove');
    await world.until('a.jpg', 'ready');
    await run.call('queue.resume', {});
    await world.until('a.jpg', 'uploaded');
    expect(contents(world)).toEqual([without]);
  });
});

describe('a setting that removes locations from now on', () => {
  const keeping = { settings: { photoLocation: 'keep' as const } };

  test.each([true, false])(
    'counts for a photo that is ready while the account is listed for it (is it there: %s)',
    async (isThere) => {
      const world = await stopped(keeping);
      world.disk.write('/tray/a.jpg', photo);
      // An older ledger asks about the content of what has its size.
      world.service.addForeign('theirs.jpg', isThere ? photo : photo.toLowerCase());
      await world.clock.advance(beforeMs);
      world.service.latencyMs = 20_000;
      await world.start();
      await world.until('a.jpg', 'ready');
      await world.settings.set('photoLocation', 'remove');
      const { publicLink } = await world.until('a.jpg', 'uploaded', 20 * minuteMs);
      const linked = world.service.stored.find(({ link }) => link === publicLink);
      expect(linked?.bytes.toString()).toBe(without);
    },
  );

  test('counts for a photo that is looked into at that moment', async () => {
    const { world } = await begin(keeping);
    const { findIn } = world.inspect;
    world.inspect.findIn = async (content) => {
      await new Promise<void>((next) => world.clock.after(5000, next));
      return await findIn(content);
    };
    // Its comment is long enough to look like a text.
    const comment = ' and a tree'.repeat(20);
    await world.put('a.jpg', photo + comment, 'settling');
    await world.clock.advance(2000);
    await world.settings.set('photoLocation', 'remove');
    await world.until('a.jpg', 'uploaded');
    expect(contents(world)).toEqual([without + comment]);
  });

  test('counts for a zip that is packed at that moment', async () => {
    const { world, run } = await begin(keeping);
    world.disk.write('/else/a.jpg', photo);
    world.disk.write('/else/b.txt', 'b');
    const { open } = world.disk.files;
    world.disk.files.open = async (path, root) => {
      if (path.endsWith('b.txt')) await new Promise<void>((next) => world.clock.after(5000, next));
      return await open(path, root);
    };
    const paths = ['/else/a.jpg', '/else/b.txt'];
    const zip = run.client.call('files.bundle', { paths, name: 'both', again: false });
    await world.clock.advance(2000);
    await world.settings.set('photoLocation', 'remove');
    await world.during(zip);
    await world.until('both.zip', 'uploaded');
    expect(contents(world)).toEqual([`a.jpg: ${without}\nb.txt: b`]);
  });
});

describe('a photo whose first bytes look like text', () => {
  const comment = ' and a long comment'.repeat(20);
  const inBoth = `${photo}${comment}\nSECRET`;

  test('is held for its location, and is sent without it when the setting says so', async () => {
    const asking = await begin();
    expect((await asking.world.put('a.jpg', photo + comment, 'held')).state).toEqual(held);
    const { world } = await begin(removing);
    await world.put('a.jpg', photo + comment, 'uploaded');
    expect(contents(world)).toEqual([without + comment]);
  });

  test('and that contains a secret is held twice: first for the secret, then for the location', async () => {
    const { world, run } = await begin();
    const { id, state } = await world.put('a.jpg', inBoth, 'held');
    expect(state).toMatchObject({ reason: 'secret-content' });
    await run.call('queue.confirm', { ids: [id] });
    await world.until('a.jpg', 'held');
    expect(world.row('a.jpg').state).toEqual(held);
  });

  test('is sent without its location after a person confirms the secret', async () => {
    const { world, run } = await begin(removing);
    const { id, state } = await world.put('a.jpg', inBoth, 'held');
    expect(state).toMatchObject({ reason: 'secret-content' });
    await run.call('queue.confirm', { ids: [id] });
    await world.until('a.jpg', 'uploaded');
    expect(contents(world)).toEqual([inBoth.replace('GPS', '')]);
  });
});

describe('a request to remove the location', () => {
  test.each([
    [
      'c.heic',
      fixed,
      /complete JPEG, PNG, WebP, .* files of up to 256 MiB/,
      /outtray confirm q\d+.*outtray cancel q\d+/,
    ],
    ['id_rsa', 'text', /is not held for its location/, /outtray held/],
  ])(
    'from %s, where this is impossible, is refused with an alternative',
    async (name, content, why, remedy) => {
      const { world, run } = await begin();
      const { id } = await world.put(name, content, 'held');
      const wish = run.call('queue.confirm', { ids: [id], withoutLocation: true });
      const refused = await wish.then(() => null, toAppError);
      expect(refused?.code).toBe('bad-use');
      expect(refused?.message).toMatch(why);
      expect(typedText(refused?.remedy ?? '')).toMatch(remedy);
      expect(world.row(name).state.kind).toBe('held');
      await run.call('queue.confirm', { ids: [id] });
      await world.until(name, 'uploaded');
    },
  );
});

describe('the copy without location', () => {
  test('is shared under other names, and the version sent with the location is not', async () => {
    const { world, run } = await begin({ settings: { photoLocation: 'keep' } });
    await world.put('a.jpg', photo, 'uploaded');
    await run.call('settings.set', { name: 'photoLocation', value: 'remove' });
    await world.put('b.jpg', photo, 'uploaded');
    await world.put('c.jpg', photo, 'skipped');
    expect(world.row('c.jpg').sameAsId).toBe(world.row('b.jpg').id);
    expect(contents(world)).toEqual([photo, without]);
  });

  test('is found by its own content when the answer is lost', async () => {
    const { world } = await begin(removing);
    world.service.faults.push('answer-lost');
    await world.put('a.jpg', photo, 'uncertain');
    const row = await world.until('a.jpg', 'uploaded', 2 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    expect(row).toMatchObject({ fileId: world.service.stored[0]?.fileId, sha256: sha256(photo) });
    expect(row.sent?.sha256).toBe(sha256(without));
  });

  test('is sent again, as the same copy, when it never arrived', async () => {
    const { world } = await begin(removing);
    world.service.faults.push('tail-lost');
    await world.put('a.jpg', photo, 'uncertain');
    // The original with the same name on the service is not the sent copy.
    world.service.addForeign('a.jpg', photo);
    await world.until('a.jpg', 'uploaded', 30 * minuteMs);
    expect(contents(world)).toEqual([photo, without]);
  });

  test('is not sent for a file that changed; the new version is sent as its own copy', async () => {
    const { world, run } = await begin(removing);
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.jpg', photo, 'ready');
    world.disk.write('/tray/a.jpg', `${photo}, another`);
    await run.call('queue.resume', {});
    await world.until('a.jpg', 'uploaded');
    expect(contents(world)).toEqual([`${without}, another`]);
  });

  test('is not sent if the cut differs from the one at the inspection', async () => {
    const { world, run } = await begin(removing);
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.jpg', photo, 'ready');
    const whole = { parts: [{ from: 0, to: photo.length }], sizeBytes: photo.length, sha256: sha256(photo) };
    const { photo: look } = world.inspect;
    let cutsOtherwise = 0;
    world.inspect.photo = async (file, head, cutsAll) => {
      if (world.row('a.jpg').state.kind !== 'ready' || cutsOtherwise > 0) return look(file, head, cutsAll);
      cutsOtherwise += 1;
      return { shows: 'location', cut: whole };
    };
    const row = world.row('a.jpg');
    await run.call('queue.resume', {});
    await world.until('a.jpg', 'uploaded');
    expect(cutsOtherwise).toBe(1);
    expect(row.sent?.sha256).toBe(sha256(without));
    expect(contents(world)).toEqual([without]);
  });

  test('is not sent when the photo can no longer be cut as at the inspection', async () => {
    const { world, run } = await begin(removing);
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.jpg', photo, 'ready');
    const { photo: look } = world.inspect;
    world.inspect.photo = async () => ({ shows: 'location', cut: null });
    await run.call('queue.resume', {});
    await world.until('a.jpg', 'held', minuteMs);
    expect(contents(world)).toEqual([]);
    world.inspect.photo = look;
  });

  test('is recognised by its own content when its link is taken back and still serves it', async () => {
    const { world, run } = await begin(removing);
    const { fileId } = await world.put('a.jpg', photo, 'uploaded');
    world.service.keepsLinks = true;
    const [result] = await run.call('files.recall', { files: [{ fileId: fileId ?? 0 }] });
    expect(result?.recalled).toMatchObject({ dead: false });
  });

  test('is not uploaded again under another name when its link was taken back', async () => {
    const { world, run } = await begin(removing);
    const { fileId } = await world.put('a.jpg', photo, 'uploaded');
    await run.call('files.recall', { files: [{ fileId: fileId ?? 0 }] });
    await world.put('b.jpg', photo, 'skipped');
    expect(world.row('b.jpg').state).toMatchObject({ rule: 'recalled' });
  });
});
