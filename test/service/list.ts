// GET /files (section 4): order, page sizes, fields and lag are all knobs, because the document shows none of them.
import type { Account } from './accounts.ts';
import { errorAnswer, fileAs, json, type Answer } from './answers.ts';
import { wordOf } from './chance.ts';
import type { Context } from './context.ts';
import type { Knobs } from './options.ts';
import type { StoredFile } from './store.ts';

export function listFiles(context: Context, account: Account, url: URL): Answer {
  const { knobs, store, clock, seed, host } = context;
  const asked = url.searchParams;
  const limit = wholeNumber(asked.get('limit')) ?? knobs.defaultLimit;
  if (limit > knobs.maxLimit && knobs.overMaxLimit === 'refuse') {
    return errorAnswer(knobs.errorShape, 400, `limit must not exceed ${knobs.maxLimit}`);
  }
  const pageSize = Math.min(limit, knobs.maxLimit);
  const page = wholeNumber(asked.get('page')) ?? 1;

  const visibleUntilMs = clock.now() - knobs.listLagMs;
  const visible = store.of(account.name).filter((file) => file.storedAtMs <= visibleUntilMs);
  const sorted = inOrder(visible, knobs.order, seed);
  const files = sorted.slice((page - 1) * pageSize, page * pageSize);
  return json(200, {
    success: true,
    files: files.map((file) => fileAs(knobs.listFields, file, knobs, host())),
    pagination: {
      page,
      limit: pageSize,
      total: sorted.length,
      pages: Math.ceil(sorted.length / pageSize),
    },
  });
}

function wholeNumber(text: string | null): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  const number = Number(text);
  return number >= 1 ? number : null;
}

function inOrder(files: StoredFile[], order: Knobs['order'], seed: number): StoredFile[] {
  switch (order) {
    case 'newest':
      return files.toSorted((a, b) => b.storedAtMs - a.storedAtMs || b.id - a.id);
    case 'oldest':
      return files.toSorted((a, b) => a.storedAtMs - b.storedAtMs || a.id - b.id);
    case 'name':
      return files.toSorted((a, b) => compare(a.filename, b.filename) || a.id - b.id);
    case 'id-desc':
      return files.toSorted((a, b) => b.id - a.id);
    case 'random-stable': {
      const place = new Map(files.map((file) => [file, wordOf(seed, 'place', file.id)]));
      return files.toSorted((a, b) => compare(place.get(a) ?? '', place.get(b) ?? ''));
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
