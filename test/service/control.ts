// The control endpoint: what a test in the same process calls, for tests that run the service as a process of its own.
// It has its own port, so that no fault affects it, and speaks JSON only.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FaultRule } from './faults.ts';
import type { AccountOptions } from './options.ts';
import type { Service } from './service.ts';

type Asked = { url: URL; body: unknown };
type Control = (service: Service, asked: Asked) => unknown;

const controls: Record<string, Control> = {
  'GET /summary': (service) => ({ violations: service.violations() }),
  'GET /files': (service) => service.files(),
  'POST /files': (service, { body }) =>
    service.addFile(body as { filename: string; content: string; account?: string }),
  'DELETE /files': (service, { url }) => service.removeFile(Number(url.searchParams.get('id'))),
  'GET /requests': (service) => service.requests(),
  'POST /faults': (service, { body }) => service.faults.add(...(body as FaultRule[])),
  'DELETE /faults': (service) => service.faults.clear(),
  'POST /accounts': (service, { body }) => service.changeAccount(body as AccountOptions),
};

export async function answerControl(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const name = `${request.method ?? ''} ${url.pathname.replace(/^\/__control/, '')}`;
  const control = controls[name];
  const answer = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body ?? { done: true }));
  };
  // Pages in a browser have no access.
  if (request.headers.origin !== undefined) {
    answer(403, { error: 'Not for web pages' });
    return;
  }
  if (!control) {
    answer(404, { error: `No such control: ${name}`, controls: Object.keys(controls) });
    return;
  }
  try {
    const sent = await text(request);
    answer(200, await control(service, { url, body: sent === '' ? {} : JSON.parse(sent) }));
  } catch (error) {
    answer(400, { error: String(error) });
  }
}
