// The command on a network that a firewall cuts and a relay slows down.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Line } from '../support/flow/command.ts';
import { eventually } from '../support/flow/poll.ts';
import { apiKey, createPlace, type Place } from '../support/flow/place.ts';
import { createNamespace, type NetworkNamespace } from './support/namespace.ts';
import { lacks } from './support/parts.ts';

const cli = path.resolve(import.meta.dirname, '../../src-main/cli.ts');

describe.skipIf(lacks('root', 'ip', 'iptables'))('on a network of its own', () => {
  test.concurrent(
    'a firewall drops all packets for 8 s during an upload: the file is stored once',
    async () => {
      await withNetwork(async (network, place) => {
        const service = await network.startService(apiKey);
        const content = Buffer.alloc(2_000_000, 'dropped ');
        const upload = start(network, place, service.port, await place.put('../dropped.bin', content));
        await upload.progress();
        const rule = ['OUTPUT', '-p', 'tcp', '--dport', String(service.port), '-j', 'DROP'];
        network.iptables('-A', ...rule);
        await new Promise((resolve) => setTimeout(resolve, 8000));
        network.iptables('-D', ...rule);
        expect(await upload.ended).toBe(0);
        expect(await service.stored()).toMatchObject([{ sizeBytes: content.length }]);
      });
    },
  );

  test.concurrent(
    'a firewall resets all connections during an upload: it waits, then the file is stored once',
    async () => {
      await withNetwork(async (network, place) => {
        const service = await network.startService(apiKey);
        const content = Buffer.alloc(2_000_000, 'reset ');
        const upload = start(network, place, service.port, await place.put('../reset.bin', content));
        await upload.progress();
        const rule = ['OUTPUT', '-p', 'tcp', '--dport', String(service.port)];
        const reset = ['-j', 'REJECT', '--reject-with', 'tcp-reset'];
        network.iptables('-A', ...rule, ...reset);
        const waiting = await eventually('it says that it waits', () =>
          upload.lines().find((line) => line.event === 'waiting'),
        );
        expect(waiting['reason']).toBe('network');
        network.iptables('-D', ...rule, ...reset);
        expect(await upload.ended).toBe(0);
        expect(await service.stored()).toMatchObject([{ sizeBytes: content.length }]);
      });
    },
  );

  test.concurrent('through a relay of 100 kB a second a file is started once and stored once', async () => {
    await withNetwork(async (network, place) => {
      const service = await network.startService(apiKey);
      const relay = await startRelay(network, service.port);
      const content = Buffer.alloc(1_500_000, 'slow ');
      const upload = start(network, place, relay.port, await place.put('../slow.bin', content), {
        bandwidth: 0,
      });
      expect(await upload.ended).toBe(0);
      expect(upload.lines().filter((line) => line.event === 'uploading')).toHaveLength(1);
      expect(await service.stored()).toMatchObject([{ sizeBytes: content.length }]);
      relay.close();
    });
  });
});

const withNetwork = async (act: (network: NetworkNamespace, place: Place) => Promise<void>) => {
  const network = createNamespace();
  const place = await createPlace(null, { key: apiKey });
  try {
    await act(network, place);
  } finally {
    await place.remove();
    await network.close();
  }
};

/** `outtray --json upload FILE` inside the namespace, at 400 kB a second unless given otherwise. */
const start = (
  network: NetworkNamespace,
  place: Place,
  port: number,
  file: string,
  { bandwidth = 400_000 } = {},
) => {
  const env = {
    ...place.env,
    PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
    OUTTRAY_BASE_URL: `http://127.0.0.1:${port}/api/v1`,
  };
  const set = ['settings', 'set', 'bandwidthBytesPerSecond', String(bandwidth)];
  const command = `"$0" "$1" ${set.join(' ')} >/dev/null && exec "$0" "$1" --json upload "$2"`;
  const [program, args] = network.inside(['sh', '-c', command, process.execPath, cli, file]);
  const child = spawn(program, args, { env, cwd: place.root, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const lines = (): Line[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    lines,
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
    progress: () =>
      eventually('a part of the file is sent', () =>
        lines().some((line) => line.event === 'progress' && Number(line['sentBytes']) > 200_000),
      ),
  };
};

/** A relay inside the namespace that lets 100 kB a second through, in pieces of 10 kB. */
const startRelay = async (network: NetworkNamespace, port: number) => {
  const script = `
    const net = require('node:net');
    net.createServer((from) => {
      const to = net.connect(${port}, '127.0.0.1');
      to.pipe(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      to.on('error', () => from.destroy());
      (async () => {
        for await (const piece of from)
          for (let at = 0; at < piece.length; at += 10_000) {
            to.write(piece.subarray(at, at + 10_000));
            await new Promise((next) => setTimeout(next, 100));
          }
        to.end();
      })().catch(() => to.destroy());
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const [program, args] = network.inside([process.execPath, '-e', script]);
  const child = spawn(program, args, {
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const relayPort = await new Promise<number>((resolve) =>
    child.stdout.once('data', (text: Buffer) => resolve(Number(String(text)))),
  );
  return { port: relayPort, close: () => child.kill('SIGTERM') };
};
