// The conformance tool of the protocol's makers. It expects from every server the tools, prompts and resources of its own
// example server, which Outtray lacks: those scenarios must fail for that reason and no other.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { serveMcpOverHttp, type Bridge } from '../support/flow/mcp-over-http.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
let bridge: Bridge;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
  bridge = await serveMcpOverHttp({ PATH: process.env['PATH'], ...place.env });
});
afterEach(() => bridge.close());

type Check = { id: string; status: string; errorMessage?: string };

const tool = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** All checks of the tool. The tool exits with 1 for every failure, even for one that Outtray does not cause. */
const conformance = async (): Promise<Check[]> => {
  const folder = path.join(place.root, 'conformance');
  await new Promise<void>((done) => {
    execFile(
      process.execPath,
      [tool, 'server', '--url', bridge.url, '--suite', 'all', '-o', folder],
      { cwd: place.root, env: { PATH: process.env['PATH'], HOME: place.root } },
      () => done(),
    );
  });
  const read = async (scenario: string): Promise<Check[]> =>
    JSON.parse(await readFile(path.join(folder, scenario, 'checks.json'), 'utf8')) as Check[];
  return (await Promise.all((await readdir(folder)).map(read))).flat();
};

/** Failures that no server but the example can avoid. */
const elsewhere: [why: string, check: RegExp, message: RegExp][] = [
  [
    'a capability that Outtray does not declare',
    /^(logging-set-level|tools-call-with-logging|completion-complete|resources-.+|prompts-.+)$/,
    /MCP error -32601: Method not found$/,
  ],
  [
    'a tool of the example server',
    /^(tools-call-.+|elicitation-.+)$/,
    /MCP error -32602: There is no such tool\.$/,
  ],
  [
    'a tool of the example server, looked for in the list',
    /^json-schema-2020-12-tool-found$/,
    /^Tool 'json_schema_2020_12_tool' not found/,
  ],
  ['the bridge to HTTP, which is not Outtray', /^localhost-host-rebinding-rejected$/, /^Expected HTTP 4xx/],
];

test('nothing fails but what only the example server is expected to have', async () => {
  const checks = await conformance();
  const passed = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['server-initialize', 'ping', 'tools-list']));
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  expect(failed.length).toBeGreaterThan(20);
  const ours = failed.filter(
    ({ id, errorMessage = '' }) =>
      !elsewhere.some(([, check, message]) => check.test(id) && message.test(errorMessage)),
  );
  expect(ours).toEqual([]);
});
