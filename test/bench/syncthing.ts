// Syncthing as a peer: one folder, no watching, no network; asked to scan through its REST interface.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Syncthing = { rescan(): Promise<void>; pid: number; stop(): Promise<void> };

const apiKey = 'bench';
const startsWithinMs = 30_000;

/** Resolves when the first scan, which reads every file, is done. `home` is an empty folder. */
export const startSyncthing = async (home: string, folder: string): Promise<Syncthing> => {
  execFileSync('syncthing', ['generate', '--no-default-folder', `--home=${home}`], { stdio: 'ignore' });
  const address = `127.0.0.1:${await freePort()}`;
  const file = path.join(home, 'config.xml');
  const device = /<device id="([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  writeFileSync(
    file,
    `<configuration version="36">
      <folder id="bench" path="${folder}" type="sendonly" rescanIntervalS="0" fsWatcherEnabled="false">
        <filesystemType>basic</filesystemType><device id="${device}"/>
      </folder>
      <device id="${device}" name="bench"><address>dynamic</address></device>
      <gui enabled="true"><address>${address}</address><apikey>${apiKey}</apikey></gui>
      <options>
        <listenAddress>tcp://127.0.0.1:0</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>
        <localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled>
        <natEnabled>false</natEnabled><urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH>
        <crashReportingEnabled>false</crashReportingEnabled><startBrowser>false</startBrowser>
      </options>
    </configuration>`,
  );
  const child = spawn('syncthing', ['serve', `--home=${home}`, '--no-browser', '--no-restart'], {
    stdio: 'ignore',
    env: { ...process.env, STNOUPGRADE: '1' },
  });
  const ask = (method: string, what: string): Promise<Response> =>
    fetch(`http://${address}/rest/${what}`, { method, headers: { 'X-API-Key': apiKey } });
  const rescan = async (): Promise<void> => {
    const answer = await ask('POST', 'db/scan?folder=bench');
    if (!answer.ok) throw new Error(`syncthing: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const endMs = performance.now() + startsWithinMs;
  while (!(await ask('GET', 'system/ping').catch(() => null))?.ok) {
    if (performance.now() > endMs || child.exitCode !== null) throw new Error('syncthing did not start.');
    await sleep(100);
  }
  await rescan();
  return {
    rescan,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};
