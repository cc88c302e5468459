// Cards and proofs by the command, against the service: what a reader can check, and each kind of wrong link.
import { describe, expect, test } from 'vitest';
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Line } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';

let place: Place;
const service = await ownService();

const shared = async (name: string, content: string): Promise<{ id: string; link: string; file: string }> => {
  place = await ownPlace(service, { rate: 10 });
  const file = await place.put(name, content);
  expect((await place.run(['upload', file])).code).toBe(0);
  const [stored] = storedAs(service, content);
  return { id: String(stored?.id), link: stored?.link ?? '', file };
};
const download = { path: '/download/*' };
const reasonOf = async (...args: string[]) => {
  const { code, lines } = await place.json(['verify', ...args]);
  return { code, reason: lines[0]?.['reason'], ok: lines[0]?.['ok'] };
};

test('a link that serves the sent bytes is reported as verified, by id, path, --all and both cards', async () => {
  const { id, link, file } = await shared('a.txt', 'proven content');
  const { code, lines } = await place.json(['verify', id, file]);
  const line = { event: 'verified', file_id: Number(id), public_link: link, ok: true, reason: null };
  expect({ code, lines }).toMatchObject({ code: 0, lines: [line, line] });
  expect(await reasonOf('--all')).toEqual({ code: 0, reason: null, ok: true });
  for (const form of ['json', 'sha256sums']) {
    const card = path.join(place.root, `card.${form}`);
    writeFileSync(card, (await place.run(['card', file, '--format', form])).stdout);
    expect(await reasonOf('--card', card)).toEqual({ code: 0, reason: null, ok: true });
  }
});

test('a card is verified without an API key, and without an address the error names what is missing', async () => {
  const { link, file } = await shared('a.txt', 'proven without a key');
  const keyless = { OUTTRAY_API_KEY: undefined };
  for (const form of ['json', 'sha256sums']) {
    const card = path.join(place.root, `card.${form}`);
    writeFileSync(card, (await place.run(['card', file, '--format', form])).stdout);
    const { code, lines } = await place.json(['verify', '--card', card], { env: keyless });
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ public_link: link, ok: true }] });
    const lost = await place.json(['verify', '--card', card], {
      env: { ...keyless, OUTTRAY_BASE_URL: undefined },
    });
    expect([lost.code, lost.lines.at(-1)?.error?.code]).toEqual([2, 'not-configured']);
  }
});

test('the key is never sent with a download, nor to the target of a redirect', async () => {
  const { id } = await shared('a.txt', 'read without the key');
  const seen: string[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.end('read without the key');
  });
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  const { port } = elsewhere.address() as AddressInfo;
  service.faults.add({
    match: download,
    fault: { kind: 'answer', status: 302, headers: { location: `http://127.0.0.1:${port}/download/x` } },
  });
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'unreachable', ok: false });
  expect(seen).toEqual([]);
  await reasonOf(id);
  const reads = service.requests().filter(({ path: at }) => at.startsWith('/download/'));
  expect(reads.length).toBeGreaterThanOrEqual(2);
  for (const { rawHeaders } of reads) {
    expect(rawHeaders.map((one) => one.toLowerCase())).not.toContain('authorization');
    expect(rawHeaders.join('\n')).not.toContain(apiKey);
  }
  await new Promise((closed) => elsewhere.close(closed));
});

test('altered, truncated, gone and unreachable links are distinguished, with exit code 8', async () => {
  const { id } = await shared('a.txt', 'content to be altered');
  const answer = (status: number, body = '') =>
    service.faults.add({ match: download, fault: { kind: 'answer', status, body } });
  answer(200, 'content to be ALTERED');
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'differs', ok: false });
  answer(200, 'content');
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'differs', ok: false });
  answer(404);
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'gone', ok: false });
  answer(503);
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'unreachable', ok: false });
  service.faults.add({ match: download, fault: { kind: 'reset', at: 'done' } });
  expect(await reasonOf(id)).toEqual({ code: 8, reason: 'unreachable', ok: false });
});

test('a hostile card is refused, or fetches nothing outside the allowed hosts', async () => {
  await shared('a.txt', 'beside a hostile card');
  const card = path.join(place.root, 'card');
  const write = (text: string) => writeFileSync(card, text);
  const before = service.requests().length;
  for (const text of ['', '[]', '[{"sizeBytes":-1}]', '{"a":1}', 'no sums\n', '[', '\0'.repeat(100)]) {
    write(text);
    expect((await place.json(['verify', '--card', card])).code).toBe(2);
  }
  write('x'.repeat(9 * 1024 * 1024));
  expect((await place.json(['verify', '--card', card])).code).toBe(2);
  const file = { file_id: 1, filename: 'x', sizeBytes: 3, sha256: 'a'.repeat(64) };
  write(JSON.stringify([{ ...file, public_link: 'https://elsewhere.example/download/x' }]));
  expect(await reasonOf('--card', card)).toEqual({ code: 8, reason: 'unreachable', ok: false });
  write(`${'b'.repeat(64)}  unknown.txt\n`);
  expect(await reasonOf('--card', card)).toEqual({ code: 8, reason: 'unknown-content', ok: false });
  expect((await place.run(['verify', '--card', card])).stderr).toMatch(/^b{64}: what the link should serve/);
  expect((await place.json(['verify', '--card', '/nowhere'])).code).toBe(2);
  expect((await place.json(['verify'])).code).toBe(2);
  expect((await place.json(['verify', '--all', '1'])).code).toBe(2);
  expect(service.requests()).toHaveLength(before);
});

