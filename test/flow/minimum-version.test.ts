// A version older than the administrator demands: it uploads nothing and reports it; public links can still be recalled.
import { expect, test } from 'vitest';
import { version } from '../../src-main/adapters/version.ts';
import { within } from '../support/flow/within.ts';
import { uploads } from '../support/flow/wire.ts';

const sentence = `Outtray 99.0.0 or newer is required; this is ${version}, so nothing is uploaded.`;

test('upload, status and doctor report it, nothing is sent, and recall works', async () => {
  await within({}, async (service, place) => {
    const before = await place.put('before.txt', 'public already');
    expect((await place.run(['upload', before])).code).toBe(0);
    const file = await place.put('after.txt', 'not for old programs');
    await place.run(['settings', 'set', 'minimumVersion', '99.0.0']);
    const upload = await place.run(['upload', file]);
    expect(upload.code).toBe(2);
    expect(upload.stderr).toContain(sentence);
    expect(upload.stderr).toContain('Update Outtray');
    expect(uploads(service)).toHaveLength(1);
    const status = await place.json(['status']);
    expect(status.lines[0]?.['waiting']).toMatchObject({ reason: 'policy', message: sentence });
    const doctor = await place.json(['doctor']);
    expect(doctor.lines.find(({ name }) => name === 'settings')).toMatchObject({ ok: false });
    expect(JSON.stringify(doctor.lines)).toContain(sentence);
    expect((await place.run(['recall', before, '--yes'])).code).toBe(0);
    await place.run(['settings', 'set', 'minimumVersion', version]);
    expect((await place.run(['upload', file])).code).toBe(0);
    expect(uploads(service)).toHaveLength(2);
  });
});
