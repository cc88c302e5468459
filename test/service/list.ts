// GET /files (section 4): the newest first.
import type { Account } from './accounts.ts';
import { fileAs, json, type Answer } from './answers.ts';
import type { Context } from './context.ts';

const mostOnPage = 100;

export function listFiles(context: Context, account: Account, url: URL): Answer {
  const { knobs, store, clock, host } = context;
  const asked = url.searchParams;
  const limit = wholeNumber(asked.get('limit')) ?? 20;
  const pageSize = Math.min(limit, mostOnPage);
  const page = wholeNumber(asked.get('page')) ?? 1;

  const visibleUntilMs = clock.now() - knobs.listLagMs;
  const visible = store.of(account.name).filter((file) => file.storedAtMs <= visibleUntilMs);
  const sorted = visible.toSorted((a, b) => b.storedAtMs - a.storedAtMs || b.id - a.id);
  const files = sorted.slice((page - 1) * pageSize, page * pageSize);
  return json(200, {
    success: true,
    files: files.map((file) => fileAs(file, knobs, host())),
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
