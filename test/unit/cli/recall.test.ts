import { expect, test } from 'vitest';
import { tellRecalled } from '../../../src-main/cli/commands/recall.ts';
import type { RecallResult } from '../../../src-main/contract/answers.ts';
import type { Session } from '../../../src-main/cli/session.ts';
import { createWorld } from '../../support/fake-world.ts';

const recalled = (link: string): RecallResult => ({
  fileId: 1001,
  path: `/tray/${link}.txt`,
  recalled: { fileId: 1001, publicLink: `https://x/${link}`, publicSeconds: 1, downloads: null, dead: true },
  error: null,
});

test('each link that was taken back is reported once, also where the service gave its id again', () => {
  const said: string[] = [];
  const output = {
    object: ({ public_link: link }: { public_link: string }) => said.push(link),
    line: () => undefined,
    pathText: (path: string) => path,
  };
  const results = [recalled('a'), recalled('a'), recalled('b')];
  tellRecalled({ output } as unknown as Session, createWorld().ledger, results, ['q1', '1001', 'q2']);
  expect(said).toEqual(['https://x/a', 'https://x/b']);
});
