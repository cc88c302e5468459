// One exchange, one connection: a second would carry the request, or part of it, twice.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange } from '../../src-main/adapters/api/exchange.ts';
import { defaultLimits } from '../../src-main/adapters/api/limits.ts';
import { closeAfter, json, never, startWire, statsValue } from './api-wire.ts';

test('a connection that is lost before it is used is not made again', async () => {
  const wire = await startWire(async (peer) => {
    await peer.request();
    peer.send(json(200, statsValue));
  });
  closeAfter(wire);
  let dials = 0;
  const outcome = exchange({
    target: new URL(`${wire.baseUrl}/stats`),
    method: 'GET',
    headers: {},
    body: null,
    totalMs: 2000,
    answerBytes: 1000,
    limits: defaultLimits,
    signal: never,
    dial: async (target) => {
      dials += 1;
      const socket = connect({ port: Number(target.port), host: target.hostname });
      await once(socket, 'connect');
      if (dials === 1) socket.destroy();
      return socket;
    },
  });
  await expect(outcome).rejects.toMatchObject({ message: 'The connection broke.' });
  expect(dials).toBe(1);
});