test('a card passes sha256sum beside its files; a file that is recalled or whose hash is unknown has none', async () => {
  const { id, file } = await shared('a b.txt', 'checked by coreutils');
  const sums = (await place.run(['card', file, '--format', 'sha256sums'])).stdout;
  execFileSync('sha256sum', ['-c', '--strict'], { cwd: place.folder, input: sums });
  const rows = await place.json(['card', id, '--format', 'json']);
  expect(rows.lines).toMatchObject([
    { file_id: Number(id), filename: 'a b.txt', sizeBytes: 20, expiresAt: null },
  ]);
  const theirs = await service.addFile({ filename: 'elsewhere.bin', content: 'not known here' });
  const foreign = await place.run(['card', String(theirs.id)]);
  expect(foreign).toMatchObject({ code: 5, stdout: '' });
  expect(foreign.stderr).toContain('SHA-256 is not known');
  expect((await place.run(['recall', file])).code).toBe(0);
  for (const command of ['card', 'verify']) {
    const dead = await place.run([command, id]);
    expect(dead).toMatchObject({ code: 2, stdout: '' });
    expect(dead.stderr).toContain('is dead');
  }
});

test('an interrupted run has reported every link that it read', async () => {
  const first = await shared('a.txt', 'read first');
  const file = await place.put('b.txt', 'read second');
  expect((await place.run(['upload', file])).code).toBe(0);
  const firstLink = new URL(first.link).pathname;
  service.faults.add({ match: { path: firstLink }, fault: { kind: 'stall', at: 'done' } });
  const running = place.start(['--json', 'verify', '--all']);
  // The newest is read first.
  const told = await running.until('the first result', (lines) => lines[0]);
  expect(told).toMatchObject({ event: 'verified', ok: true, reason: null });
  const { code } = await running.stop('SIGINT');
  service.faults.clear();
  expect(code).toBe(130);
  const verified = running.lines().filter(({ event }) => event === 'verified');
  expect(verified).toEqual([told]);
  expect(told['public_link']).not.toBe(first.link);
});

describe('with verifyAfterUpload', () => {
  const verifying = async (): Promise<Place> => {
    place = await ownPlace(service, { settings: { verifyAfterUpload: true } });
    return place;
  };
  const verifiedIn = (lines: readonly Line[]) => lines.filter(({ event }) => event === 'verified');

  test('the command reads the link back before it ends, without the key', async () => {
    await verifying();
    // One file: another one that is queued just then would end the read, and the next one is a minute away.
    const file = await place.put('a.txt', 'read back');
    const before = service.requests().length;
    const { code, lines } = await place.json(['upload', file]);
    expect(code).toBe(0);
    expect(verifiedIn(lines)).toMatchObject([{ path: file, ok: true, reason: null }]);
    const since = service.requests().slice(before);
    const downloads = since.filter(({ path }) => path.startsWith('/download/'));
    expect(downloads).toHaveLength(1);
    expect(downloads[0]?.rawHeaders.join('\n')).not.toMatch(/authorization/i);
  });

  test('a link that serves other bytes fails the command, and every door reports it', async () => {
    await verifying();
    const file = await place.put('c.txt', 'read back c');
    service.faults.add({ match: download, fault: { kind: 'answer', status: 200, body: 'other' } });
    const { code, lines } = await place.json(['upload', file]);
    expect(code).toBe(8);
    expect(verifiedIn(lines)).toMatchObject([{ path: file, ok: false, reason: 'differs' }]);
    const [status] = (await place.json(['status'])).lines;
    expect(status).toMatchObject({ wrongLinks: 1 });
    expect((await place.run(['status'])).stdout).toMatch(/Wrong links +1; `outtray review`/);
    expect((await place.run(['why', file])).stdout).toContain('DIFFERENT bytes');
    const id = verifiedIn(lines)[0]?.['file_id'];
    const { lines: findings } = await place.json(['review']);
    expect(findings[0]).toMatchObject({ kind: 'wrong', file_id: id, remedy: `outtray recall ${String(id)}` });
    // Read once more by a person, it is right: the finding ends.
    expect((await place.run(['verify', String(id)])).code).toBe(0);
    expect((await place.json(['status'])).lines[0]).not.toHaveProperty('wrongLinks');
  });

  test('watch reports it as an event and in words', async () => {
    await verifying();
    await place.put('d.txt', 'read back d');
    const { lines } = await place.json(['watch', place.folder, '--once', '--existing', 'upload']);
    expect(verifiedIn(lines)).toMatchObject([{ ok: true }]);
    await place.put('e.txt', 'read back e');
    service.faults.add({ match: download, fault: { kind: 'answer', status: 404 } });
    const { stderr } = await place.run(['watch', place.folder, '--once']);
    expect(stderr).toContain('e.txt: the link is dead');
  });
});
