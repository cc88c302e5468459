// A chain of 300 folders, of which 128 are read: every command reads those above the limit and leaves out the rest.
import { describe, expect, test } from 'vitest';
import { begin, type World } from '../../../support/fake-world.ts';

const deepest = '/d'.repeat(128);

/** One file in each of the last folders that are read and the first that are not. */
const chain = (world: World, root: string): void => {
  let dir = root;
  world.disk.make(dir, 'folder');
  for (let depth = 1; depth <= 300; depth += 1) {
    dir += '/d';
    world.disk.make(dir, 'folder');
    if (depth === 128 || depth === 129) world.disk.write(`${dir}/${depth}.txt`, String(depth));
  }
};

describe('a deep chain of folders', () => {
  test('is planned', async () => {
    const { world, run } = await begin();
    chain(world, '/given');
    const { files } = await run.call('files.plan', { paths: ['/given'] });
    expect(files.map(({ path, verdict, why }) => [path, verdict, why])).toMatchObject([
      [`/given${deepest}/128.txt`, 'upload', null],
      [`/given${deepest}/d`, 'skipped', 'too-deep'],
    ]);
  });

  test('is previewed before it is chosen', async () => {
    const { world, run } = await begin();
    chain(world, '/new');
    const { goes } = await run.call('folder.inspect', { folder: '/new' });
    expect(goes.files.map(({ relative }) => relative)).toEqual([`${deepest.slice(1)}/128.txt`]);
  });

  test('is packed into a zip', async () => {
    const { world, run } = await begin();
    chain(world, '/given');
    const packed = await run.call('files.bundle', { paths: ['/given'] });
    expect(JSON.stringify(packed)).toContain('too-deep');
  });
});
