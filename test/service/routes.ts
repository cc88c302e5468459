// From a request to its answer: which endpoint it is and what it does (section 4 of service.md).
import { admit } from './gate.ts';
import { errorAnswer, fileAs, json, type Answer } from './answers.ts';
import type { Account } from './accounts.ts';
import { basePath } from './base-path.ts';
import type { Context } from './context.ts';
import { download } from './download.ts';
import type { Exchange } from './exchange.ts';
import { listFiles } from './list.ts';
import { upload, type Done } from './upload.ts';

type Action = (context: Context, exchange: Exchange, account: Account) => Promise<Done>;

export async function serve(context: Context, exchange: Exchange): Promise<void> {
  const { record, request } = exchange;
  await exchange.pass('headers');
  if (record.path.startsWith('/download/')) return download(context, exchange);

  const actions = actionsFor(context, record.path);
  const action = actions?.[record.method];
  if (!action) {
    const status = actions ? 405 : 404;
    return exchange.refuse(errorAnswer(status, actions ? 'Method not allowed' : 'Resource not found'));
  }
  const admission = admit(context, request, record);
  if ('refusal' in admission) return exchange.refuse(admission.refusal);
  const { account } = admission;
  const done = await action(context, exchange, account);
  if (done.refused) return exchange.refuse(done.answer);
  await exchange.pass('done');
  await exchange.send(done.answer, done.otherFile);
}

/** The methods of a path, or `null` if there is no such path. */
function actionsFor(context: Context, path: string): Record<string, Action> | null {
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null;
  if (below === '/files/upload') return { POST: upload };
  if (below === '/files') return { GET: plain((account, url) => listFiles(context, account, url)) };
  if (below === '/stats') return { GET: plain((account) => stats(context, account)) };
  const id = /^\/files\/(\d{1,19})$/.exec(below ?? '')?.[1];
  if (id === undefined) return null;
  const at = Number(BigInt(id) - BigInt(context.knobs.idsAbove));
  return {
    GET: plain((account) => oneFile(context, account, at)),
    DELETE: plain((account) => deleteFile(context, account, at)),
  };
}

/** An action whose request has no body that matters. */
function plain(answer: (account: Account, url: URL) => Answer | Promise<Answer>): Action {
  return async (_, exchange, account) => {
    await exchange.readBody(() => null);
    await exchange.pass('read');
    return { answer: await answer(account, new URL(exchange.record.url, 'http://localhost')) };
  };
}

function oneFile({ knobs, store, host }: Context, account: Account, id: number): Answer {
  const file = store.byId(account.name, id);
  if (!file) return errorAnswer(404, 'File not found');
  return json(200, { success: true, file: fileAs(file, knobs, host()) });
}

async function deleteFile({ store }: Context, account: Account, id: number): Promise<Answer> {
  const file = store.byId(account.name, id);
  if (!file) return errorAnswer(404, 'File not found');
  await store.remove(file);
  return json(200, { success: true, message: 'File deleted' });
}

function stats({ store }: Context, { name, limits, plan }: Account): Answer {
  const files = store.of(name);
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  // A missing limit is shown as the largest number JSON carries exactly.
  const maxBytes = limits.maxFileSizeBytes ?? Number.MAX_SAFE_INTEGER;
  return json(200, {
    success: true,
    stats: { total_files: files.length, total_size: totalBytes },
    limits: {
      max_file_size: maxBytes,
      daily_uploads: limits.dailyUploads ?? Number.MAX_SAFE_INTEGER,
    },
    plan,
  });
}
