// A squid of its own on loopback that asks for a name and a password, and knows one host name.
import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../support/flow/poll.ts';
import { accepts, freePort } from './ports.ts';

export type Squid = { port: number; close(): Promise<void> };

/** `hosts` maps a name to an address; a request without `login` (`name:password`) is answered with 407. */
export const startSquid = async (options: {
  login: string;
  hosts: Record<string, string>;
}): Promise<Squid> => {
  const root = await mkdtemp(path.join(tmpdir(), 'outtray-squid-'));
  // Squid's helpers run as another user when it is started by root.
  await chmod(root, 0o755);
  const port = await freePort();
  const [name = '', password = ''] = options.login.split(':');
  const hash = execFileSync('openssl', ['passwd', '-apr1', password], { encoding: 'utf8' }).trim();
  await writeFile(path.join(root, 'passwords'), `${name}:${hash}\n`, { mode: 0o644 });
  const hosts = Object.entries(options.hosts).map(([host, address]) => `${address} ${host}\n`);
  await writeFile(path.join(root, 'hosts'), hosts.join(''), { mode: 0o644 });
  await writeFile(
    path.join(root, 'squid.conf'),
    `http_port 127.0.0.1:${port}
     pid_filename none
     hosts_file ${root}/hosts
     cache deny all
     access_log none
     cache_log /dev/null
     coredump_dir ${root}
     shutdown_lifetime 0 seconds
     auth_param basic program /usr/lib/squid/basic_ncsa_auth ${root}/passwords
     acl known proxy_auth REQUIRED
     http_access allow known
     http_access deny all\n`,
  );
  const child = spawn('squid', ['-N', '-f', path.join(root, 'squid.conf')], {
    stdio: 'ignore',
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually('squid listens', () => accepts(port));
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
};
