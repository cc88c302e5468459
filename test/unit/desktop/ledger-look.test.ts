// What the shell looks up in the ledger.
import { expect, test } from 'vitest';
import { createLedgerLook } from '../../../src-main/desktop/ledger-look.ts';
import { begin, dayMs } from '../../support/fake-world.ts';

test('the link of another machine that this one ends has no path here', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('report.pdf', 'the report');
  const line = {
    ...{ line: 1, fileId: file.fileId, publicLink: file.link, filename: file.name, size: null },
    ...{ sizeBytes: 10, sha256: file.sha256, uploadedAtMs: file.atMs, uploadDate: null },
    expiresAtMs: world.clock.wallMs() + dayMs,
  };
  await run.call('files.import', { files: [line], takeExpiry: true });
  const id = world.ledger.uploads.byFileId(file.fileId)?.id ?? 0;
  const look = createLedgerLook(world.ledger, world.settings);
  expect([look.link({ uploadId: id })?.link, look.path(id)]).toEqual([file.link, null]);
});
